// Names that OpenCL C has and CUDA C++ has not.
struct image2d_array_t {
    int memory_order, bool4;
};

extern "C" __global__ void k(float *vload4, int mul24, float fract)
{
    float4 v = *(float4 *)(vload4 + 4 * threadIdx.x);
    int M_E = mul24 + (int)fract;
    int INT_MAX = M_E * 3;
    vload4[threadIdx.x] = v.x + __mul24(INT_MAX, M_E);
}

extern "C" __global__ void isunordered(image2d_array_t *out, int M_PI_F)
{
    for (int cl_khr_fp16 = 0; cl_khr_fp16 < M_PI_F; cl_khr_fp16++) {
        out[cl_khr_fp16].memory_order += M_PI_F;
        out[cl_khr_fp16].bool4 ^= cl_khr_fp16;
    }
}

__device__ const int row[4] = {1, 2, 3, 4};

extern "C" __global__ void row_table0(int *out, int row_table1)
{
    out[threadIdx.x] = row[threadIdx.x & 3] * row_table1;
}
// exercises: core/legal_names
