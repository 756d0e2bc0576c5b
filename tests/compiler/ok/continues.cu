// A while whose step stands at its beginning, with a switch and two ways to the next turn.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    const int tid = blockIdx.x * blockDim.x + threadIdx.x, x = in[tid];
    int a = 0, i = 0;
    while (i < 7) {
        i++;
        switch (x & 3) {
        case 0: a += i; break;
        case 1:
            if (a < 1000) {
                for (int j = 0; j < (x & 15); j++)
                    a += in[a & 31] & 63;
                continue;
            }
            break;
        default: a ^= 3;
        }
        a++;
    }
    if (tid < n)
        out[tid] = a;
}
// exercises: stmt/recover_loops
