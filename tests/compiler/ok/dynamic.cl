#pragma OPENCL FP_CONTRACT ON

typedef float __attribute__((may_alias)) qn_alias_float;
typedef int __attribute__((may_alias)) qn_alias_int;

/* run, dynamic.cu:15 */
__kernel void run(__global float *out, __global const float *in, int n,
                  __local uint4 *dynamic_shared)
{
    __local qn_alias_float *values = (__local qn_alias_float *)dynamic_shared;
    __local qn_alias_int *words = (__local qn_alias_int *)dynamic_shared;

    int tid = get_local_id(0);
    int count = get_local_size(0);
    float value = in[(uint)get_group_id(0) * count + tid];
    values[tid] = value;
    (values + count)[tid] = value * 2.0f;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (tid == 0)
        *(__local qn_alias_int *)words ^= INT_MIN;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int i = get_group_id(0) * count + tid;
    if (i < n)
        out[i] = values[count - 1 - tid] + (values + count)[tid];
}
