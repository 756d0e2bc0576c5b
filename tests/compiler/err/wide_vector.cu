// More elements than OpenCL C's vectors have, reversed.
typedef unsigned uint64v __attribute__((ext_vector_type(64)));
extern "C" __global__ void k(uint64v *x)
{
    x[threadIdx.x] = __builtin_elementwise_bitreverse(x[threadIdx.x]);
}
