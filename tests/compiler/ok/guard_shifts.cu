// Shift counts that reach the type's width: 0, or the sign. The ones that cannot stay as they are.
#ifdef QUERN_TRANSLATE
#define GUARDED(fits, shifted, beyond) (shifted)
#else
#define GUARDED(fits, shifted, beyond) ((fits) ? (shifted) : (beyond))
#endif

static __device__ unsigned low_ones(unsigned n)
{
    return GUARDED(n < 32, 1u << n, 0) - 1u;
}

extern "C" __global__ void run(int *out, const int *in, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const int x = in[t], count = threadIdx.x * 2; // to 62
    unsigned r = low_ones(count) + low_ones(threadIdx.x & 31) + low_ones(32);
    r = r * 31 + GUARDED(count < 32, (unsigned)x >> count, 0);
    r = r * 31 + GUARDED(count < 32, x >> count, x >> 31);
    const unsigned long long wide = (unsigned long long)x << 20;
    r = r * 31 + (unsigned)GUARDED(count + 8 < 64, wide >> (count + 8), 0);
    for (int i = 0; i < 4; i++)
        r += x >> 8 * i & 255;
    out[t] = r;
}
// exercises: lower/guard_shifts
