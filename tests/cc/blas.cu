// SPDX-License-Identifier: Apache-2.0
// cuBLAS: each function against loops on the host, for shapes around those of the tiles,
// transposes, leading dimensions, increments of either sign, and factors on the host and on the
// device.
#include "check.h"

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <vector>

#define BLAS(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)

template <class T> struct on_device {
    T *p = nullptr;
    size_t n;
    on_device(const std::vector<T> &v) : n(v.size())
    {
        GOOD(cudaMalloc(&p, n * sizeof(T)));
        GOOD(cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    on_device(const on_device &) = delete;
    ~on_device()
    {
        cudaFree(p);
    }
    operator T *()
    {
        return p;
    }
    std::vector<T> read() const
    {
        std::vector<T> v(n);
        GOOD(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
};

static unsigned seed = 1;
/* Small whole numbers: their products and sums are exact in every type. */
template <class T> static std::vector<T> numbers(size_t n)
{
    std::vector<T> v(n);
    for (T &x : v) {
        seed = seed * 1664525u + 1013904223u;
        x = (T)(float)((int)(seed >> 16) % 7 - 3);
    }
    return v;
}

template <class A, class C>
static std::vector<C> product(bool ta, bool tb, int m, int n, int k, double alpha,
                              const std::vector<A> &a, int lda, const std::vector<A> &b, int ldb,
                              double beta, std::vector<C> c, int ldc)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int p = 0; p < k; p++)
                sum += (double)(float)a[ta ? p + i * lda : i + p * lda] *
                       (double)(float)b[tb ? j + p * ldb : p + j * ldb];
            c[i + j * ldc] = (C)(float)(alpha * sum + beta * (double)(float)c[i + j * ldc]);
        }
    return c;
}
template <class T> static bool same(const std::vector<T> &a, const std::vector<T> &b)
{
    for (size_t i = 0; i < a.size(); i++)
        if ((float)a[i] != (float)b[i]) {
            printf("element %zu: %g, expected %g\n", i, (double)(float)a[i], (double)(float)b[i]);
            return false;
        }
    return a.size() == b.size();
}

template <class T, class Gemm> static void gemm(cublasHandle_t h, Gemm call)
{
    static const int shapes[][3] = {{1, 1, 1}, {5, 3, 7}, {64, 64, 16}, {65, 70, 33}, {130, 20, 4}};
    for (const auto &s : shapes)
        for (int ops = 0; ops < 4; ops++) {
            const int m = s[0], n = s[1], k = s[2];
            const bool ta = ops & 1, tb = ops & 2;
            const int lda = (ta ? k : m) + 3, ldb = (tb ? n : k) + 1, ldc = m + 2;
            const auto a = numbers<T>(lda * (ta ? m : k)), b = numbers<T>(ldb * (tb ? k : n));
            const auto c = numbers<T>(ldc * n);
            on_device<T> da(a), db(b), dc(c);
            const T alpha = (T)2.0f, beta = (T)-1.0f;
            on_device<T> factors(std::vector<T>{alpha, beta});
            const auto opa = ta ? CUBLAS_OP_T : CUBLAS_OP_N, opb = tb ? CUBLAS_OP_C : CUBLAS_OP_N;
            BLAS(call(h, opa, opb, m, n, k, &alpha, da, lda, db, ldb, &beta, dc, ldc));
            auto expected = product(ta, tb, m, n, k, 2, a, lda, b, ldb, -1, c, ldc);
            EXPECT(same(dc.read(), expected));
            BLAS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
            BLAS(call(h, opa, opb, m, n, k, factors, da, lda, db, ldb, (T *)factors + 1, dc, ldc));
            BLAS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
            expected = product(ta, tb, m, n, k, 2, a, lda, b, ldb, -1, expected, ldc);
            EXPECT(same(dc.read(), expected));
        }
    /* beta 0: what was there, not a number, is not read */
    const T one = (T)1.0f, zero = (T)0.0f;
    on_device<T> a(numbers<T>(4)), c(std::vector<T>(4, (T)NAN));
    BLAS(call(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, a, 2, &zero, c, 2));
    for (const T x : c.read())
        EXPECT((float)x == (float)x);
    EXPECT(call(h, CUBLAS_OP_N, CUBLAS_OP_N, 3, 2, 2, &one, a, 2, a, 2, &zero, c, 3) ==
           CUBLAS_STATUS_INVALID_VALUE);
}

template <class T, class Strided, class Listed>
static void batched(cublasHandle_t h, Strided strided, Listed listed)
{
    const int m = 9, n = 6, k = 5, count = 3;
    const auto a = numbers<T>(m * k * count), b = numbers<T>(k * n); /* b is the same for all */
    on_device<T> da(a), db(b), dc(std::vector<T>(m * n * count)), de(std::vector<T>(m * n * count));
    const T one = (T)1.0f, zero = (T)0.0f;
    BLAS(strided(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, da, m, m * k, db, k, 0, &zero, dc, m,
                 m * n, count));
    std::vector<const T *> as, bs;
    std::vector<T *> cs;
    for (int i = 0; i < count; i++) {
        as.push_back(da + i * m * k);
        bs.push_back(db);
        cs.push_back(de + i * m * n);
    }
    on_device<const T *> das(as), dbs(bs);
    on_device<T *> dcs(cs);
    BLAS(listed(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, das, m, dbs, k, &zero, dcs, m, count));
    std::vector<T> expected;
    for (int i = 0; i < count; i++) {
        const std::vector<T> ai(a.begin() + i * m * k, a.begin() + (i + 1) * m * k);
        const auto c = product(false, false, m, n, k, 1, ai, m, b, k, 0, std::vector<T>(m * n), m);
        expected.insert(expected.end(), c.begin(), c.end());
    }
    EXPECT(same(dc.read(), expected));
    EXPECT(same(de.read(), expected));
}

template <class A, class C, class F>
static void gemm_ex(cublasHandle_t h, cudaDataType ab, cudaDataType ct, cublasComputeType_t compute)
{
    const int m = 17, n = 10, k = 21;
    const auto a = numbers<A>(m * k), b = numbers<A>(k * n);
    on_device<A> da(a), db(b);
    on_device<C> dc(std::vector<C>(m * n));
    const F one = (F)1.0f, zero = (F)0.0f;
    BLAS(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, (A *)da, ab, m, (A *)db, ab, k,
                      &zero, (C *)dc, ct, m, compute, CUBLAS_GEMM_DEFAULT));
    EXPECT(same(dc.read(),
                product(false, false, m, n, k, 1, a, m, b, k, 0, std::vector<C>(m * n), m)));
}

