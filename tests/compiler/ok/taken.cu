// Names that OpenCL C has and CUDA C++ has not.
extern "C" __global__ void k(float *vload4, int mul24, float fract)
{
    float4 v = *(float4 *)(vload4 + 4 * threadIdx.x);
    int M_E = mul24 + (int)fract;
    int INT_MAX = M_E * 3;
    vload4[threadIdx.x] = v.x + __mul24(INT_MAX, M_E);
}
