#pragma OPENCL FP_CONTRACT ON

/* repeat_penalty_f32, sample.cu:29 */
__kernel void repeat_penalty_f32(__global float *restrict out, __global const float *restrict x,
                                 __global const int *restrict ids, uint n_ids, uint n,
                                 float shrink, float grow)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)n_ids + t - 1) / t;
    ulong t_1 = piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0));
    ulong i = t_1 < n_ids ? t_1 : n_ids;
    ulong t_2 = i + piece;
    ulong end = t_2 < n_ids ? t_2 : n_ids;
    for (; i < end; i++) {
        uint id = ids[i];
        if (id < n) {
            float value = x[id];
            out[id] = value * (value > 0.0f ? shrink : grow);
        }
    }
}

/* top_k_groups_f32, sample.cu:98 */
__kernel void top_k_groups_f32(__global int *restrict best, __global const float *restrict x,
                               uint n, uint group)
{
    uint t = (n + group - 1) / group;
    uint t_1 = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)t + t_1 - 1) / t_1;
    ulong t_2 = piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0));
    ulong g = t_2 < t ? t_2 : t;
    ulong t_3 = g + piece;
    ulong end = t_3 < t ? t_3 : t;
    for (; g < end; g++) {
        /* sample.cu:77-82 */
        uint first = (uint)g * group;
        uint t_4 = n - first;
        uint t_5 = t_4 < group ? t_4 : group;
        ulong i = 0 < (ulong)t_5 ? 0 : (ulong)t_5;
        ulong t_6 = i + t_5;
        ulong end_1 = t_6 < t_5 ? t_6 : t_5;
        ulong best_1 = 0;
        for (; i < end_1; i++) {
            uint bits = as_int(x[first + i]);
            /* sample.cu:45-50 */
            uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
            order = bits == 0x80000000u ? 0x80000000u : order;
            order = (bits & 0x7fffffff) > 0x7f800000 ? 0 : order;
            ulong key = ((ulong)order << 32) | ~(first + (uint)i);
            /* sample.cu:82 */
            ulong key_1 = best_1 < key ? key : best_1;
            best_1 = key < 0xfffffffffffffffful ? key_1 : best_1;
        }
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2) {
            uint low = (uint)best_1;
            uint high = (uint)(best_1 >> 32);
            ulong t_7 = ((ulong)high << 32) | low;
            best_1 = best_1 < t_7 ? t_7 : best_1;
        }
        /* sample.cu:107 */
        best[g] = ~(uint)best_1;
    }
}

/* top_k_heads_f32, sample.cu:111 */
__kernel void top_k_heads_f32(__global int *restrict heads, __global const float *restrict x,
                              __global const int *restrict best, uint n_groups, uint k)
{
    uint t = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)n_groups + t - 1) / t;
    ulong t_1 = piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0));
    ulong g = t_1 < n_groups ? t_1 : n_groups;
    ulong t_2 = g + piece;
    ulong end = t_2 < n_groups ? t_2 : n_groups;
    for (; g < end; g++) {
        int value = best[g];
        uint bits = as_int(x[value]);
        /* sample.cu:45-50 */
        uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
        order = bits == 0x80000000u ? 0x80000000u : order;
        order = (bits & 0x7fffffff) > 0x7f800000 ? 0 : order;
        ulong key = ((ulong)order << 32) | (uint)~value;
        ulong i = 0 < (ulong)n_groups ? 0 : (ulong)n_groups;
        ulong t_3 = i + n_groups;
        ulong end_1 = t_3 < n_groups ? t_3 : n_groups;
        /* sample.cu:121-125 */
        uint count = 0;
        for (; i < end_1; i++) {
            int value_1 = best[i];
            uint bits_1 = as_int(x[value_1]);
            uint order_1 = bits_1 >> 31 != 0 ? ~bits_1 : bits_1 | 0x80000000u;
            order_1 = bits_1 == 0x80000000u ? 0x80000000u : order_1;
            order_1 = (bits_1 & 0x7fffffff) > 0x7f800000 ? 0 : order_1;
            count += (((ulong)order_1 << 32) | (uint)~value_1) > key;
        }
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            count += count;
        if (count < k)
            heads[count] = best[g];
    }
}

