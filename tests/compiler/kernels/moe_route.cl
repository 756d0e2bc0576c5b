#pragma OPENCL FP_CONTRACT ON

/* moe_route_f32, moe_route.cu:62 */
__kernel void moe_route_f32(__global int *restrict ids, __global float *restrict weight,
                            __global const float *restrict logits, uint tokens, uint experts,
                            uint k, uint normalise, float scale)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)tokens + t - 1) / t;
    ulong t_1 = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)),
        (ulong)tokens);
    ulong end = min(t_1 + piece, (ulong)tokens);
    for (; t_1 < end; t_1++) {
        ulong t_2 = t_1 * k;
        ulong t_3 = t_1 * experts;
        ulong i = 0 < (ulong)experts ? 0 : (ulong)experts;
        ulong end_1 = min(i + experts, (ulong)experts);
        /* moe_route.cu:34-59 */
        float sum = 0.0f;
        float most = 0.0f;
        ulong last = 0xfffffffffffffffful;
        for (uint c = 0; c < k; c++) {
            ulong best = 0;
            for (ulong i_1 = i; i_1 < end_1; i_1++) {
                uint bits = as_int(logits[t_3 + i_1] + 0.0f);
                uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
                ulong key = ((ulong)((bits & 0x7fffffff) > 0x7f800000 ? 0 : order) << 32)
                    | ~(uint)i_1;
                ulong key_1 = best < key ? key : best;
                best = key < last ? key_1 : best;
            }
            uint expert = ~(uint)best;
            float logit = logits[t_3 + expert];
            most = c == 0 ? logit : most;
            float e = exp(logit - most);
            sum += e;
            ids[t_2 + c] = expert;
            weight[t_2 + c] = e;
            last = best;
        }
        if (normalise == 0) {
            sum = 0.0f;
            for (; i < end_1; i++)
                sum += exp(logits[t_3 + i] - most);
        }
        for (uint c = 0; c < k; c++)
            weight[t_2 + c] = weight[t_2 + c] / sum * scale;
    }
}
