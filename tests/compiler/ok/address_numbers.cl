#pragma OPENCL FP_CONTRACT ON

struct anon {
    ulong pointer;
};

/* run, address_numbers.cu:3 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local int low[32];
    __local int high[32];

    int i = get_local_id(0);
    low[i] = in[i];
    high[i] = in[i] * 3;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    __local int *p = n > 4 ? low : high;
    int t = i & 1;
    struct anon own[2] __attribute__((aligned(128)));
    own[t].pointer = (ulong)(p + (i ^ 5));
    if (in[i] > 100)
        own[t].pointer = (ulong)(p + 3);
    out[i] = *(__local int *)own[t].pointer;
}
