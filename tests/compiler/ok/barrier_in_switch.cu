// Barriers in a switch whose value differs between work-items: a fall-through, a break under a branch.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ int box[32];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid, v = in[i];
    box[tid] = v;
    switch (v & 7) {
    case 0: v += 1;
    case 1:
        __syncthreads();
        v += box[(tid + 1) & 31];
        if (v & 16)
            break;
        __syncthreads();
        v *= 3;
        break;
    case 2:
    case 3: v = 7; break;
    default:
        __syncthreads();
        v -= box[tid ^ 1];
    }
    if (i < n)
        out[i] = v;
}
// exercises: quirks/quirk_switch stmt/flatten stmt/flatten_uniform
