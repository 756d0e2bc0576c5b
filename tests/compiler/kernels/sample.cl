#pragma OPENCL FP_CONTRACT ON

/* n / d; by 0: all bits one */
uint qn_div_u32(uint n, uint d)
{
    const uint q = n / (d == 0 ? 1 : d);
    return d == 0 ? (uint)-1 : q;
}

/* repeat_penalty_f32, sample.cu:30 */
__kernel void repeat_penalty_f32(__global float *restrict out, __global const float *restrict x,
                                 __global const int *restrict ids, uint n_ids, uint n,
                                 float shrink, float grow)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)n_ids + t - 1) / t;
    ulong i = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)),
        (ulong)n_ids);
    ulong end = min(i + piece, (ulong)n_ids);
    for (; i < end; i++) {
        uint id = ids[i];
        if (id < n) {
            float value = x[id];
            float y = value * (value > 0.0f ? shrink : grow);
            atomic_xchg((__global uint *)((__global int *)out + id), (uint)as_int(y));
        }
    }
}

/* top_k_groups_f32, sample.cu:101 */
__kernel void top_k_groups_f32(__global int *restrict best, __global const float *restrict x,
                               uint n, uint group)
{
    uint result = qn_div_u32(n + group - 1, group);
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)result + t - 1) / t;
    ulong g = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)),
        (ulong)result);
    ulong end = min(g + piece, (ulong)result);
    for (; g < end; g++) {
        /* sample.cu:80-85 */
        uint first = (uint)g * group;
        uint result_1 = min(n - first, group);
        ulong i = 0 < (ulong)result_1 ? 0 : (ulong)result_1;
        ulong end_1 = min(i + result_1, (ulong)result_1);
        ulong best_1 = 0;
        for (; i < end_1; i++) {
            uint bits = as_int(x[first + i]);
            /* sample.cu:48-53 */
            uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
            order = bits == 0x80000000u ? 0x80000000u : order;
            order = (bits & 0x7fffffff) > 0x7f800000 ? 0 : order;
            ulong key = ((ulong)order << 32) | ~(first + (uint)i);
            /* sample.cu:85 */
            ulong key_1 = best_1 < key ? key : best_1;
            best_1 = key < 0xfffffffffffffffful ? key_1 : best_1;
        }
        /* sample.cu:110 */
        best[g] = ~(uint)best_1;
    }
}

/* top_k_heads_f32, sample.cu:114 */
__kernel void top_k_heads_f32(__global int *restrict heads, __global const float *restrict x,
                              __global const int *restrict best, uint n_groups, uint k)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)n_groups + t - 1) / t;
    ulong g = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)),
        (ulong)n_groups);
    ulong end = min(g + piece, (ulong)n_groups);
    for (; g < end; g++) {
        int value = best[g];
        uint bits = as_int(x[value]);
        /* sample.cu:48-53 */
        uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
        order = bits == 0x80000000u ? 0x80000000u : order;
        order = (bits & 0x7fffffff) > 0x7f800000 ? 0 : order;
        ulong key = ((ulong)order << 32) | (uint)~value;
        ulong i = 0 < (ulong)n_groups ? 0 : (ulong)n_groups;
        ulong end_1 = min(i + n_groups, (ulong)n_groups);
        /* sample.cu:124-128 */
        uint count = 0;
        for (; i < end_1; i++) {
            int value_1 = best[i];
            uint bits_1 = as_int(x[value_1]);
            uint order_1 = bits_1 >> 31 != 0 ? ~bits_1 : bits_1 | 0x80000000u;
            order_1 = bits_1 == 0x80000000u ? 0x80000000u : order_1;
            order_1 = (bits_1 & 0x7fffffff) > 0x7f800000 ? 0 : order_1;
            count += (((ulong)order_1 << 32) | (uint)~value_1) > key;
        }
        if (count < k)
            heads[count] = best[g];
    }
}

