#pragma OPENCL FP_CONTRACT ON

/* run, pipeline.cu:14 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local int4 parts[2][16];
    __local int tail[64];

    int t = get_local_id(0);
    parts[0][t] = ((__global const int4 *)in)[t];
    int t_1 = 4 * t;
    #pragma unroll
    for (ulong i = 0; i < 4; i++)
        tail[t_1 + i] = i * 4 < 12 ? in[t_1 + i] : 0;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int t_2 = i + 1;
        if (t_2 < n)
            parts[t_2 & 1][t] = ((__global const int4 *)in)[(t + i + 1) % 16];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        int4 part = parts[i & 1][15 - t];
        int part_1 = part.x;
        int part_2 = part.y;
        int part_3 = part.z;
        int part_4 = part.w;
        sum += part_1 + 3 * part_2 + 5 * part_3 + 7 * part_4;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    out[t] = sum;
    for (int i = 0; i < 4; i++)
        out[16 + t_1 + i] = tail[63 - t_1 - i];
}
