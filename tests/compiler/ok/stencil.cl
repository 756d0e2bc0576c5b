#pragma OPENCL FP_CONTRACT ON

struct grid {
    int nx;
    int ny;
    int nz;
};

/* stencil, stencil.cu:13 */
__kernel void stencil(__global float *restrict out, __global const float *restrict in,
                      struct grid g, __global const float *weights)
{
    int x = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int y = get_group_id(1) * get_local_size(1) + get_local_id(1);
    if (x <= 0 || y <= 0)
        return;
    if (x >= g.nx - 1)
        return;
    if (y >= g.ny - 1)
        return;
    for (int z = 1; z < g.nz - 1; z++) {
        /* stencil.cu:8 */
        int ny = g.ny;
        int t = z * ny;
        int value = g.nx;
        int t_1 = (t + y) * value;
        /* stencil.cu:21-22 */
        float t_2 = in[t_1 + (x - 1)] + in[t_1 + (x + 1)] + in[(t + (y - 1)) * value + x] + in[(t
            + (y + 1)) * value + x] + in[((z - 1) * ny + y) * value + x];
        float around = t_2 + in[((z + 1) * ny + y) * value + x];
        int t_3 = t_1 + x;
        out[t_3] = weights[0] * in[t_3] + weights[1] * around;
    }
}
