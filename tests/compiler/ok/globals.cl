#pragma OPENCL FP_CONTRACT ON

struct anon {
    int f0;
    int f1;
};

__constant int primes_table0[6] = {2, 3, 5, 7, 11, 13};

/* run, globals.cu:17 */
__kernel void run(__global float *out, __global const float *in, int n, __global int *visits,
                  __global int *slot, __global int *slot_1, __global const float *weights,
                  __global struct anon *range)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    atomic_add(visits, 1);
    int extra;
    if (i == 0) {
        slot[i] = i;
        int t = i + 1;
        slot_1[t % 3] = t;
        extra = i + t;
    } else {
        extra = 0;
    }
    out[i] = in[i] * weights[i & 3] + (float)primes_table0[i % 6] + (float)(i < range->f0
        ? range->f1 : extra);
}
