// A pointer into one of two arrays, by an index, and the number of another lie in one variable by
// turns.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ int low[32], high[32];
    const int i = threadIdx.x;
    low[i] = in[i];
    high[i] = in[i] * 3;
    __syncthreads();
    int *const half = n > 4 ? low : high;
    union {
        int *pointer;
        unsigned long long number;
    } own[2];
    own[i & 1].pointer = half + (i ^ 5);
    if (in[i] > 100)
        own[i & 1].number = (unsigned long long)(half + 3);
    out[i] = *own[i & 1].pointer;
}
// exercises: model/points_to
