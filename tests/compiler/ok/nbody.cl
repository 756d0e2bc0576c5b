#pragma OPENCL FP_CONTRACT ON

struct qn_float3 {
    float x;
    float y;
    float z;
};

/* nbody, nbody.cu:20 */
__kernel void nbody(__global float4 *position, __global struct qn_float3 *velocity, int n,
                    float dt)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    float4 own = position[i];
    float force = 0.0f;
    float force_1 = 0.0f;
    float force_2 = 0.0f;
    for (int j = 0; j < n; j++) {
        float4 value_2 = position[j];
        /* nbody.cu:14-17 */
        float t = value_2.x - own.x;
        float t_1 = value_2.y - own.y;
        float t_2 = value_2.z - own.z;
        float r2 = t * t + t_1 * t_1 + t_2 * t_2 + 1e-09f;
        float inverse = rsqrt(r2);
        float t_3 = value_2.w * inverse * inverse * inverse;
        force += t_3 * t;
        force_1 += t_3 * t_1;
        force_2 += t_3 * t_2;
    }
    /* nbody.cu:29 */
    float value = velocity[i].y;
    float value_1 = velocity[i].z;
    velocity[i].x += dt * force;
    velocity[i].y = value + dt * force_1;
    velocity[i].z = value_1 + dt * force_2;
}
