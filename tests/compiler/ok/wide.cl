#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

/* run, wide.cu:2 */
__kernel void run(__global double *out, __global const double *in, ulong n, uchar negate, long big,
                  double scale)
{
    ulong i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    double v = in[i] * scale + (double)(big >> 32);
    ulong bits = big * (i + 1);
    v += (double)(bits % 1000);
    out[i] = negate != 0 ? -v : v;
}
