#pragma OPENCL FP_CONTRACT ON

typedef int __attribute__((may_alias)) qn_alias_int;
typedef float __attribute__((may_alias)) qn_alias_float;

/* n / d; by 0: all bits one, and by -1 the negated number, which wraps */
int qn_div_i32(int n, int d)
{
    const int q = n / (d == 0 || d == -1 ? 1 : d);
    return d == 0 ? -1 : d == -1 ? (int)-(uint)n : q;
}

/* n % d; by 0: all bits one, and by -1 always 0 */
int qn_rem_i32(int n, int d)
{
    const int r = n % (d == 0 || d == -1 ? 1 : d);
    return d == 0 ? -1 : r;
}

/* n / d; by 0: all bits one */
uint qn_div_u32(uint n, uint d)
{
    const uint q = n / (d == 0 ? 1 : d);
    return d == 0 ? (uint)-1 : q;
}

/* n % d; by 0: all bits one, and by -1 always 0 */
long qn_rem_i64(long n, long d)
{
    const long r = n % (d == 0 || d == -1 ? 1 : d);
    return d == 0 ? -1 : r;
}

/* abs(x), which is x itself for the smallest number */
int qn_abs_i32(int x)
{
    return x < 0 ? (int)-(uint)x : x;
}

/* the zeros below the lowest one of x; of 0 as many as x has bits */
int qn_ctz_u32(uint x)
{
    return (int)popcount(~x & (x - 1));
}

/* divides, meaning.cu:9 */
__kernel void divides(__global int *out, __global const int *in, int n, uint u, long w)
{
    int i = get_local_id(0);
    int v = in[i];
    int q = qn_div_i32(n, v);
    int t = v == 0 ? 9 : q;
    out[i] = t;
    out[i + 1] = qn_rem_i32(v, n) + qn_div_u32((uint)v, u) + (int)qn_rem_i64((long)v, w);
    if (n != 0)
        out[i + 2] = qn_div_i32(v, n);
    out[i + 3] = -(uint)v;
}

/* divides_plainly, meaning.cu:21 */
__kernel void divides_plainly(__global int *out, __global const int *in, int w, int h, uint u)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= w * h)
        return;
    int sum = in[i % w] + in[i / w] + (uint)i / (uint)get_local_size(0)
        + (uint)i % (uint)get_num_groups(0) + i / 7;
    int t = u != 0 ? (uint)i / u : 0;
    sum += (uint)sum / (u | 1) + sum % max(w, 1) + t;
    for (int k = 0; k < h; k++)
        sum += k % h;
    out[i] = sum;
}

/* wraps, meaning.cu:34 */
__kernel void wraps(__global long *out, __global const qn_alias_int *in, int n)
{
    int i = get_local_id(0);
    int v = in[i];
    int h = v * 31u + 7;
    out[i] = h;
    out[i + 1] = ((int)(v + 1u) > v) + ((int)((uint)v - n) < 0) + (int)(v * 6u) / 3;
    int s = 1;
    for (int k = 0; k < n; k++)
        s = s * 31u + 7;
    out[i + 2] = (ulong)(s < 0);
    out[i + 3] = (long)qn_abs_i32(v) + (int)-(uint)v;
}

/* plain, meaning.cu:49 */
__kernel void plain(__global int *out, __global qn_alias_float *f, __global const int *in,
                    __global const uchar *bytes, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int t = i * 4;
    int v = in[t + 1];
    out[i] = v * 31 + 7;
    int t_1 = i + 1;
    out[t_1] = (v * 3 + n) & 255;
    int count = 0;
    int k = i;
    while (k < n) {
        int count_1 = count + 1;
        int k_1 = k + get_local_size(0) * get_num_groups(0);
        count = in[k] == 3 ? count_1 : count;
        k = k_1;
    }
    f[i] = (float)count + (float)(t + 3) + (float)(bytes[i] * bytes[t_1]);
    for (int d = 1; d < n; d *= 2)
        out[d] = v / (d + 1);
}

/* shared, meaning.cu:65 */
__kernel void shared(__global int *out, uint n)
{
    __local int s[64];
    __local int t[8][9];

    uint a = get_local_id(0);
    s[a] = a;
    uint t_1 = a & 7;
    t[t_1][a % 9] = n;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint t_2 = a - 1;
    out[a] = (s + 40)[(int)~a] + (s + 40)[a & 15] + t[t_1][(int)t_2];
    if (a > 0)
        out[a] = t[t_1][(int)t_2] + s[n - a];
}

/* rotates, meaning.cu:79 */
__kernel void rotates(__global uint *out, __global const uint *in, uint n)
{
    uint v = in[get_local_id(0)];
    switch (v) {
    case 100u:
        *out = n;
        break;
    case 132u:
        out[1] = n;
        break;
    case 164u:
        out[2] = n;
        break;
    case 292u:
        out[3] = n;
        break;
    }
    out[4] = rotate(v, n) + rotate(v, 27u) + qn_ctz_u32(v);
    out[5] = (ushort)((ushort)v << 3) | ((ushort)v >> 13);
}
