// Sums that wrap around, kept in signed variables: C must not take them for impossible.
extern "C" __global__ void run(long long *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0x7ffffff0, product = in[i];
    for (int k = 0; k < 5; k++) {
        sum = (int)((unsigned)sum + (unsigned)in[i]);
        product = (int)((unsigned)product * 40503u);
        sum = (int)((unsigned)sum + 5u);
    }
    int negated = (int)(0u - (unsigned)sum);
    int box[2] = {0x7fffffff, (int)0x80000000};
    box[i & 1] = (int)((unsigned)box[i & 1] + (unsigned)in[i]);
    box[(i >> 1) & 1] = (int)((unsigned)box[(i >> 1) & 1] + 1u);
    if (i < n)
        out[i] = (long long)sum + (long long)product * 3 + (long long)negated * 5 + (sum + 1ll > sum)
                 + (long long)box[0] * 7 + box[1];
}
// exercises: expr/expr
