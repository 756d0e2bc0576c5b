// Asynchronous copies into shared memory: whole elements, bytes that end in zeros, two at a time.
#ifdef QUERN_TRANSLATE
#include <cuda_pipeline.h>
#else
#define __pipeline_commit()
#define __pipeline_wait_prior(n)
static void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t n_zeroes = 0)
{
    memset(to, 0, size);
    memcpy(to, from, size - n_zeroes);
}
#endif

__global__ void run(int *out, const int *in, int n)
{
    __shared__ int4 parts[2][16];
    __shared__ int tail[64];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&parts[0][t], (const int4 *)in + t, sizeof(int4));
    __pipeline_memcpy_async(tail + 4 * t, in + 4 * t, 16, 4);
    __pipeline_commit();
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (i + 1 < n)
            __pipeline_memcpy_async(&parts[(i + 1) & 1][t], (const int4 *)in + (t + i + 1) % 16, 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        const int4 part = parts[i & 1][15 - t];
        sum += part.x + 3 * part.y + 5 * part.z + 7 * part.w;
        __syncthreads();
    }
    out[t] = sum;
    for (int i = 0; i < 4; i++)
        out[16 + 4 * t + i] = tail[63 - 4 * t - i];
}
// exercises: model/builtins
