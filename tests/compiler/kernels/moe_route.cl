#pragma OPENCL FP_CONTRACT ON

/* moe_route_f32, moe_route.cu:62 */
__kernel void moe_route_f32(__global int *restrict ids, __global float *restrict weight,
                            __global const float *restrict logits, uint tokens, uint experts,
                            uint k, uint normalise)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)tokens + t - 1) / t;
    ulong t_1 = piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0));
    ulong t_2 = t_1 < tokens ? t_1 : tokens;
    ulong t_3 = t_2 + piece;
    ulong end = t_3 < tokens ? t_3 : tokens;
    for (; t_2 < end; t_2++) {
        ulong t_4 = t_2 * k;
        ulong t_5 = t_2 * experts;
        ulong i = 0 < (ulong)experts ? 0 : (ulong)experts;
        ulong t_6 = i + experts;
        ulong end_1 = t_6 < experts ? t_6 : experts;
        /* moe_route.cu:34-59 */
        float sum = 0.0f;
        float most = 0.0f;
        ulong x = 0xfffffffffffffffful;
        for (uint c = 0; c < k; c++) {
            ulong best = 0;
            for (ulong i_1 = i; i_1 < end_1; i_1++) {
                uint bits = as_int(logits[t_5 + i_1] + 0.0f);
                uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
                ulong key = ((ulong)((bits & 0x7fffffff) > 0x7f800000 ? 0 : order) << 32)
                    | ~(uint)i_1;
                ulong key_1 = best < key ? key : best;
                best = key < x ? key_1 : best;
            }
            x = best;
            #pragma unroll
            for (uint mask = 0; mask > 0; mask /= 2) {
                uint low = (uint)x;
                uint high = (uint)(x >> 32);
                ulong t_7 = ((ulong)high << 32) | low;
                x = x < t_7 ? t_7 : x;
            }
            uint expert = ~(uint)x;
            float logit = logits[t_5 + expert];
            most = c == 0 ? logit : most;
            float e = exp(logit - most);
            sum += e;
            ids[t_4 + c] = expert;
            weight[t_4 + c] = e;
        }
        if (normalise == 0) {
            sum = 0.0f;
            for (; i < end_1; i++)
                sum += exp(logits[t_5 + i] - most);
            #pragma unroll
            for (uint mask = 0; mask > 0; mask /= 2)
                sum += sum;
        }
        for (uint c = 0; c < k; c++)
            weight[t_4 + c] /= sum;
    }
}
