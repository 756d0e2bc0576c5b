// Loops that work-items leave at different turns, with barriers, break, continue and return inside.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ int box[32];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    int turns = (in[i] & 7) + 1, sum = 0;
    box[tid] = tid;
    __syncthreads();
    for (int k = 0; k < turns; k++) {
        if (k == 2 && (tid & 3) == 1)
            continue;
        int seen = box[(tid + k) & 31];
        __syncthreads();
        sum += seen * (k + 1);
        if (sum > 90)
            break;
        if (sum == 17) {
            out[i] = -17;
            return;
        }
    }
    int w = in[i] & 15;
    while (w > 3) {
        __syncthreads();
        w -= 1 + (tid & 1);
    }
    if (i < n)
        out[i] = sum * 100 + w;
}
// exercises: stmt/divergence stmt/flatten stmt/flatten_uniform
