#pragma OPENCL FP_CONTRACT ON

struct row {
    float v[3];
};

/* last, nvcc_dialect.cu:29 */
__kernel void last(__global float *out, float x)
{
    struct row r;
    for (int i = 0; i < 3; i++)
        r.v[i] = x;
    *out = r.v[2];
}

/* narrow, nvcc_dialect.cu:38 */
__kernel void narrow(__global float *out, int n)
{
    *out = sqrt((float)n) + (float)(2 * n);
}

/* all<float, 4>, nvcc_dialect.cu:11 */
__kernel void all_float_4(__global float *p)
{
    for (int i = 0; i < 4; i++)
        p[i] += 1.0f;
}
