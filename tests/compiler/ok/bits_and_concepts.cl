#pragma OPENCL FP_CONTRACT ON

/* k, bits_and_concepts.cu:16 */
__kernel void k(__global uint *out, ushort small)
{
    int value = out[1];
    uint result = clz((uint)value);
    *out = popcount((uint)value) + result + (32 - result) + (value != 0 && (value & (value
        - 1u)) == 0);
    int t = small == 0 ? 16 : clz((uint)(int)small) - 16;
    out[2] = popcount((uint)(int)small) + t + (16 - t) + (small != 0 && (small & (small - 1)) == 0);
    out[3] = as_int(3.1415927f * (float)out[4]);
}
