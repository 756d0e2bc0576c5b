#pragma OPENCL FP_CONTRACT ON

/* narrow, nvcc_dialect.cu:17 */
__kernel void narrow(__global float *out, int n)
{
    *out = sqrt((float)n) + (float)(2 * n);
}

/* all<float, 4>, nvcc_dialect.cu:10 */
__kernel void all_float_4(__global float *p)
{
    for (int i = 0; i < 4; i++)
        p[i] += 1.0f;
}
