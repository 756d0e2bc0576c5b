// A switch with cases that share an empty body, before a barrier; labels with nothing behind them;
// and a minimum of operands of different widths.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ int box[32];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid, v = in[i];
    unsigned char narrow = (unsigned char)v;
    int2 pair = {0, (int)narrow};
    pair.y = min(1150097356, pair.y);
    switch (tid % 4) {
    case 0:
    case 1: break;
    case 2: v = 20; break;
    case 3: v += 30; break;
    }
    box[tid] = v;
    __syncthreads();
    switch (blockIdx.x % 4) { // a break in the middle goes where the end of the case goes
    case 0:
        if (v < 25) {
            if (box[3] != 7)
                break;
        }
        out[i] = 1;
        v++;
        break;
    case 1:
    case 2: break;
    default: break;
    }
    int turns = 0;
    do {
        turns++;
        switch (in[i] & 3) {
        case 0: break;
        case 1: v = box[tid ^ 1];
        default: break;
        }
    } while (turns < 2 && v > 50);
    if (i < n)
        out[i] = v + pair.y + turns * 1000;
}
// exercises: quirks/quirk_switch stmt/structure lower/recover_min_max
