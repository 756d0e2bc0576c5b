#pragma OPENCL FP_CONTRACT ON

/* run, overflow.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int x = in[get_local_id(0)];
    long y = 9223372036854775792ul + (long)x;
    for (int i = 0; i < n; i++) {
        int x_1 = x * 3u;
        long y_1 = y + 1ul;
        out[(uint)get_local_id(0) * n + i] = (x_1 > 0) + 2 * (y_1 > 0);
        x *= 3u;
        y += 1ul;
    }
    out[(uint)get_local_id(0) * n] ^= x ^ (int)y;
}
