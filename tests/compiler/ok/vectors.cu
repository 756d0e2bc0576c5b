// Vector types: float4 as one access, float3 of 12 bytes, constructors, components.
extern "C" __global__ void run(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i * 12 + 11 >= n)
        return;
    const float4 *fours = reinterpret_cast<const float4 *>(in);
    const float3 *threes = reinterpret_cast<const float3 *>(in);
    float4 a = fours[3 * i], b = fours[3 * i + 1];
    float3 c = threes[4 * i + 3];
    float4 sum = make_float4(a.x + b.x, a.y - b.y, a.z * b.z, a.w);
    sum.w += c.x + c.y * c.z;
    reinterpret_cast<float4 *>(out)[3 * i] = sum;
    reinterpret_cast<float4 *>(out)[3 * i + 1] = fours[3 * i + 2];
    reinterpret_cast<float3 *>(out + 12 * i + 8)[0] = make_float3(c.z, c.y, c.x);
    uchar4 bytes = make_uchar4(i, i + 1, 255, 7);
    out[12 * i + 11] = (float)(bytes.x + bytes.y + bytes.z * bytes.w);
}
// exercises: expr/expr_vector lower/widen_copies expr/expr_memory