/* top_k_f32, sample.cu:139 */
__kernel void top_k_f32(__global int *restrict ids, __global float *restrict value,
                        __global const float *restrict x, __global const int *restrict heads,
                        uint n, uint group, uint k)
{
    uint t = (n + group - 1) / group;
    uint t_1 = t < k ? t : k;
    ulong least;
    if (t_1 == k) {
        int value_1 = heads[k - 1];
        uint bits = as_int(x[value_1]);
        /* sample.cu:45-50 */
        uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
        order = bits == 0x80000000u ? 0x80000000u : order;
        order = (bits & 0x7fffffff) > 0x7f800000 ? 0 : order;
        least = ((ulong)order << 32) | (uint)~value_1;
    } else {
        least = 1;
    }
    uint t_2 = get_num_groups(0) * get_local_size(0);
    ulong piece = ((ulong)t_1 + t_2 - 1) / t_2;
    ulong t_3 = piece * (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0));
    ulong c = t_3 < t_1 ? t_3 : t_1;
    ulong t_4 = c + piece;
    ulong end = t_4 < t_1 ? t_4 : t_1;
    /* sample.cu:148-157 */
    for (; c < end; c++) {
        int value_2 = heads[c];
        uint bits = as_int(x[value_2]);
        /* sample.cu:45-50 */
        uint order = bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
        order = bits == 0x80000000u ? 0x80000000u : order;
        order = (bits & 0x7fffffff) > 0x7f800000 ? 0 : order;
        ulong x_1 = ((ulong)order << 32) | (uint)~value_2;
        /* sample.cu:134-135 */
        uint place = 0;
        uint c_1 = 0;
        while (c_1 < t_1) {
            int value_3 = heads[c_1];
            uint bits_1 = as_int(x[value_3]);
            uint order_1 = bits_1 >> 31 != 0 ? ~bits_1 : bits_1 | 0x80000000u;
            order_1 = bits_1 == 0x80000000u ? 0x80000000u : order_1;
            order_1 = (bits_1 & 0x7fffffff) > 0x7f800000 ? 0 : order_1;
            if ((((ulong)order_1 << 32) | (uint)~value_3) < x_1)
                break;
            /* sample.cu:90-94 */
            uint first = (uint)value_3 / group * group;
            uint t_5 = n - first;
            uint t_6 = t_5 < group ? t_5 : group;
            ulong i = 0 < (ulong)t_6 ? 0 : (ulong)t_6;
            ulong t_7 = i + t_6;
            ulong end_1 = t_7 < t_6 ? t_7 : t_6;
            uint count = 0;
            for (; i < end_1; i++) {
                uint bits_2 = as_int(x[first + i]);
                uint order_2 = bits_2 >> 31 != 0 ? ~bits_2 : bits_2 | 0x80000000u;
                order_2 = bits_2 == 0x80000000u ? 0x80000000u : order_2;
                order_2 = (bits_2 & 0x7fffffff) > 0x7f800000 ? 0 : order_2;
                count += (((ulong)order_2 << 32) | ~(first + (uint)i)) > x_1;
            }
            /* sample.cu:134-135 */
            place += count;
            c_1++;
        }
        #pragma unroll
        for (uint mask = 0; mask > 0; mask /= 2)
            place += place;
        /* sample.cu:151-157 */
        while (place < k) {
            uint t_8 = ~(uint)x_1;
            ids[place] = t_8;
            value[place] = x[t_8];
            /* sample.cu:77-82 */
            uint first = (uint)heads[c] / group * group;
            uint t_9 = n - first;
            uint t_10 = t_9 < group ? t_9 : group;
            ulong i = 0 < (ulong)t_10 ? 0 : (ulong)t_10;
            ulong t_11 = i + t_10;
            ulong end_2 = t_11 < t_10 ? t_11 : t_10;
            ulong best = 0;
            for (; i < end_2; i++) {
                uint bits_3 = as_int(x[first + i]);
                /* sample.cu:45-50 */
                uint order_3 = bits_3 >> 31 != 0 ? ~bits_3 : bits_3 | 0x80000000u;
                order_3 = bits_3 == 0x80000000u ? 0x80000000u : order_3;
                order_3 = (bits_3 & 0x7fffffff) > 0x7f800000 ? 0 : order_3;
                ulong key = ((ulong)order_3 << 32) | ~(first + (uint)i);
                /* sample.cu:82 */
                ulong key_1 = best < key ? key : best;
                best = key < x_1 ? key_1 : best;
            }
            /* sample.cu:156-157 */
            x_1 = best;
            #pragma unroll
            for (uint mask = 0; mask > 0; mask /= 2) {
                uint low = (uint)x_1;
                uint high = (uint)(x_1 >> 32);
                ulong t_12 = ((ulong)high << 32) | low;
                x_1 = x_1 < t_12 ? t_12 : x_1;
            }
            if (x_1 >= least) {
                place = 0;
                uint c_2 = 0;
                /* sample.cu:134-135 */
                while (c_2 < t_1) {
                    int value_4 = heads[c_2];
                    uint bits_4 = as_int(x[value_4]);
                    uint order_4 = bits_4 >> 31 != 0 ? ~bits_4 : bits_4 | 0x80000000u;
                    order_4 = bits_4 == 0x80000000u ? 0x80000000u : order_4;
                    order_4 = (bits_4 & 0x7fffffff) > 0x7f800000 ? 0 : order_4;
                    if ((((ulong)order_4 << 32) | (uint)~value_4) < x_1)
                        break;
                    /* sample.cu:90-94 */
                    uint first_1 = (uint)value_4 / group * group;
                    uint t_13 = n - first_1;
                    uint t_14 = t_13 < group ? t_13 : group;
                    ulong i_1 = 0 < (ulong)t_14 ? 0 : (ulong)t_14;
                    ulong t_15 = i_1 + t_14;
                    ulong end_3 = t_15 < t_14 ? t_15 : t_14;
                    uint count = 0;
                    for (; i_1 < end_3; i_1++) {
                        uint bits_5 = as_int(x[first_1 + i_1]);
                        uint order_5 = bits_5 >> 31 != 0 ? ~bits_5 : bits_5 | 0x80000000u;
                        order_5 = bits_5 == 0x80000000u ? 0x80000000u : order_5;
                        order_5 = (bits_5 & 0x7fffffff) > 0x7f800000 ? 0 : order_5;
                        count += (((ulong)order_5 << 32) | ~(first_1 + (uint)i_1)) > x_1;
                    }
                    /* sample.cu:134-135 */
                    place += count;
                    c_2++;
                }
                #pragma unroll
                for (uint mask = 0; mask > 0; mask /= 2)
                    place += place;
            } else {
                place = k;
            }
        }
    }
}
