// profile: nvidia
// Arithmetic on pairs of halves is the instruction itself, each operation rounded by itself; what
// saturates is made in float as elsewhere.
extern "C" __global__ void pairs(unsigned *x, unsigned a, unsigned b)
{
    unsigned sum, less, product, both, bounded;
    asm("add.f16x2 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(less) : "r"(a), "r"(b));
    asm("mul.f16x2 %0, %1, %2;" : "=r"(product) : "r"(a), "r"(b));
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(both) : "r"(a), "r"(b), "r"(sum));
    asm("add.sat.f16x2 %0, %1, %2;" : "=r"(bounded) : "r"(a), "r"(b));
    x[0] = sum;
    x[1] = less;
    x[2] = product;
    x[3] = both;
    x[4] = bounded;
}
// exercises: lower/ptx/ptx_half
