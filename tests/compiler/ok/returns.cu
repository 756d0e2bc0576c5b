// A return out of nested loops and out of a switch in a loop, where the loops also end by themselves;
// a struct with padding, set from a constant.
struct padded {
    long long a;
    int4 b;
};

__device__ int find(const int *in, int from, int wanted)
{
    for (int i = 0; i < from % 4; i++) {
        for (int k = 0; k < 5; k++) {
            if (in[i * 5 + k] % 7 == wanted)
                return 100 + i * 5 + k;
        }
    }
    return from;
}

__device__ int classify(const int *in, int n)
{
    for (int i = 0; i < n; i++) {
        switch (in[i] % 3) {
        case 0: break;
        case 1: break;
        default: return -1;
        }
    }
    return n;
}

extern "C" __global__ void run(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    padded p = {};
    if (i & 1)
        p.b.z = find(in, i, i % 7);
    if (i < n)
        out[i] = p.b.z * 1000 + classify(in + i % 16, i % 4) + (int)p.a;
}
// exercises: stmt/structure out/emit
