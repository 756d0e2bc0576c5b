// A shift of a constant by the type's width or more: 0, to the right the sign, as the hardware
// does; clang folds it into nothing at all. In a template, in a macro, and beside other operators.
#define DOWN(a, n) ((a) >> (n))
template <int bits> __device__ int mask()
{
    return -1 >> (32 - bits);
}
__global__ void constants(int *out, long long *wide, int a)
{
    out[0] = -5 >> 33;
    out[1] = mask<0>() + mask<8>();
    out[2] = DOWN(-7, 40) + DOWN(-7, 1);
    out[3] = (5 << 33) | 1;
    out[4] = a + (-9 >> 30 + 2) * 3;
    out[5] = -2 >> 64u < a ? -3 >> 32 : 4;
    wide[0] = -5ll >> 70;
    wide[1] = 0xf000000000000000ull >> 64;
}
// exercises: frontend/constant_shifts frontend/dialect lower/guard_shifts
