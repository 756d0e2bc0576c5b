// PTX that has no OpenCL form.
extern "C" __global__ void tensor(int *out)
{
    int v, w;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 %0, %1, %2;" : "=r"(v), "=r"(w) : "r"(out[0]));
    asm volatile("mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 %0, %1, %2;" : "=r"(v), "=r"(w) : "r"(out[0]));
    asm volatile("mma.sync.aligned.m16n8k12.row.col.f32.f16.f16.f32 %0, %1, %2;" : "=r"(v), "=r"(w) : "r"(out[0]));
    asm volatile("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 %0, %1, %2;" : "=r"(v), "=r"(w) : "r"(out[0]));
    asm volatile("ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64 {%0}, [%1];" : "=r"(v) : "r"(out[0]));
    asm volatile("wgmma.fence.sync.aligned;");
    asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.f16 {%0}, [%1], 16;" : "=r"(v) : "l"(out));
    out[threadIdx.x] = v + w;
}

extern "C" __global__ void multiprocessor(int *out)
{
    int v;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(v));
    out[threadIdx.x] = v;
}

extern "C" __global__ void copied_in_bulk(int *out, unsigned to, unsigned barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];"
                 ::"r"(to), "l"(out), "r"(barrier));
}

extern "C" __global__ void short_address(int *out, unsigned address)
{
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(out[0]) : "r"(address));
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

extern "C" __global__ void jump(int *out)
{
    asm volatile("bra done; done:");
    asm volatile("{ .reg .pred p; setp.eq.s32 p, %0, 0; @p bra done; done: }" ::"r"(out[1]));
    out[0] = 1;
}

extern "C" __global__ void part_of_the_block(int *out)
{
    asm volatile("bar.sync 1, 64;");
}

extern "C" __global__ void atomic_vector(unsigned *out)
{
    asm volatile("red.global.max.noftz.v2.f16x2 [%0], {%1, %1};" ::"l"(out), "r"(1u));
}
