#pragma OPENCL FP_CONTRACT ON

/* convolve, convolution.cu:7 */
__kernel void convolve(__global float *out, __global const float *in, int pitch, int columns,
                       __global const float *filter)
{
    __local float row[70];

    int first = get_group_id(0) * 64 - 3;
    __global const float *line = in + (uint)get_group_id(1) * pitch;
    for (int i = get_local_id(0); i < 70; i += get_local_size(0)) {
        int x_1 = min(max(first + i, 0), columns - 1);
        row[i] = line[x_1];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int x = get_group_id(0) * 64 + get_local_id(0);
    if (get_local_id(0) < 64 && x < columns) {
        float sum = 0.0f;
        #pragma unroll
        for (int k = -3; k <= 3; k++)
            sum += row[(uint)get_local_id(0) + 3 + k] * filter[3 + k];
        out[(uint)get_group_id(1) * pitch + x] = sum;
    }
}
