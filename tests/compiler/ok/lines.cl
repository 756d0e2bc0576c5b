#pragma OPENCL FP_CONTRACT ON

#line 11 "lines.cu"
__kernel void run(__global float *out, __global const float *in, int n)
{
#line 13 "lines.cu"
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
#line 14 "lines.cu"
        return;
#line 14 "lines.cu"
    float sum = 0.0f;
#line 18 "lines.cu"
    for (int k = 0; k < n; k++) {
        sum += in[k];
#line 5 "lines.cu"
        float y = in[i] * 2.0f;
        y = y > 1000.0f ? 1000.0f : y;
#line 20 "lines.cu"
        sum += y;
    }
    out[i] = sum;
}
