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
    int e = x;
    for (int t = 0; t < (x & 1) + 1; t++) // once at least, as LLVM sees
        for (int k = 0; k < 3; k++)
            e = e * 9 + k;
    __syncthreads();
    if (i < n)
        out[i] = a ^ b * 3 ^ c * 5 ^ d * 7 ^ e * 11 ^ first;
}

// A decision of the group and one of each thread that lead to the same place.
extern "C" __global__ void mixed(int *out, const int *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int a = 0, b = 0;
    if (n == 7 || in[i] > 300)
        a = n;
    do {
        if (n == 8)
            out[i] = a;
        else if (in[(i * 5) & 127] & 1)
            break;
        b = n;
    } while (false);
    const int c = n == 9 || in[(i * 7) & 127] & 1 ? n : 0;
    __syncthreads();
    out[i] = a + b * 2 + c * 4;
}

// An element of an array that LLVM makes a variable where it knows the size of a block.
extern "C" __global__ void element(int *out, const int *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v[3] = {n, 7, 0};
    for (int t = 0; t < (int)(threadIdx.x & 1); t++)
        v[1] = n;
    __syncthreads();
    out[i] = v[blockDim.x % 3] + v[1];
}
// exercises: quirks/quirk_guard_loop
