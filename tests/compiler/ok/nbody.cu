// Forces among bodies: float4, operators, a device function with a loop.
__device__ float3 operator+(float3 a, float3 b)
{
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ float3 operator*(float s, float3 a)
{
    return make_float3(s * a.x, s * a.y, s * a.z);
}

__device__ float3 pull(float4 on, float4 by, float softening)
{
    float3 d = make_float3(by.x - on.x, by.y - on.y, by.z - on.z);
    float r2 = d.x * d.x + d.y * d.y + d.z * d.z + softening;
    float inverse = rsqrtf(r2);
    return by.w * inverse * inverse * inverse * d;
}

__global__ void nbody(float4 *position, float3 *velocity, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 own = position[i];
    float3 force = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < n; j++)
        force = force + pull(own, position[j], 1e-9f);
    velocity[i] = velocity[i] + dt * force;
}
// exercises: expr/expr_vector
