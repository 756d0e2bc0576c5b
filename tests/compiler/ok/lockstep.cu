// Loops that threads leave at different turns, around loops of as many turns for all, and loops
// that only set a variable, in a kernel with a barrier.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i] & 7;
    __shared__ int first;
    if (threadIdx.x == 0)
        first = in[i];
    __syncthreads();
    int a = x, turn = 0;
    do {
        turn++;
        for (int k = 0; k < 3; k++)
            a = a * 3 + 1;
    } while (turn < x);
    int b = x;
    for (int t = 0; t < 4; t++) {
        for (int k = 0; k < 3; k++)
            b = b * 5 + k;
        if (b & 8)
            break;
        b ^= t;
    }
    int c = x;
    bool more = true;
    while (more) {
        for (int k = 0; k < 3; k++)
            c = c * 7 + k;
        more = turn-- > 0;
    }
    int d = 5;
    for (int t = 0; t < x; t++)
        d = t;
    __syncthreads();
    if (i < n)
        out[i] = a ^ b * 3 ^ c * 5 ^ d * 7 ^ first;
}
