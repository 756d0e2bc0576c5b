// A branch that all work-items take, with a barrier and a condition of each behind it, in a loop.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ int box[32];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid, sum = 0;
    box[tid] = in[i];
    for (int k = 0; k < 3; k++) {
        if (n % 5 == 0) {
            __syncthreads();
            unsigned part = 23u % (i | 1), choice = 4294967264u / (part | 1) % 3;
            if (choice != 0 && choice != 1)
                sum += box[(tid + k) & 31];
        }
    }
    out[i] = sum;
}
// exercises: quirks/quirk_flag_paths stmt/flatten
