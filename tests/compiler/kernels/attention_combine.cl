#pragma OPENCL FP_CONTRACT ON

/* attention_combine_f32, attention_combine.cu:46 */
__kernel void attention_combine_f32(__global float *restrict out,
                                    __global const float *restrict part,
                                    __global const float *restrict part_ms, uint heads,
                                    uint splits, uint head_dim)
{
    uint parts = head_dim / 8;
    ulong t = (ulong)heads * parts;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = (t + t_1 - 1) / t_1;
    ulong i = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), t);
    ulong end = min(i + piece, t);
    float sum[8];
    for (; i < end; i++) {
        ulong head = i / parts;
        ulong d = i % parts * 8;
        ulong t_2 = head * head_dim;
        ulong t_3 = head * splits;
        ulong t_4 = t_3 * head_dim;
        ulong t_5 = t_3 * 2;
        ulong s = 0 < (ulong)splits ? 0 : (ulong)splits;
        ulong end_1 = min(s + splits, (ulong)splits);
        /* attention_combine.cu:23-42 */
        float most = part_ms[t_5];
        for (ulong s_1 = s; s_1 < end_1; s_1++) {
            float value = part_ms[t_5 + 2 * s_1];
            most = most < value ? value : most;
        }
        #pragma unroll
        for (int j = 0; j < 8; j++)
            sum[j] = 0.0f;
        float weight = 0.0f;
        for (; s < end_1; s++) {
            ulong t_6 = 2 * s;
            float e = exp(part_ms[t_5 + t_6] - most);
            weight += e * part_ms[t_5 + (t_6 + 1)];
            #pragma unroll
            for (int j = 0; j < 8; j++)
                sum[j] += e * part[t_4 + d + (s * head_dim + j)];
        }
        #pragma unroll
        for (int j = 0; j < 8; j++)
            out[t_2 + d + j] = sum[j] / weight;
    }
}
