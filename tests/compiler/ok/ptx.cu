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

/* under a predicate the carry stays what it was */
static __device__ unsigned long long add_if(unsigned long long a, unsigned long long b, int which)
{
    unsigned lo = (unsigned)a, hi = (unsigned)(a >> 32);
    const unsigned b_lo = (unsigned)b, b_hi = (unsigned)(b >> 32);
    EITHER(unsigned carry = (unsigned)(lo + b_hi < lo);
           if (which > 0) { carry = lo + b_lo < lo; lo += b_lo; } else { lo -= b_hi; }
           hi += b_hi + carry,
           asm("{\n\t"
               ".reg .pred p;\n\t"
               ".reg .u32 t;\n\t"
               "setp.gt.s32 p, %4, 0;\n\t"
               "add.cc.u32 t, %0, %3;\n\t"
               "@p add.cc.u32 %0, %0, %2;\n\t"
               "@!p sub.u32 %0, %0, %3;\n\t"
               "addc.u32 %1, %1, %3;\n\t"
               "}" : "+r"(lo), "+r"(hi) : "r"(b_lo), "r"(b_hi), "r"(which)));
    EITHER(if (which < 0) { hi += (lo + b_lo < lo) + b_hi; lo += b_lo; },
           asm("{ .reg .pred p; setp.ge.s32 p, %4, 0; @!p add.cc.u32 %0, %0, %2; @!p addc.u32 %1, %1, %3; }"
               : "+r"(lo), "+r"(hi) : "r"(b_lo), "r"(b_hi), "r"(which)));
    return (unsigned long long)hi << 32 | lo;
}

extern "C" __global__ void guarded(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const long long *const pair = (const long long *)(in + (i & ~3));
    unsigned long long a, b;
    int whole, less, more;
    short half;
    float one;
    EITHER(a = pair[0]; b = pair[1]; whole = in[i]; half = *((const short *)(in + i) + 1),
           asm volatile("ldu.global.v2.u64 {%0, %1}, [%2];" : "=l"(a), "=l"(b) : "l"(pair));
           asm volatile("ldu.global.s32 %0, [%1];" : "=r"(whole) : "l"(in + i));
           asm volatile("ldu.global.s16 %0, [%1+2];" : "=h"(half) : "l"(in + i)));
    a <<= 20;
    b = b << 21 | 0xfffff;
    long long mask, chosen;
    EITHER(mask = whole < 100 ? -1 : 0; chosen = whole < 100 ? (long long)a : 7; less = -(whole < 300);
           more = -(b > a); one = a > b,
           asm("{ .reg .pred p; setp.lt.s32 p, %2, 100; selp.s64 %0, -1, 0, p; selp.b64 %1, %3, 7, p; }"
               : "=l"(mask), "=l"(chosen) : "r"(whole), "l"(a));
           asm("set.lt.s32.s32 %0, %1, 300;" : "=r"(less) : "r"(whole));
           asm("set.gt.u32.u64 %0, %1, %2;" : "=r"(more) : "l"(b), "l"(a));
           asm("set.hi.f32.u64 %0, %1, %2;" : "=f"(one) : "l"(a), "l"(b)));
    unsigned short rounded;
    float back;
    EITHER(_Float16 h = (_Float16)(whole * 0.3f); __builtin_memcpy(&rounded, &h, 2); back = (float)h,
           asm("cvt.rn.f16.f32 %0, %1;" : "=h"(rounded) : "f"(whole * 0.3f));
           asm("cvt.f32.f16 %0, %1;" : "=f"(back) : "h"(rounded)));
    whole = whole * 2 + rounded + (int)(back * 8);
    const long long wide = (mask & 0x123456789abLL) + chosen + (long long)less * 5 + more + (int)one;
    const unsigned long long sum = add_if(a, b, whole % 3 - 1) ^ (unsigned long long)wide;
    out[i] = (int)(sum ^ sum >> 32) + half + whole;
}
// exercises: lower/ptx/ptx lower/ptx/ptx_statement lower/ptx/ptx_operands
// exercises: lower/ptx/ptx_integer lower/ptx/ptx_float lower/ptx/ptx_memory
