#pragma OPENCL FP_CONTRACT ON

__kernel void run(__global float *out, __global const float *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        sum += in[k];
        float y = in[i] * 2.0f;
        y = y > 1000.0f ? 1000.0f : y;
        sum += y;
    }
    out[i] = sum;
}
