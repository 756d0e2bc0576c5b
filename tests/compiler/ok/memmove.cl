#pragma OPENCL FP_CONTRACT ON

struct Message {
    int f0;
    int f1[3];
};

/* run, memmove.cu:9 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local int s[24];
    __local struct Message m[2];

    int a[24];
    for (int k = 0; k < 24; k++)
        a[k] = in[k];
    if ((uchar *)&a[1] <= (const uchar *)a)
        for (ulong qn_k = 0; qn_k < 40l; qn_k++)
            ((uchar *)&a[1])[qn_k] = ((const uchar *)a)[qn_k];
    else
        for (ulong qn_k = 40l; qn_k-- > 0;)
            ((uchar *)&a[1])[qn_k] = ((const uchar *)a)[qn_k];
    if ((uchar *)&a[12] <= (const uchar *)&a[14])
        for (ulong qn_k = 0; qn_k < (long)n * 4ul; qn_k++)
            ((uchar *)&a[12])[qn_k] = ((const uchar *)&a[14])[qn_k];
    else
        for (ulong qn_k = (long)n * 4ul; qn_k-- > 0;)
            ((uchar *)&a[12])[qn_k] = ((const uchar *)&a[14])[qn_k];
    for (int k = 0; k < 24; k++)
        out[k] = a[k];
    if ((__global uchar *)&out[n] <= (__global const uchar *)out)
        for (ulong qn_k = 0; qn_k < 48l; qn_k++)
            ((__global uchar *)&out[n])[qn_k] = ((__global const uchar *)out)[qn_k];
    else
        for (ulong qn_k = 48l; qn_k-- > 0;)
            ((__global uchar *)&out[n])[qn_k] = ((__global const uchar *)out)[qn_k];
    for (uint qn_k = 0; qn_k < 24; qn_k++)
        s[qn_k] = ((__global const int *)out)[qn_k];
    out[24] = s[n] + s[23];
    for (int k = 0; k < 2; k++) {
        int words = in[1];
        int value_3 = in[2];
        int value_4 = in[3];
        m[k].f0 = n * 4u;
        m[k].f1[0] = words;
        m[k].f1[1] = value_3;
        m[k].f1[2] = value_4;
    }
    int value = m[0].f0;
    for (ulong qn_k = 0; qn_k < (long)value; qn_k++)
        ((__local uchar *)m)[qn_k] = 0;
    int value_1 = m[1].f0;
    for (ulong qn_k = 0; qn_k < (long)value_1; qn_k++)
        ((__local uchar *)&m[1])[qn_k] = ((__global const uchar *)&in[4])[qn_k];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++)
            out[25 + 4 * k + i] = m[k].f1[i];
    }
    int value_2 = m[1].f1[0];
    for (ulong qn_k = 0; qn_k < 8; qn_k++)
        ((__local uchar *)&m[1])[qn_k] = (char)(value_2 + 1);
    out[28] = m[1].f1[0];
}
