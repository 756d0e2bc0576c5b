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
    ulong t_2 = piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0));
    ulong i = t_2 < t ? t_2 : t;
    ulong t_3 = i + piece;
    ulong end = t_3 < t ? t_3 : t;
    float sum[8];
    for (; i < end; i++) {
        ulong head = i / parts;
        ulong d = i % parts * 8;
        ulong t_4 = head * head_dim;
        ulong t_5 = head * splits;
        ulong t_6 = t_5 * head_dim;
        ulong t_7 = t_5 * 2;
        ulong s = 0 < (ulong)splits ? 0 : (ulong)splits;
        ulong t_8 = s + splits;
        ulong end_1 = t_8 < splits ? t_8 : splits;
        /* attention_combine.cu:23-42 */
        float most = part_ms[t_7];
        for (ulong s_1 = s; s_1 < end_1; s_1++) {
            float value = part_ms[t_7 + 2 * s_1];
            most = most < value ? value : most;
        }
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            ;
        #pragma unroll
        for (int j = 0; j < 8; j++)
            sum[j] = 0.0f;
        float weight = 0.0f;
        for (; s < end_1; s++) {
            ulong t_9 = 2 * s;
            float e = exp(part_ms[t_7 + t_9] - most);
            weight += e * part_ms[t_7 + (t_9 + 1)];
            #pragma unroll
            for (int j = 0; j < 8; j++)
                sum[j] += e * part[t_6 + d + (s * head_dim + j)];
        }
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            weight += weight;
        #pragma unroll
        for (int j = 0; j < 8; j++) {
            float x = sum[j];
            #pragma unroll
            for (uint mask = 0; mask > 0; mask /= 2)
                x += x;
            sum[j] = x;
            out[t_4 + d + j] = x / weight;
        }
    }
}
