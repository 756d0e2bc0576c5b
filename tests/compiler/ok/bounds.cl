#pragma OPENCL FP_CONTRACT ON

/* run, bounds.cu:2 */
__kernel void run(__global float *out, __global const float *in, int n)
{
    __global const float *end = in + n;
    float sum = 0.0f;
    __global float *p;
    for (p = (__global float *)(in + get_local_id(0)); p < end; p = p + get_local_size(0))
        sum += *p;
    out[get_local_id(0)] = sum + (float)((long)((ulong)p - (ulong)in) / 4);
}
