#pragma OPENCL FP_CONTRACT ON

/* run, integers.cu:2 */
__kernel void run(__global uint *out, __global const int *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    int s = in[i];
    uint u = s * 2654435761u + 12345;
    char c = (char)s;
    uchar b = (char)(c + 200);
    short h = (short)(s * 7);
    long l = (long)s * s - s;
    uint t = u >> 3;
    ulong w = ((ulong)u << 17) | t;
    uint r = s / 7 + s % 7;
    r ^= u / 7 + u % 7;
    r += (s >> 3) + t + (c >> 1) + (b >> 1);
    r = r * 31 + (s < -5) + (u < 77) * 2 + (c < b) * 4 + (h > s) * 8;
    r ^= (int)(l >> 5) + (uint)(w % 1000003);
    r += (uint)(h * c) - -b;
    r ^= ~s & 0xff00ff;
    s = (s & 1) != 0 ? s : u;
    r += s;
    out[i] = r;
}
