// SPDX-License-Identifier: Apache-2.0
// cuRAND's host interface: its numbers are those of the device interface (which check_curand
// compares with NVIDIA's), in the order that docs/host-libraries.md has; in pieces as at once, from
// an offset as from the beginning, on the host as on the device.
#include "check.h"

#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <vector>

#define RAND(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

enum { N = 10000, LANES = 4096 };

template <class State> __global__ void expected_bits(unsigned *out, unsigned long long seed)
{
    const unsigned lane = blockIdx.x * blockDim.x + threadIdx.x;
    State s;
    curand_init(seed, lane, 0, &s);
    for (unsigned i = lane; i < N; i += LANES)
        out[i] = curand(&s);
}
__global__ void expected_philox(unsigned *out, unsigned long long seed)
{
    curandStatePhilox4_32_10_t s;
    curand_init(seed, 0, 0, &s);
    for (unsigned i = 0; i < N; i++)
        out[i] = curand(&s);
}

template <class T> static std::vector<T> read(const T *p, size_t n = N)
{
    std::vector<T> v(n);
    GOOD(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
}

static void generator(curandRngType_t type, const std::vector<unsigned> &expected,
                      unsigned long long seed)
{
    curandGenerator_t g;
    unsigned *bits;
    double *doubles;
    GOOD(cudaMalloc(&bits, N * sizeof *bits));
    GOOD(cudaMalloc(&doubles, N * sizeof *doubles));
    float *const floats = (float *)bits;
    RAND(curandCreateGenerator(&g, type));
    RAND(curandSetPseudoRandomGeneratorSeed(g, seed));
    RAND(curandGenerate(g, bits, 10)); /* in pieces of any length */
    RAND(curandGenerate(g, bits + 10, 4999));
    RAND(curandGenerate(g, bits + 5009, N - 5009));
    EXPECT(read(bits) == expected);
    RAND(curandSetGeneratorOffset(g, 5000));
    RAND(curandGenerate(g, bits, N - 5000));
    EXPECT(read(bits, N - 5000) == std::vector<unsigned>(expected.begin() + 5000, expected.end()));
    RAND(curandSetGeneratorOffset(g, 0));
    RAND(curandGenerateUniform(g, floats, N));
    double sum = 0, squares = 0;
    bool fits = true;
    for (const float x : read(floats)) {
        fits &= x > 0 && x <= 1;
        sum += x;
    }
    EXPECT(fits && std::fabs(sum / N - 0.5) < 0.02);
    RAND(curandGenerateNormal(g, floats, N, 3, 2));
    sum = 0;
    for (const float x : read(floats)) {
        sum += x;
        squares += (x - 3) * (x - 3);
    }
    EXPECT(std::fabs(sum / N - 3) < 0.1 && std::fabs(squares / N - 4) < 0.3);
    EXPECT(curandGenerateNormal(g, floats, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    RAND(curandGenerateLogNormal(g, floats, N, 0, 1));
    sum = 0;
    for (const float x : read(floats))
        sum += std::log(x);
    EXPECT(std::fabs(sum / N) < 0.1);
    RAND(curandGenerateUniformDouble(g, doubles, N));
    sum = 0;
    for (const double x : read(doubles))
        sum += x;
    EXPECT(std::fabs(sum / N - 0.5) < 0.02);
    RAND(curandGenerateNormalDouble(g, doubles, N, 0, 1));
    sum = 0;
    for (const double x : read(doubles))
        sum += x;
    EXPECT(std::fabs(sum / N) < 0.06);
    RAND(curandGeneratePoisson(g, bits, N, 7));
    sum = 0;
    for (const unsigned x : read(bits))
        sum += x;
    EXPECT(std::fabs(sum / N - 7) < 0.2);
    RAND(curandDestroyGenerator(g));
    std::vector<unsigned> host(N);
    RAND(curandCreateGeneratorHost(&g, type));
    RAND(curandSetPseudoRandomGeneratorSeed(g, seed));
    RAND(curandGenerate(g, host.data(), N));
    EXPECT(host == expected);
    RAND(curandDestroyGenerator(g));
    cudaFree(bits);
    cudaFree(doubles);
}

int main()
{
    const unsigned long long seed = 1234;
    unsigned *bits;
    GOOD(cudaMalloc(&bits, N * sizeof *bits));
    expected_bits<curandStateXORWOW_t><<<LANES / 128, 128>>>(bits, seed);
    generator(CURAND_RNG_PSEUDO_DEFAULT, read(bits), seed);
    expected_bits<curandStateMRG32k3a_t><<<LANES / 128, 128>>>(bits, seed);
    generator(CURAND_RNG_PSEUDO_MRG32K3A, read(bits), seed);
    expected_philox<<<1, 1>>>(bits, seed);
    generator(CURAND_RNG_PSEUDO_PHILOX4_32_10, read(bits), seed);
    curandGenerator_t g;
    EXPECT(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MT19937) == CURAND_STATUS_TYPE_ERROR);
    FINISH();
}
