#pragma OPENCL FP_CONTRACT ON

/* run, moves.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local int s[24];

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
}
