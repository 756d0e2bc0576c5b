#pragma OPENCL FP_CONTRACT ON

/* run, share_byval.cu:21 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int i = get_local_id(0);
    int t = (in[i] % 7 + 2 + 2 + 2) * n;
    out[i] = (((-10 + t) * 10 - 1) * 10 - 1) * 3 + t;
}
