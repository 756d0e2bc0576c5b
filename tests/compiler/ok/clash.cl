#pragma OPENCL FP_CONTRACT ON

/* run, clash.cu:6 */
__kernel void run(__global int *local_, __global const int *kernel_, int uint_)
{
    __local int shared_value[2];

    int barrier_ = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (get_local_id(0) < 2)
        shared_value[get_local_id(0)] = kernel_[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int global_ = kernel_[barrier_];
    volatile int clamp_;
    clamp_ = global_;
    int value = clamp_;
    int shared_value_1 = value + 1;
    local_[barrier_] = global_ * 3 + (uint_ + shared_value_1) + shared_value[barrier_ & 1];
}
