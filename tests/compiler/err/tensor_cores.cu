// Tensor-core fragments of shapes and layouts that there are not.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void product(const half *a, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 8, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fc, c, 16);
}
