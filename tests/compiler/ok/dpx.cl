#pragma OPENCL FP_CONTRACT ON

/* n % d; by 0: all bits one, and by -1 always 0 */
int qn_rem_i32(int n, int d)
{
    const int r = n % (d == 0 || d == -1 ? 1 : d);
    return d == 0 ? -1 : r;
}

/* run, dpx.cu:11 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int i = get_local_id(0);
    int a = in[i];
    int b = in[qn_rem_i32(i + 1, n)];
    int c = in[qn_rem_i32(i + 2, n)];
    uint p = a * 65537u;
    uint q = b * 40503u;
    __global int *to = out + 8 * i;
    int result = max(a, b);
    *to = max(result, c);
    to[1] = max(min((int)((uint)a + b), c), 0);
    to[2] = result + (a >= b);
    to[3] = min(p, q) + (p <= q);
    uint result_1 = as_uint(max(as_short2(p), as_short2(q)));
    to[4] = result_1;
    to[5] = ((short)(p >> 16) >= (short)(q >> 16)) * 2 + ((short)p >= (short)q);
    to[6] = as_uint(max(as_short2(result_1), as_short2(0u)));
    to[7] = max(2147483650u, (uint)c) == c ? 1 : 2;
}
