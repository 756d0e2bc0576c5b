#pragma OPENCL FP_CONTRACT ON

/* number of the work-item in its group; a warp is 32 of them in a row */
uint qn_linear_id(void)
{
    return ((uint)get_local_id(2) * (uint)get_local_size(1) + (uint)get_local_id(1))
        * (uint)get_local_size(0) + (uint)get_local_id(0);
}

/* a work-item's number for the others of its warp */
void qn_put_32(__local uint *slots, uint id, uint value)
{
    slots[id] = value;
}

/* work-items of the group */
uint qn_group_size(void)
{
    return (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2);
}

/* the number that a work-item left */
uint qn_at_32(const __local uint *slots, uint id)
{
    return slots[id];
}

/* the value of another lane of the warp, or one's own where there is no such work-item */
__attribute__((always_inline)) uint qn_get_32_local(__local uint *slots, uint value, uint lane)
{
    const uint id = qn_linear_id(), from = id / 32 * 32 + lane;
    qn_put_32(slots, id, value);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (from < qn_group_size())
        value = qn_at_32(slots, from);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return value;
}

/* __shfl_xor_sync reads from the lane whose number differs in the bits of `mask`; above the segment,
 * its own value */
uint qn_source_xor(int mask, int width)
{
    const uint own = qn_linear_id() % 32, from = own ^ ((uint)mask & 31);
    return from > (own | ((uint)width - 1)) ? own : from;
}

/* layernorm, layernorm.cu:9 */
__kernel void layernorm(__global float *out, __global const float *in, __global const float *gamma,
                        __global const float *beta, int rows, int width, float epsilon)
{
    __local uint lanes[1024];

    int row = get_group_id(0) * (get_local_size(0) / 32) + get_local_id(0) / 32;
    int i = get_local_id(0) % 32;
    bool active = true;
    int t = 0;
    __global const float *x = 0;
    float squares = 0;
    float sum = 0;
    if (row >= rows) {
        active = false;
    } else {
        t = row * width;
        x = in + t;
        squares = 0.0f;
        sum = 0.0f;
        for (int i_1 = i; i_1 < width; i_1 += 32) {
            float value = x[i_1];
            sum += value;
            squares += value * value;
        }
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        float result_1 = as_float(qn_get_32_local(lanes, as_uint(sum), qn_source_xor(offset, 32)));
        float result = 0;
        if (active)
            result = result_1;
        sum += result;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        float result_1 = as_float(qn_get_32_local(lanes, as_uint(squares), qn_source_xor(offset,
            32)));
        float result = 0;
        if (active)
            result = result_1;
        squares += result;
    }
    float t_1 = (float)width;
    float mean = sum / t_1;
    float scale = rsqrt(squares / t_1 - mean * mean + epsilon);
    __global float *y = out + t;
    if (active) {
        for (; i < width; i += 32)
            y[i] = (x[i] - mean) * scale * gamma[i] + beta[i];
    }
}
