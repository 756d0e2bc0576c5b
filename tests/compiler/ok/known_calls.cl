#pragma OPENCL FP_CONTRACT ON

/* k, known_calls.cu:28 */
__kernel void k(__global float *out)
{
    float value = *out;
    out[1] = value * value;
    float value_1 = out[3];
    float t = value_1 + value_1;
    out[2] = t + t;
}
