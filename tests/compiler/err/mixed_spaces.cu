// A pointer for two address spaces that is stored where its address space would be lost.
extern "C" __global__ void run(const float **out, const float *in, int n)
{
    __shared__ float tile[32];
    const float *p = in;
    for (int i = 0; i < n; i++) {
        out[i] = p;
        p = (i & 1) ? in : tile;
    }
}
