// Who left a loop, or went on to its next turn, keeps the values of then while others go on.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ int box[32];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid, last = -1, k, kept = 0, seen = 0;
    box[tid] = in[i];
    __syncthreads();
    for (k = 0; k < n; k++) {
        if (in[i] % 7 == k)
            break;
        last = k * 10;
        __syncthreads();
    }
    for (int turn = 0; turn < 4; turn++) {
        seen += kept;
        if ((in[i] + turn) & 1)
            continue;
        kept = turn + 1;
        __syncthreads();
        seen += box[(tid + turn) & 31];
    }
    out[i] = last * 1000 + k * 100 + kept * 10 + seen;
}
// exercises: stmt/flatten
