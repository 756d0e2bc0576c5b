// option: -lines=none
// Where the text comes from, not said.
__device__ float twice(float x)
{
    float y = x * 2.0f;
    if (y > 1000.0f)
        y = 1000.0f;
    return y;
}

extern "C" __global__ void run(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;

    for (int k = 0; k < n; k++) {
        sum += in[k];
        sum += twice(in[i]);
    }
    out[i] = sum;
}
// exercises: out/source_lines
