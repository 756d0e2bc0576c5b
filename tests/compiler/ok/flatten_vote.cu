// Loops whose threads leave them at different turns, with code behind the last barrier of a turn
// that only those have who stay.
extern "C" __global__ void nested(int *out, const int *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
    int sum = 0;
    for (int round = 0; round < 4; round++) {
        int turn = 0;
        while (true) {
            turn++;
            if (turn > (x & 3) + 1) {
                sum += 100;
                break;
            }
            __syncthreads();
            sum += turn * round;
            if (sum > n)
                break;
        }
        sum++;
        __syncthreads();
    }
    out[i] = sum;
}

extern "C" __global__ void ballots(int *out, const int *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, turns = (threadIdx.x & 31) % n;
    unsigned left = 0xffffffffu;
    int sum = 0;
    for (int turn = 0;; turn++) {
        left = __ballot_sync(left, turn < turns);
        if (turn >= turns)
            break;
        sum += __popc(left) * (turn + 1) + __shfl_sync(left, in[i], __ffs((int)left) - 1);
    }
    out[i] = sum;
}
// exercises: stmt/flatten
