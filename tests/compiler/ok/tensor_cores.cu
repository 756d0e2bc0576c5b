// Tensor cores: a tile by inline PTX, and one by fragments.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

extern "C" __global__ void by_ptx(float *c, const int4 *a, const unsigned *b)
{
    __shared__ int4 tile[32];
    const int lane = threadIdx.x;
    unsigned r[4];
    float d[4];
    tile[lane] = a[lane];
    __syncthreads();
    const unsigned row = (unsigned)__cvta_generic_to_shared(&tile[lane % 16 * 2 + lane / 16]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(b[lane]), "r"(b[lane + 32]), "f"(0.0f));
    for (int i = 0; i < 4; i++)
        c[4 * lane + i] = d[i];
}

extern "C" __global__ void by_fragments(int *c, const signed char *a, const signed char *b)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
    wmma::fill_fragment(fc, 0);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc, true);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
// exercises: lower/ptx/ptx_mma lower/ptx/ptx_matrix
