#pragma OPENCL FP_CONTRACT ON

/* run, guard_shifts.cu:13 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int t = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (t >= n)
        return;
    int x = in[t];
    int count = get_local_id(0) * 2;
    bool condition = (uint)count < 32;
    uint r = (condition ? 1 << count : 0) - 1u + ((1 << ((uint)get_local_id(0) & 31)) - 1u) - 1;
    r = r * 31 + (condition ? (uint)x >> count : 0);
    r = r * 31 + (x >> min((uint)count, 31u));
    ulong wide = (long)x << 20;
    int t_1 = count + 8;
    r = r * 31 + (uint)((ulong)(uint)t_1 < 64 ? wide >> (ulong)(uint)t_1 : 0);
    for (int i = 0; i < 4; i++)
        r += (x >> (8 * i)) & 255;
    out[t] = r;
}
