// profile: cpu
// A variable with more alignment than the frame of a block has, which lives across a barrier.
struct alignas(256) wide {
    int v[64];
};

extern "C" __global__ void kept(int *out, int n)
{
    wide a;
    for (int i = 0; i < 64; i++)
        a.v[i] = n + i * threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = a.v[n & 63];
}
