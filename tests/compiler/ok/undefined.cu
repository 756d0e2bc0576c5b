// Variables that some path reads before it assigned them: in the first turn of a loop, in inactive lanes.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, last, sum = 0;
    for (int k = 0; k < 5; k++) {
        if (k > 0)
            sum += last;
        last = in[i] * (k + 1);
    }
    int v;
    if (lane < 16)
        v = in[i ^ 1] + 1;
    int got = __shfl_sync(0xffffffffu, v, lane & 15);
    if (i < n)
        out[i] = sum * 100 + got * 3;
}
// exercises: model/coalesce out/declare
