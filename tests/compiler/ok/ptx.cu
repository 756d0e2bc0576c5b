// Inline PTX that has an OpenCL form, each with the C++ that says the same.
#ifdef QUERN_TRANSLATE
#define EITHER(cpp, ptx) ptx
#else
#define EITHER(cpp, ptx) cpp
#endif

static __device__ unsigned lane_id()
{
    unsigned lane;
    EITHER(lane = threadIdx.x & 31, asm("mov.u32 %0, %%laneid;" : "=r"(lane)));
    return lane;
}

static __device__ unsigned majority(unsigned a, unsigned b, unsigned c)
{
    unsigned d;
    EITHER(d = (a & b) | (a & c) | (b & c),
           asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(d) : "r"(a), "r"(b), "r"(c)));
    return d;
}

static __device__ int top_bits(int a, unsigned length)
{
    int d;
    EITHER(d = length ? a >> (32 - length) : 0,
           asm("bfe.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(32 - length), "r"(length)));
    return d;
}

static __device__ unsigned replace_byte(unsigned a, unsigned b)
{
    unsigned d;
    EITHER(d = (b & ~0xff00u) | (a & 0xff) << 8,
           asm("bfi.b32 %0, %1, %2, 8, 8;" : "=r"(d) : "r"(a), "r"(b)));
    return d;
}

/* 64 bits in two halves; the carry stays inside one block */
static __device__ void add_wide(unsigned &lo, unsigned &hi, unsigned a, unsigned b)
{
    EITHER(unsigned long long s = ((unsigned long long)hi << 32 | lo) +
                                  ((unsigned long long)b << 32 | a);
           lo = (unsigned)s; hi = (unsigned)(s >> 32),
           asm("add.cc.u32 %0, %0, %2;\n\t"
               "addc.u32 %1, %1, %3;" : "+r"(lo), "+r"(hi) : "r"(a), "r"(b)));
}

static __device__ unsigned choose_halves(unsigned a, unsigned b, int which)
{
    unsigned d;
    EITHER(d = (a & 0xffff) | b << 16; if (which > 0) d ^= 0xff,
           asm("{\n\t"
               ".reg .u32 t;\n\t"
               ".reg .pred p;\n\t"
               "prmt.b32 t, %1, %2, 0x5410; // the low halves\n\t"
               "setp.gt.s32 p, %3, 0;\n\t"
               "@p xor.b32 t, t, 0xff;\n\t"
               "mov.b32 %0, t;\n\t"
               "}" : "=r"(d) : "r"(a), "r"(b), "r"(which)));
    return d;
}

extern "C" __global__ void run(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x, y, z, w;
    EITHER(const int *p = in + (i & ~3); x = p[0]; y = p[1]; z = p[2]; w = p[3],
           asm volatile("ld.global.nc.L1::no_allocate.v4.s32 {%0, %1, %2, %3}, [%4];"
                        : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(in + (i & ~3))));
    unsigned lo = in[i], hi = i;
    add_wide(lo, hi, x, y);
    const unsigned mixed = choose_halves(z, w, in[i]);
    float f = (mixed & 0xffff) / 64.0f, g;
    EITHER(g = fmaf(f, 0.5f, 1.0f),
           asm("fma.rn.f32 %0, %1, %2, 0f3F800000;" : "=f"(g) : "f"(f), "f"(0.5f)));
    EITHER(, asm volatile("membar.gl;" ::: "memory"));
    int result = majority(lo, hi, mixed) + replace_byte(x, y) + lane_id() + top_bits(x, i & 15) + (int)g;
    EITHER(out[i] = result,
           asm volatile("st.global.cs.s32 [%0], %1;" ::"l"(out + i), "r"(result) : "memory"));
}
