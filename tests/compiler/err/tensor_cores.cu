// Tensor cores are refused where a kernel uses them, by their functions and in PTX.
#include <mma.h>
using namespace nvcuda;
__global__ void multiply(half *a)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> f;
    wmma::load_matrix_sync(f, a, 16);
}
