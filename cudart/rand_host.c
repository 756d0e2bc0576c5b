/* SPDX-License-Identifier: Apache-2.0
 *
 * cuRAND's host interface: generators whose numbers kernels make (cudart/kernels/rand.cu), of the
 * device interface's own. The order is NVIDIA's CURAND_ORDERING_PSEUDO_LEGACY for XORWOW and
 * MRG32k3a: element i is the next of subsequence i % 4096. Philox gives one sequence in order. */
#include "cudart/library_kernels.h"

#include <quern_curand_types.h>

#include <stdlib.h>

#pragma GCC visibility push(default)
#define QN_RAND(name, parameters, note) curandStatus_t name parameters;
#include <quern_curand.def>
#undef QN_RAND
#pragma GCC visibility pop

enum { LANES = 4096, THREADS = 128, EACH = 4, STATE_BYTES = 128 };
enum what { /* as in cudart/kernels/rand.cu */
            BITS,
            UNIFORM,
            UNIFORM_DOUBLE,
            NORMAL,
            NORMAL_DOUBLE,
            LOG_NORMAL,
            LOG_NORMAL_DOUBLE,
            POISSON,
};

struct curandGenerator_st {
    cudaStream_t stream;
    unsigned long long seed, offset, position; /* position: of the next element */
    void *states;                              /* of the lanes; NULL: Philox */
    const char *defines;
    bool is_started, to_host;
};

static curandStatus_t create(curandGenerator_t *out, curandRngType_t type, bool to_host)
{
    static const unsigned long long default_seed = 0;
    const char *defines;
    switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW: defines = "QN_STATE=curandStateXORWOW_t"; break;
    case CURAND_RNG_PSEUDO_MRG32K3A: defines = "QN_STATE=curandStateMRG32k3a_t"; break;
    case CURAND_RNG_PSEUDO_PHILOX4_32_10: defines = ""; break;
    default:
        qn__rt_fail(cudaErrorNotSupported,
                    "curandCreateGenerator: generator %d; XORWOW, MRG32K3A and PHILOX4_32_10 are "
                    "served",
                    (int)type);
        return CURAND_STATUS_TYPE_ERROR;
    }
    if (!out)
        return CURAND_STATUS_NOT_INITIALIZED;
    *out = NULL;
    struct curandGenerator_st *const g = calloc(1, sizeof *g);
    if (!g)
        return CURAND_STATUS_ALLOCATION_FAILED;
    *g = (struct curandGenerator_st){.seed = default_seed, .defines = defines, .to_host = to_host};
    if (defines[0] && cudaMalloc(&g->states, (size_t)LANES * STATE_BYTES) != cudaSuccess) {
        free(g);
        return CURAND_STATUS_ALLOCATION_FAILED;
    }
    *out = g;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    const cudaError_t error = generator->states ? cudaFree(generator->states) : cudaSuccess;
    free(generator);
    return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_PREEXISTING_FAILURE;
}

curandStatus_t curandGetVersion(int *version)
{
    enum { VERSION = 10305 };
    if (!version)
        return CURAND_STATUS_OUT_OF_RANGE;
    *version = VERSION;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

static curandStatus_t restart(curandGenerator_t g)
{
    g->is_started = false;
    g->position = g->offset;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->seed = seed;
    return restart(generator);
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->offset = offset;
    return restart(generator);
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (order == CURAND_ORDERING_PSEUDO_LEGACY || order == CURAND_ORDERING_PSEUDO_DEFAULT ||
        order == CURAND_ORDERING_PSEUDO_BEST)
        return CURAND_STATUS_SUCCESS;
    qn__rt_fail(cudaErrorNotSupported,
                "curandSetGeneratorOrdering: order %d; LEGACY, DEFAULT and "
                "BEST are served, and mean the same",
                (int)order);
    return CURAND_STATUS_OUT_OF_RANGE;
}

static curandStatus_t launch(curandGenerator_t g, const char *name, size_t threads,
                             void **arguments)
{
    const struct qn__library_kernel which = {"rand.cu", g->defines, name};
    const qn_dims dims = {.grid = {(uint32_t)((threads + THREADS - 1) / THREADS), 1, 1},
                          .block = {THREADS, 1, 1}};
    return qn__library_launch(&which, g->stream, &dims, arguments) == cudaSuccess
               ? CURAND_STATUS_SUCCESS
               : CURAND_STATUS_LAUNCH_FAILURE;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!generator->states || generator->is_started)
        return CURAND_STATUS_SUCCESS;
    generator->is_started = true;
    return launch(generator, "rand_start", LANES,
                  (void *[]){&generator->states, &generator->seed, &generator->position});
}

static curandStatus_t make(curandGenerator_t g, void *out, size_t n, int what, double a, double b)
{
    curandStatus_t status = curandGenerateSeeds(g);
    if (status != CURAND_STATUS_SUCCESS || n == 0)
        return status;
    if (g->states)
        status = launch(g, "rand_make", LANES,
                        (void *[]){&g->states, &out, &n, &g->position, &what, &a, &b});
    else
        status = launch(g, "rand_make", (n + EACH - 1) / EACH,
                        (void *[]){&out, &n, &g->position, &g->seed, &what, &a, &b});
    const bool is_wide =
        what == UNIFORM_DOUBLE || what == NORMAL_DOUBLE || what == LOG_NORMAL_DOUBLE;
    g->position += g->states || !is_wide ? n : 2 * n;
    return status;
}

static curandStatus_t generate(curandGenerator_t g, void *out, size_t n, size_t bytes, int what,
                               double a, double b)
{
    void *room;
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!out && n)
        return CURAND_STATUS_OUT_OF_RANGE;
    if (what >= NORMAL && what <= LOG_NORMAL_DOUBLE && n % 2 != 0)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (!g->to_host)
        return make(g, out, n, what, a, b);
    if (cudaMalloc(&room, n * bytes + 1) != cudaSuccess)
        return CURAND_STATUS_ALLOCATION_FAILED;
    curandStatus_t status = make(g, room, n, what, a, b);
    if (status == CURAND_STATUS_SUCCESS &&
        (cudaStreamSynchronize(g->stream) != cudaSuccess ||
         cudaMemcpy(out, room, n * bytes, cudaMemcpyDeviceToHost) != cudaSuccess))
        status = CURAND_STATUS_LAUNCH_FAILURE;
    cudaFree(room);
    return status;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *out, size_t n)
{
    return generate(generator, out, n, sizeof *out, BITS, 0, 0);
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *out, size_t n)
{
    return generate(generator, out, n, sizeof *out, UNIFORM, 0, 0);
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *out, size_t n)
{
    return generate(generator, out, n, sizeof *out, UNIFORM_DOUBLE, 0, 0);
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *out, size_t n, float mean,
                                    float stddev)
{
    return generate(generator, out, n, sizeof *out, NORMAL, (double)mean, (double)stddev);
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *out, size_t n,
                                          double mean, double stddev)
{
    return generate(generator, out, n, sizeof *out, NORMAL_DOUBLE, mean, stddev);
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *out, size_t n,
                                       float mean, float stddev)
{
    return generate(generator, out, n, sizeof *out, LOG_NORMAL, (double)mean, (double)stddev);
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *out, size_t n,
                                             double mean, double stddev)
{
    return generate(generator, out, n, sizeof *out, LOG_NORMAL_DOUBLE, mean, stddev);
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *out, size_t n,
                                     double lambda)
{
    if (!(lambda > 0))
        return CURAND_STATUS_OUT_OF_RANGE;
    return generate(generator, out, n, sizeof *out, POISSON, lambda, 0);
}
