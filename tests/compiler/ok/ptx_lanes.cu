// Inline PTX for lanes and for atomics, as headers write it: a shuffle whose segments are known when
// it runs, its predicate, words in another order. Each with the C++ that says the same.
#ifdef QUERN_TRANSLATE
#define EITHER(cpp, ptx) ptx
#else
#define EITHER(cpp, ptx) cpp
#endif

/* a step of a sum over segments of 8 */
static __device__ int sum_step(int v, int by, int segments)
{
    int sum;
    EITHER(const int other = __shfl_up_sync(~0u, v, by, 8);
           sum = (int)(threadIdx.x & 7) >= by ? v + other : v,
           asm volatile("{ .reg .s32 r; .reg .pred p; shfl.sync.up.b32 r|p, %1, %2, %3, %4; "
                        "@p add.s32 r, r, %1; mov.s32 %0, r; }"
                        : "=r"(sum) : "r"(v), "r"(by), "r"(segments), "r"(~0u)));
    return sum;
}

/* the first four lanes of each segment */
static __device__ int below(int v, int by, int segments)
{
    int other;
    EITHER(other = __shfl_sync(~0u, v, (int)(threadIdx.x & 31) + by);
           if ((int)(threadIdx.x & 7) + by > 3) other = v,
           asm volatile("shfl.sync.down.b32 %0, %1, %2, %3, 0xffffffff;"
                        : "=r"(other) : "r"(v), "r"(by), "r"(segments + 3)));
    return other;
}

static __device__ int known_segments(int v)
{
    int a, b;
    unsigned inside;
    EITHER(a = __shfl_xor_sync(~0u, v, 5, 16); inside = 1; b = __shfl_sync(~0u, v, 3, 4),
           asm volatile("{ .reg .pred p; shfl.sync.bfly.b32 %0|p, %3, 5, 0x101f, 0xffffffff; "
                        "selp.u32 %2, 1, 0, p; shfl.sync.idx.b32 %1, %3, 3, 0x1c1f, 0xffffffff; }"
                        : "=r"(a), "=r"(b), "=r"(inside) : "r"(v)));
    return a * 3 + b + inside * 1000;
}

static __device__ unsigned votes(int v)
{
    unsigned mask, any;
    EITHER(mask = __ballot_sync(~0u, v & 1); any = __any_sync(~0u, v == 77),
           asm volatile("{ .reg .pred p; .reg .u32 t; and.b32 t, %2, 1; setp.ne.u32 p, t, 0; "
                        "vote.ballot.sync.b32 %0, p, 0xffffffff; setp.eq.s32 p, %2, 77; "
                        "vote.sync.any.pred p, p, 0xffffffff; selp.u32 %1, 1, 0, p; }"
                        : "=r"(mask), "=r"(any) : "r"(v)));
    return mask + any;
}

static __device__ unsigned masks(unsigned position, unsigned length)
{
    unsigned clamped, wrapped;
    EITHER(clamped = position > 31 ? 0 : (unsigned)(((1ull << (length > 32 ? 32 : length)) - 1) << position);
           wrapped = (unsigned)(((1ull << (length & 31)) - 1) << (position & 31)),
           asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(clamped) : "r"(position), "r"(length));
           asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(wrapped) : "r"(position), "r"(length)));
    return clamped ^ wrapped * 3;
}

extern "C" __global__ void run(int *out, const int *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int segments = n > 0 ? 0x1800 : 0;
    int v = in[i];
    for (int by = 1; by < 8; by *= 2)
        v = sum_step(v, by, segments);
    out[i] = v + below(v, 2, segments) + known_segments(v) + (int)votes(v) + (int)masks(i % 40, i / 3);
}

extern "C" __global__ void atomics(int *out, const int *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned *const own = (unsigned *)out + i, old[6];
    const unsigned v = (unsigned)in[i];
    *own = 5;
    EITHER(old[0] = atomicAdd(own, v); old[1] = (unsigned)atomicMax((int *)own, 3);
           old[2] = atomicCAS(own, 3u, 9u); old[3] = atomicInc(own, 10u); old[4] = atomicExch(own, v);
           atomicXor(own, 0x55u); old[5] = atomicAnd(own, 0xffffu),
           asm volatile("atom.add.relaxed.gpu.u32 %0, [%1], %2;" : "=r"(old[0]) : "l"(own), "r"(v) : "memory");
           asm volatile("atom.global.max.s32 %0, [%1], 3;" : "=r"(old[1]) : "l"(own) : "memory");
           asm volatile("atom.cas.acq_rel.sys.b32 %0, [%1], 3, 9;" : "=r"(old[2]) : "l"(own) : "memory");
           asm volatile("atom.global.inc.u32 %0, [%1], 10;" : "=r"(old[3]) : "l"(own) : "memory");
           asm volatile("atom.acquire.cta.exch.b32 %0, [%1], %2;" : "=r"(old[4]) : "l"(own), "r"(v) : "memory");
           asm volatile("red.release.gpu.global.xor.b32 [%0], 0x55;" :: "l"(own) : "memory");
           asm volatile("atom.and.b32 %0, [%1], 0xffff;" : "=r"(old[5]) : "l"(own) : "memory"));
    float *const sum = (float *)own;
    const unsigned last = *own;
    *sum = 1.5f;
    EITHER(atomicAdd(sum, 0.25f), asm volatile("red.add.relaxed.gpu.f32 [%0], %1;" :: "l"(sum), "f"(0.25f) : "memory"));
    const unsigned bits = *own;
    *own = old[0] + old[1] * 2 + old[2] * 3 + old[3] * 5 + old[4] * 7 + old[5] * 11 + last * 13 + (bits >> 8);
}
// exercises: lower/ptx/ptx_warp lower/ptx/ptx_atomic
