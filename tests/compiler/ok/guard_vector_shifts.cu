// Vectors shifted by counts that reach the width of their elements: 0, or the sign, in each.
typedef int int_4 __attribute__((vector_size(16)));
typedef unsigned uint_4 __attribute__((vector_size(16)));
typedef unsigned char uchar_8 __attribute__((vector_size(8)));

#ifdef QUERN_TRANSLATE
#define SHIFT(type, width, v, op, n, beyond) ((v)op(n))
#else
template <class V> static V shifted(V v, V n, bool left, unsigned width, V beyond)
{
    for (unsigned i = 0; i < sizeof v / sizeof v[0]; i++)
        v[i] = (unsigned)n[i] >= width ? beyond[i] : left ? v[i] << n[i] : v[i] >> n[i];
    return v;
}
#define SHIFT(type, width, v, op, n, beyond)                                                       \
    shifted<type>(v, (type){} + (n), #op[0] == '<', width, beyond)
#endif

template <class V> static __device__ unsigned sum(V v)
{
    return ((v[0] * 31u + v[1]) * 31u + v[2]) * 31u + v[3];
}

extern "C" __global__ void run(int *out, const int *in, int n)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const int x = in[t], count = threadIdx.x * 2; // to 62
    const int_4 s = {x, -x, x * 3, ~x};
    const uint_4 u = {(unsigned)x, 1u, ~0u, (unsigned)count}, counts = u & 63u;
    unsigned r = sum(SHIFT(int_4, 32, s, >>, count, s >> 31));
    r = r * 31 + sum(SHIFT(uint_4, 32, u, <<, (unsigned)count, uint_4{}));
    r = r * 31 + sum(SHIFT(uint_4, 32, u, >>, counts, uint_4{}));
    r = r * 31 + sum(u >> (counts & 31u)) + sum(u << 5u);
    const uint_4 fixed = {4, 32, 40, 31};
    r = r * 31 + sum(SHIFT(uint_4, 32, u, <<, fixed, uint_4{}));
    const uchar_8 c = {(unsigned char)x, 255, 1, 128, 7, 77, (unsigned char)count, 3};
    const unsigned char few = threadIdx.x & 15;
    r = r * 31 + sum(SHIFT(uchar_8, 8, c, >>, few, uchar_8{}));
    out[t] = r;
}
// exercises: lower/guard_shifts
