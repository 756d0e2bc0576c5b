// Calls through pointers that are one of a few functions: chosen by a condition, a switch, a loop, and
// found in a table.
typedef int (*operation)(int);
static __device__ int twice(int v)
{
    return 2 * v;
}
static __device__ int thrice(int v)
{
    return 3 * v;
}
static __device__ int negated(int v)
{
    return -v;
}
__device__ operation operations[3] = {twice, thrice, negated};
__constant__ operation others[2] = {negated, twice};

static __device__ int apply(operation f, int v)
{
    return f(v) + 1;
}

__global__ void run(int *out, const int *in, int n)
{
    const int i = threadIdx.x, a = in[i];
    const operation chosen = a > 0 ? twice : negated;
    int v = chosen(a);
    v += 5 * operations[(i + n) % 3](a);
    v += 7 * apply(others[i & 1], a);
    operation now = twice;
    for (int k = 0; k < (i & 3); k++) {
        v += now(k);
        now = k & 1 ? thrice : negated;
    }
    out[i] = v;
}
// exercises: lower/dispatch_calls
