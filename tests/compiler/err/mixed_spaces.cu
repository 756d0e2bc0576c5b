// One pointer for two address spaces, chosen at run time, in a way inlining cannot take apart.
extern "C" __global__ void run(float *out, const float *in, int n)
{
    __shared__ float tile[32];
    const float *p = in;
    for (int i = 0; i < n; i++) {
        out[i] = p[i];
        p = (i & 1) ? in : tile;
    }
}
