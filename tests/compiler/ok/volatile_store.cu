// Each thread's own part of a buffer (of zeros), stored to at an index that its content gives,
// between loads of its elements.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    int *parts = out + 64;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int x = parts[i * 4 + 1];
    parts[i * 4 + (x & 3)] = in[i];
    out[i] = parts[i * 4] * n + x;
}
// exercises: quirks/quirk_volatile_store
