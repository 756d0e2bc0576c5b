// Unsigned arithmetic that is kept in a signed variable wraps; C's signed arithmetic must not.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    int x = in[threadIdx.x];
    long long y = 0x7ffffffffffffff0ll + x;
    for (int i = 0; i < n; i++) {
        x = (int)((unsigned)x * 3u);
        y = (long long)((unsigned long long)y + 1u);
        out[threadIdx.x * n + i] = (x > 0) + 2 * (y > 0);
    }
    out[threadIdx.x * n] ^= x ^ (int)y;
}
// exercises: expr/expr
