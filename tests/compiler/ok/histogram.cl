#pragma OPENCL FP_CONTRACT ON

/* histogram, histogram.cu:4 */
__kernel void histogram(__global uint *bins, __global const uchar *pixels, ulong n)
{
    __local int local_[256];

    for (int i = get_local_id(0); i < 256; i += get_local_size(0))
        local_[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    ulong stride = get_num_groups(0) * get_local_size(0);
    for (ulong i = (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)); i < n; i
        += stride)
        atomic_add((__local uint *)(local_ + (ulong)pixels[i]), 1u);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int i = get_local_id(0); i < 256; i += get_local_size(0)) {
        uint value = local_[i];
        if (value != 0)
            atomic_add(bins + i, value);
    }
}
