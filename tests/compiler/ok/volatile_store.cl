#pragma OPENCL FP_CONTRACT ON

/* run, volatile_store.cu:3 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __global int *parts = out + 64;
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int t = i * 4;
    int x = parts[t + 1];
    *(__global volatile int *)&parts[t + (x & 3)] = in[i];
    out[i] = parts[t] * n + x;
}
