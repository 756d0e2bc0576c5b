#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

/* a product that never becomes part of a fused multiply-add */
float qn_mul_rn_f32(float a, float b)
{
#pragma OPENCL FP_CONTRACT OFF
    return a * b;
}

/* run, floats.cu:2 */
__kernel void run(__global float *out, __global const float *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    float v = in[i];
    float r = v < 1.0f ? 1.0f : 2.0f;
    float r_1 = r + 4.0f;
    r = v >= 0.0f ? r : r_1;
    if (v != v)
        r += 8.0f;
    else
        r += (float)convert_int_sat(v) + (float)convert_uint_sat(fmax(fabs(v), 0.0f));
    r += fmin(v, 3.0f) + fmax(v, -3.0f);
    r += sqrt(fabs(v)) * 0.25f;
    r += qn_mul_rn_f32(r, 1.1f);
    double d = (double)r * 1.5;
    out[i] = (float)d;
}
