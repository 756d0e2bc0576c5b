// An alignment behind __shared__, as NVIDIA's compiler reads it, and float4s of arrays of floats.
__global__ void run(float4 *out, const float *in, int n)
{
    __shared__ alignas(16) float tile[64];
    static __shared__ alignas(8 * sizeof(float)) float turned[64];
    extern __shared__
        alignas(16) float rest[];
    const int i = threadIdx.x;
    tile[i] = in[i];
    turned[i] = in[n - 1 - i];
    rest[i] = in[i] * 0.5f;
    __syncthreads();
    if (i >= 16)
        return;
    float4 v = *(const float4 *)&tile[4 * i], w = reinterpret_cast<float4 *>(turned)[i];
    v.x += w.y;
    out[i] = v;
    *reinterpret_cast<float4 *>(&rest[4 * i]) = w;
    out[16 + i] = *(const float4 *)&rest[4 * i];
}
// exercises: frontend/shared_align model/alignment
