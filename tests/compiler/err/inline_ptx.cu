// PTX that has no OpenCL form.
extern "C" __global__ void tensor(int *out)
{
    int v, w;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 %0, %1, %2;" : "=r"(v), "=r"(w) : "r"(out[0]));
    out[threadIdx.x] = v + w;
}

extern "C" __global__ void multiprocessor(int *out)
{
    int v;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(v));
    out[threadIdx.x] = v;
}

extern "C" __global__ void shared_address(int *out, unsigned address)
{
    int v;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(address));
    out[threadIdx.x] = v;
}

extern "C" __global__ void carry(unsigned *out, unsigned a, unsigned b)
{
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(out[0]) : "r"(a), "r"(b));
    asm volatile("addc.u32 %0, %1, %2;" : "=r"(out[1]) : "r"(a), "r"(b));
}

extern "C" __global__ void guarded_carry(unsigned *out, unsigned a, unsigned b)
{
    asm("{ .reg .pred p; setp.eq.u32 p, %1, 0; @p add.cc.u32 %0, %1, %1; addc.u32 %0, %1, %2; }"
        : "+r"(out[0]) : "r"(a), "r"(b));
}

extern "C" __global__ void guarded_store(int *out, int a)
{
    asm volatile("{ .reg .pred p; setp.eq.s32 p, %1, 0; @p st.global.s32 [%0], %1; }"
                 ::"l"(out), "r"(a));
}

extern "C" __global__ void jump(int *out)
{
    asm volatile("bra done; done:");
    out[0] = 1;
}

extern "C" __global__ void rounding(float *out)
{
    asm("add.ftz.rn.f32 %0, %0, %0;" : "+f"(out[1]));
}

extern "C" __global__ void atomic_halves(unsigned *out)
{
    asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(out), "r"(1u));
}
