// One device function for global, shared and private memory; its address of a local.
__device__ float total(const float *p, int n)
{
    float sum = 0.0f;
    for (int i = 0; i < n; i++)
        sum += p[i];
    return sum;
}

__device__ void add_to(float *p, float v)
{
    *p += v;
}

extern "C" __global__ void run(float *out, const float *in, int n)
{
    __shared__ float tile[16];
    float own[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i];
    for (int k = 0; k < 4; k++)
        own[k] = in[(i + k) % n];
    __syncthreads();
    float result = total(in + i, 2 <= n - i ? 2 : 1) + total(tile, 16) * 0.5f + total(own, 4);
    add_to(&result, own[3]);
    add_to(&out[i], result);
}
// exercises: model/address_space model/infer_spaces quirks/quirk_pad_array
