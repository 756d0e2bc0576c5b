#pragma OPENCL FP_CONTRACT ON

/* x, of which a compiler does not see how it grows: an address has no top bit, and none knows it */
int qn_opaque_int(int x)
{
    uint here;
    return x | (int)((long)(ulong)&here >> 63);
}

/* x, of which a compiler does not see how it grows: an address has no top bit, and none knows it */
uint qn_opaque_uint(uint x)
{
    uint here;
    return x | (uint)((long)(ulong)&here >> 63);
}

/* gather, masked_index.cu:2 */
__kernel void gather(__global int *out, __global const int *in, int n)
{
    int i = get_local_id(0);
    int even = in[(i * 2) & 31];
    int lane = in[i & 31];
    int far = in[(i * 29) & 31];
    int odd = qn_opaque_int((i * 3) & 31);
    out[i] = in[odd] + in[odd + 32] * even + in[qn_opaque_int((int)(uchar)(i * 5)) / 5]
        + in[qn_opaque_int(i * 6 % 32)] + lane + far;
}

/* loop, masked_index.cu:10 */
__kernel void loop(__global int *out, __global const int *in, int n)
{
    uchar at = 0;
    int sum = 0;
    int kept = 0;
    for (int k = 0; k < n; k++) {
        sum += in[qn_opaque_int((k * 3) & 31)] + in[qn_opaque_uint((uint)get_local_id(0) * k % 64)]
            + in[qn_opaque_int(at & 63)];
        kept = qn_opaque_int(kept & 31) + 5;
        out[64 + k] = kept;
        at = (char)(at + 3);
    }
    out[get_local_id(0)] = sum;
}