/* top_k_f32, sample.cu:142 */
__kernel void top_k_f32(__global int *restrict ids, __global float *restrict value,
                        __global const float *restrict x, __global const int *restrict heads,
                        uint n, uint group, uint k)
{
    uint result = qn_div_u32(n + group - 1, group);
    uint t = result < k ? result : k;
    ulong least;
    if (t == k) {
        int value_1 = heads[k - 1];
        uint bits = as_int(x[value_1]);
        /* sample.cu:48-53 */
        uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
        order = bits == 0x80000000u ? 0x80000000u : order;
        order = (bits & 0x7fffffff) > 0x7f800000 ? 0 : order;
        least = ((ulong)order << 32) | (uint)~value_1;
    } else {
        least = 1;
    }
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)t + t_1 - 1) / t_1;
    ulong c = min(piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0)), (ulong)t);
    ulong end = min(c + piece, (ulong)t);
    /* sample.cu:151-160 */
    for (; c < end; c++) {
        int value_2 = heads[c];
        uint bits = as_int(x[value_2]);
        /* sample.cu:48-53 */
        uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
        order = bits == 0x80000000u ? 0x80000000u : order;
        order = (bits & 0x7fffffff) > 0x7f800000 ? 0 : order;
        ulong key = ((ulong)order << 32) | (uint)~value_2;
        /* sample.cu:137-138 */
        uint place = 0;
        uint c_1 = 0;
        while (c_1 < t) {
            int value_3 = heads[c_1];
            uint bits_1 = as_int(x[value_3]);
            uint order_1 = bits_1 >> 31 != 0 ? ~bits_1 : bits_1 | 0x80000000u;
            order_1 = bits_1 == 0x80000000u ? 0x80000000u : order_1;
            order_1 = (bits_1 & 0x7fffffff) > 0x7f800000 ? 0 : order_1;
            if ((((ulong)order_1 << 32) | (uint)~value_3) < key)
                break;
            /* sample.cu:93-97 */
            uint first = qn_div_u32((uint)value_3, group) * group;
            uint result_1 = min(n - first, group);
            ulong i = 0 < (ulong)result_1 ? 0 : (ulong)result_1;
            ulong end_1 = min(i + result_1, (ulong)result_1);
            uint count = 0;
            for (; i < end_1; i++) {
                uint bits_2 = as_int(x[first + i]);
                uint order_2 = bits_2 >> 31 != 0 ? ~bits_2 : bits_2 | 0x80000000u;
                order_2 = bits_2 == 0x80000000u ? 0x80000000u : order_2;
                order_2 = (bits_2 & 0x7fffffff) > 0x7f800000 ? 0 : order_2;
                count += (((ulong)order_2 << 32) | ~(first + (uint)i)) > key;
            }
            /* sample.cu:137-138 */
            place += count;
            c_1++;
        }
        /* sample.cu:154-160 */
        while (place < k) {
            uint t_2 = ~(uint)key;
            ids[place] = t_2;
            value[place] = x[t_2];
            /* sample.cu:80-85 */
            uint first = qn_div_u32((uint)heads[c], group) * group;
            uint result_2 = min(n - first, group);
            ulong i = 0 < (ulong)result_2 ? 0 : (ulong)result_2;
            ulong end_2 = min(i + result_2, (ulong)result_2);
            ulong best = 0;
            for (; i < end_2; i++) {
                uint bits_3 = as_int(x[first + i]);
                /* sample.cu:48-53 */
                uint order_3 = bits_3 >> 31 != 0 ? ~bits_3 : bits_3 | 0x80000000u;
                order_3 = bits_3 == 0x80000000u ? 0x80000000u : order_3;
                order_3 = (bits_3 & 0x7fffffff) > 0x7f800000 ? 0 : order_3;
                ulong key_1 = ((ulong)order_3 << 32) | ~(first + (uint)i);
                /* sample.cu:85 */
                ulong key_2 = best < key_1 ? key_1 : best;
                best = key_1 < key ? key_2 : best;
            }
            /* sample.cu:159-160 */
            if (best >= least) {
                place = 0;
                uint c_2 = 0;
                /* sample.cu:137-138 */
                while (c_2 < t) {
                    int value_4 = heads[c_2];
                    uint bits_4 = as_int(x[value_4]);
                    uint order_4 = bits_4 >> 31 != 0 ? ~bits_4 : bits_4 | 0x80000000u;
                    order_4 = bits_4 == 0x80000000u ? 0x80000000u : order_4;
                    order_4 = (bits_4 & 0x7fffffff) > 0x7f800000 ? 0 : order_4;
                    if ((((ulong)order_4 << 32) | (uint)~value_4) < best)
                        break;
                    /* sample.cu:93-97 */
                    uint first_1 = qn_div_u32((uint)value_4, group) * group;
                    uint result_3 = min(n - first_1, group);
                    ulong i_1 = 0 < (ulong)result_3 ? 0 : (ulong)result_3;
                    ulong end_3 = min(i_1 + result_3, (ulong)result_3);
                    uint count = 0;
                    for (; i_1 < end_3; i_1++) {
                        uint bits_5 = as_int(x[first_1 + i_1]);
                        uint order_5 = bits_5 >> 31 != 0 ? ~bits_5 : bits_5 | 0x80000000u;
                        order_5 = bits_5 == 0x80000000u ? 0x80000000u : order_5;
                        order_5 = (bits_5 & 0x7fffffff) > 0x7f800000 ? 0 : order_5;
                        count += (((ulong)order_5 << 32) | ~(first_1 + (uint)i_1)) > best;
                    }
                    /* sample.cu:137-138 */
                    place += count;
                    c_2++;
                }
            } else {
                place = k;
            }
            /* sample.cu:159 */
            key = best;
        }
    }
}
