#pragma OPENCL FP_CONTRACT ON

struct Sum {
    int total;
    int count;
};

/* run, placement.cu:15 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local struct Sum sums[32];

    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    __local struct Sum *sum = sums + get_local_id(0);
    sum->total = i < n ? in[i] : 0;
    sum->count = 1;
    sum->total += i;
    sum->count++;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    __local struct Sum *other = sums + (31 - (uint)get_local_id(0));
    if (i < n)
        out[i] = other->total * 5 + other->count;
}
