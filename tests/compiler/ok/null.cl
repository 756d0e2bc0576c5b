#pragma OPENCL FP_CONTRACT ON

/* run, null.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local int s[32];

    int t = get_local_id(0);
    s[t] = in[t];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    __local uchar *p = (__local uchar *)(s + (31 - t));
    p = t < n ? p : (__local uchar *)0;
    int own = *in;
    int own_1[4] __attribute__((aligned(64)));
    own_1[0] = own;
    own_1[1] = 2;
    own_1[2] = 3;
    own_1[3] = 4;
    bool condition = (t & 1) != 0;
    int *q = condition ? own_1 + (t & 3) : (int *)0;
    bool condition_1 = t % 3 != 0;
    __global int *g = (__global int *)(condition_1 ? in + t : (__global const int *)0);
    int sum = p != 0 ? *(__local int *)p : -1;
    if (condition)
        sum += *q;
    if (condition_1)
        sum += *g;
    out[t] = sum;
}
