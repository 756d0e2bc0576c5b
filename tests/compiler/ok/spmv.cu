// A sparse matrix in rows, a template for the index type.
template <typename Index, typename Real>
__global__ void spmv(Real *__restrict__ y, const Index *__restrict__ row_begin,
                     const Index *__restrict__ column, const Real *__restrict__ value,
                     const Real *__restrict__ x, Index rows)
{
    for (Index row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
         row += gridDim.x * blockDim.x) {
        Real dot = 0;
        const Index end = row_begin[row + 1];
        for (Index k = row_begin[row]; k < end; ++k)
            dot += value[k] * x[column[k]];
        y[row] = dot;
    }
}

template __global__ void spmv<int, float>(float *, const int *, const int *, const float *,
                                          const float *, int);
template __global__ void spmv<long long, double>(double *, const long long *, const long long *,
                                                 const double *, const double *, long long);
// exercises: lower/find_kernels model/pointee
