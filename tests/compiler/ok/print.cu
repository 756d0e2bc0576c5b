// printf with a literal, long long, and a failed assertion that ends one work-item.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 3)
        printf("%s: %d of %lld, %5.2f%%\n", "third", in[i], (long long)n, in[i] * 0.5f);
    out[i] = in[i] + n;
}

// Text that is no format, what would be a trigraph, an empty string, and what printf returns.
extern "C" __global__ void strings(int *out, int n)
{
    printf("%s %s|%s\n", "50% zinc, 3%t", "what?\?(", "");
    out[0] = printf("%zu of %d\n", sizeof(int), n);
    out[1] = printf("nothing\n");
}
// exercises: lower/printf_result expr/expr_call