#define VECTORS(c, i, T)                                                                           \
    static void vectors_##c(cublasHandle_t h)                                                      \
    {                                                                                              \
        const int n = 1000, inc = 3;                                                               \
        const auto x = numbers<T>(n * inc), y = numbers<T>(n);                                     \
        on_device<T> dx(x), dy(y), result(std::vector<T>(1));                                      \
        const T alpha = 2;                                                                         \
        BLAS(cublas##c##axpy(h, n, &alpha, dx, inc, dy, -1));                                      \
        auto expected = y;                                                                         \
        for (int k = 0; k < n; k++)                                                                \
            expected[n - 1 - k] += 2 * x[k * inc];                                                 \
        EXPECT(same(dy.read(), expected));                                                         \
        BLAS(cublas##c##scal(h, n, &alpha, dy, 1));                                                \
        for (T & v : expected)                                                                     \
            v *= 2;                                                                                \
        EXPECT(same(dy.read(), expected));                                                         \
        T dot, sum, norm;                                                                          \
        BLAS(cublas##c##dot(h, n, dx, inc, dy, 1, &dot));                                          \
        BLAS(cublas##c##asum(h, n, dy, 1, &sum));                                                  \
        BLAS(cublas##c##nrm2(h, n, dy, 1, &norm));                                                 \
        double d = 0, a = 0, q = 0;                                                                \
        int high = 0, low = 0, at;                                                                 \
        for (int k = 0; k < n; k++) {                                                              \
            d += x[k * inc] * expected[k];                                                         \
            a += std::fabs(expected[k]);                                                           \
            q += expected[k] * expected[k];                                                        \
            high = std::fabs(expected[k]) > std::fabs(expected[high]) ? k : high;                  \
            low = std::fabs(expected[k]) < std::fabs(expected[low]) ? k : low;                     \
        }                                                                                          \
        EXPECT(dot == (T)d && sum == (T)a);                                                        \
        EXPECT(std::fabs(norm - std::sqrt(q)) < 1e-6 * norm);                                      \
        BLAS(cublasI##i##amax(h, n, dy, 1, &at));                                                  \
        EXPECT(at == high + 1);                                                                    \
        BLAS(cublasI##i##amin(h, n, dy, 1, &at));                                                  \
        EXPECT(at == low + 1);                                                                     \
        BLAS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));                                 \
        BLAS(cublas##c##dot(h, n, dx, inc, dy, 1, result));                                        \
        BLAS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));                                   \
        EXPECT(result.read()[0] == (T)d);                                                          \
        BLAS(cublas##c##nrm2(h, 0, dy, 1, &norm));                                                 \
        EXPECT(norm == 0);                                                                         \
        BLAS(cublas##c##copy(h, n, dx, inc, dy, 1));                                               \
        on_device<T> dz(y);                                                                        \
        BLAS(cublas##c##swap(h, n, dz, 1, dy, 1));                                                 \
        EXPECT(same(dy.read(), y));                                                                \
        EXPECT(dz.read()[5] == x[5 * inc]);                                                        \
        const T large = sizeof(T) == 4 ? (T)3e38 : (T)3e307;                                       \
        on_device<T> big(std::vector<T>{large / 4, large / 4});                                    \
        BLAS(cublas##c##nrm2(h, 2, big, 1, &norm));                                                \
        EXPECT(std::fabs(norm / large - std::sqrt(2.0) / 4) < 1e-6);                               \
        /* a matrix of 70 by 30, its rows 75 apart */                                              \
        const int rows = 70, columns = 30, lda = 75;                                               \
        const auto A = numbers<T>(lda * columns), u = numbers<T>(rows * 2), v = numbers<T>(rows);  \
        on_device<T> dA(A), du(u), dv(v), dw(v);                                                   \
        const T beta = 3;                                                                          \
        BLAS(                                                                                      \
            cublas##c##gemv(h, CUBLAS_OP_N, rows, columns, &alpha, dA, lda, du, 2, &beta, dv, 1)); \
        BLAS(                                                                                      \
            cublas##c##gemv(h, CUBLAS_OP_T, rows, columns, &alpha, dA, lda, du, 2, &beta, dw, 1)); \
        auto by_rows = v, by_columns = v;                                                          \
        for (int r = 0; r < rows; r++) {                                                           \
            T s = 0;                                                                               \
            for (int k = 0; k < columns; k++)                                                      \
                s += A[r + k * lda] * u[2 * k];                                                    \
            by_rows[r] = 2 * s + 3 * v[r];                                                         \
        }                                                                                          \
        for (int k = 0; k < columns; k++) {                                                        \
            T s = 0;                                                                               \
            for (int r = 0; r < rows; r++)                                                         \
                s += A[r + k * lda] * u[2 * r];                                                    \
            by_columns[k] = 2 * s + 3 * v[k];                                                      \
        }                                                                                          \
        EXPECT(same(dv.read(), by_rows));                                                          \
        EXPECT(same(dw.read(), by_columns));                                                       \
        BLAS(cublas##c##ger(h, rows, columns, &alpha, du, 1, dv, 1, dA, lda));                     \
        EXPECT(dA.read()[3 + 4 * lda] == A[3 + 4 * lda] + 2 * u[3] * by_rows[4]);                  \
        on_device<T> t(std::vector<T>(rows * columns));                                            \
        const T zero = 0;                                                                          \
        BLAS(cublas##c##geam(h, CUBLAS_OP_T, CUBLAS_OP_N, columns, rows, &alpha, dA, lda, &zero,   \
                             nullptr, columns, t, columns));                                       \
        EXPECT(t.read()[7 + 9 * columns] == 2 * dA.read()[9 + 7 * lda]);                           \
    }
VECTORS(S, s, float)
VECTORS(D, d, double)

int main()
{
    cublasHandle_t h;
    BLAS(cublasCreate(&h));
    cudaStream_t stream, got;
    GOOD(cudaStreamCreate(&stream));
    vectors_S(h);
    vectors_D(h);
    gemm<float>(h, cublasSgemm);
    gemm<double>(h, cublasDgemm);
    gemm<__half>(h, cublasHgemm);
    BLAS(cublasSetStream(h, stream));
    BLAS(cublasGetStream(h, &got));
    EXPECT(got == stream);
    batched<float>(h, cublasSgemmStridedBatched, cublasSgemmBatched);
    batched<double>(h, cublasDgemmStridedBatched, cublasDgemmBatched);
    batched<__half>(h, cublasHgemmStridedBatched, cublasHgemmBatched);
    gemm_ex<__half, float, float>(h, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    gemm_ex<__half, __half, float>(h, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
    gemm_ex<__nv_bfloat16, float, float>(h, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    gemm_ex<signed char, int, int>(h, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
    const float one = 1;
    float *none = nullptr;
    EXPECT(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, none, CUDA_R_8F_E4M3, 1, none,
                        CUDA_R_8F_E4M3, 1, &one, none, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F,
                        CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
    const auto halves = numbers<__half>(500);
    on_device<__half> x(halves);
    __half dot;
    float expected = 0;
    for (int i = 0; i < 250; i++)
        expected += (float)halves[2 * i] * (float)halves[i];
    BLAS(cublasDotEx(h, 250, (__half *)x, CUDA_R_16F, 2, (__half *)x, CUDA_R_16F, 1, &dot,
                     CUDA_R_16F, CUDA_R_32F));
    EXPECT((float)dot == expected);
    BLAS(cublasDestroy(h));
    FINISH();
}
