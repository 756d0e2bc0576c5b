// A barrier in a switch whose value differs between work-items.
extern "C" __global__ void run(int *out, const int *in)
{
    int i = threadIdx.x;
    switch (in[i]) {
    case 0: out[i] = 1; break;
    case 1:
        __syncthreads();
        out[i] = out[i + 1];
        break;
    case 2: out[i] = 7; break;
    default: out[i] = 5;
    }
}
