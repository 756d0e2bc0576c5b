// SPDX-License-Identifier: Apache-2.0
// Operations of vectors, and of a matrix and vectors, for T (QN_T) float or double. An increment
// below 0 goes from the end to the beginning. Factors are the pointers' where there are pointers.

typedef QN_T T;
enum { THREADS = 256 };

#define ELEMENT      (blockIdx.x * (long long)THREADS + threadIdx.x)
#define FACTOR(name) (name##_at ? *name##_at : name)
__device__ static long long place(long long i, int n, int inc)
{
    return inc < 0 ? (i - (n - 1)) * inc : i * inc;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    blas_axpy(T *y, const T *x, int n, int incx, int incy, T alpha, const T *alpha_at)
{
    const long long i = ELEMENT;
    if (i < n)
        y[place(i, n, incy)] += FACTOR(alpha) * x[place(i, n, incx)];
}
extern "C" __global__ void __launch_bounds__(THREADS)
    blas_scal(T *x, int n, int incx, T alpha, const T *alpha_at)
{
    const long long i = ELEMENT;
    if (i < n)
        x[i * incx] *= FACTOR(alpha);
}
extern "C" __global__ void __launch_bounds__(THREADS)
    blas_copy(T *y, const T *x, int n, int incx, int incy)
{
    const long long i = ELEMENT;
    if (i < n)
        y[place(i, n, incy)] = x[place(i, n, incx)];
}
extern "C" __global__ void __launch_bounds__(THREADS)
    blas_swap(T *y, T *x, int n, int incx, int incy)
{
    const long long i = ELEMENT;
    if (i >= n)
        return;
    const T v = x[place(i, n, incx)];
    x[place(i, n, incx)] = y[place(i, n, incy)];
    y[place(i, n, incy)] = v;
}

/* ---- a matrix and vectors ---- */

/* y = alpha A x + beta y: a thread a row. */
extern "C" __global__ void __launch_bounds__(THREADS)
    blas_gemv_n(T *y, const T *a, const T *x, int m, int n, int lda, int incx, int incy, T alpha,
                T beta, const T *alpha_at, const T *beta_at)
{
    const long long i = ELEMENT;
    if (i >= m)
        return;
    T sum = 0;
    for (int j = 0; j < n; j++)
        sum += a[i + (long long)j * lda] * x[place(j, n, incx)];
    const T by_beta = FACTOR(beta);
    T *const at = y + place(i, m, incy);
    *at = FACTOR(alpha) * sum + (by_beta != 0 ? by_beta * *at : (T)0);
}
/* y = alpha A' x + beta y: a block a column of A. */
extern "C" __global__ void __launch_bounds__(THREADS)
    blas_gemv_t(T *y, const T *a, const T *x, int m, int n, int lda, int incx, int incy, T alpha,
                T beta, const T *alpha_at, const T *beta_at)
{
    __shared__ T all[THREADS];
    const long long j = blockIdx.x;
    T sum = 0;
    for (int i = (int)threadIdx.x; i < m; i += THREADS)
        sum += a[i + j * lda] * x[place(i, m, incx)];
    all[threadIdx.x] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if ((int)threadIdx.x < half)
            all[threadIdx.x] += all[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        const T by_beta = FACTOR(beta);
        T *const at = y + place(j, n, incy);
        *at = FACTOR(alpha) * all[0] + (by_beta != 0 ? by_beta * *at : (T)0);
    }
}
extern "C" __global__ void __launch_bounds__(THREADS)
    blas_ger(T *a, const T *x, const T *y, int m, int n, int lda, int incx, int incy, T alpha,
             const T *alpha_at)
{
    const long long i = ELEMENT;
    if (i < (long long)m * n) {
        const long long row = i % m, column = i / m;
        a[row + column * lda] += FACTOR(alpha) * x[place(row, m, incx)] * y[place(column, n, incy)];
    }
}
/* C = alpha op(A) + beta op(B). A factor of 0 means that its matrix is not read. */
extern "C" __global__ void __launch_bounds__(THREADS)
    blas_geam(T *c, const T *a, const T *b, int m, int n, int ldc, int lda, int ldb, int turns_a,
              int turns_b, T alpha, T beta, const T *alpha_at, const T *beta_at)
{
    const long long i = ELEMENT;
    if (i >= (long long)m * n)
        return;
    const long long row = i % m, column = i / m;
    const T by_alpha = FACTOR(alpha), by_beta = FACTOR(beta);
    T v = 0;
    if (by_alpha != 0)
        v += by_alpha * a[turns_a ? column + row * lda : row + column * lda];
    if (by_beta != 0)
        v += by_beta * b[turns_b ? column + row * ldb : row + column * ldb];
    c[row + column * ldc] = v;
}
