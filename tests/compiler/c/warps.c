
#pragma STDC FP_CONTRACT ON

/* __shfl_down_sync: from `by` lanes above; above the segment, itself */
QN_FUNCTION ulong qn_lane_down(int by, int width, ulong i, ulong items)
{
    const uint own = (uint)i % 32, lane = own + ((uint)by & 31);
    const ulong from = i - own + lane;
    return lane > (own | ((uint)width - 1)) || from >= items ? i : from;
}

/* the item that __shfl_sync reads from: a lane of the same segment of `width`, or itself where there is none */
QN_FUNCTION ulong qn_lane_idx(int lane, int width, ulong i, ulong items)
{
    const uint own = (uint)i % 32, inside = (uint)width - 1;
    const ulong from = i - own + ((own & ~inside) | ((uint)lane & inside));
    return from < items ? from : i;
}

/* __shfl_xor_sync: from the lane whose number differs in the bits of the mask; above the segment, itself */
QN_FUNCTION ulong qn_lane_xor(int mask, int width, ulong i, ulong items)
{
    const uint own = (uint)i % 32, lane = own ^ ((uint)mask & 31);
    const ulong from = i - own + lane;
    return lane > (own | ((uint)width - 1)) || from >= items ? i : from;
}

/* __shfl_up_sync: from `by` lanes below; below the segment, itself */
QN_FUNCTION ulong qn_lane_up(int by, int width, ulong i, ulong items)
{
    const uint own = (uint)i % 32, below = own & ((uint)width - 1), step = (uint)by & 31;
    return step > below ? i : i - step;
}

/* one bit for each lane of the item's warp */
QN_FUNCTION uint qn_ballot(const bool *all, ulong i, ulong items)
{
    const ulong first = i & ~31ul, n = items - first < 32 ? items - first : 32;
    uint bits = 0;
    for (ulong lane = 0; lane < n; lane++)
        bits |= (uint)all[first + lane] << lane;
    return bits;
}

QN_OVERLOAD uint popcount(uint x)
{
    return (uint)__builtin_popcount(x);
}
QN_OVERLOAD ulong popcount(ulong x)
{
    return (ulong)__builtin_popcountl(x);
}
QN_OVERLOAD uint popcount(int x)
{
    return (uint)__builtin_popcount((uint)x);
}

/* the nearest integer below; NaN is 0 */
QN_OVERLOAD int convert_int_sat(float x)
{
    return x >= (float)0x1p31 ? INT_MAX : x > (float)-0x1p31 ? (int)x : x <= (float)-0x1p31 ? INT_MIN : 0;
}
QN_OVERLOAD int convert_int_sat(double x)
{
    return x >= 0x1p31 ? INT_MAX : x > -0x1p31 ? (int)x : x <= -0x1p31 ? INT_MIN : 0;
}

/* for how many of the items is it true? */
QN_FUNCTION int qn_count(const bool *all, ulong items)
{
    int n = 0;
    for (ulong i = 0; i < items; i++)
        n += all[i];
    return n;
}

/* run, warps.cu:2 */
static inline void qn_block_run(const struct qn_block qn_b, int *out, const int *in, int n)
{
    const ulong qn_n = (ulong)qn_b.items[0] * qn_b.items[1] * qn_b.items[2];
    int *value_at = (int *)(qn_b.frame + 0 * qn_n);
    int *value_at_1 = (int *)(qn_b.frame + 4 * qn_n);
    int *value_at_2 = (int *)(qn_b.frame + 8 * qn_n);
    int *value_at_3 = (int *)(qn_b.frame + 12 * qn_n);
    float *value_at_4 = (float *)(qn_b.frame + 16 * qn_n);
    int *i_at = (int *)(qn_b.frame + 20 * qn_n);
    int *lane_at = (int *)(qn_b.frame + 24 * qn_n);
    int *v_at = (int *)(qn_b.frame + 28 * qn_n);
    int *sum_at = (int *)(qn_b.frame + 32 * qn_n);
    int *sum_at_1 = (int *)(qn_b.frame + 36 * qn_n);
    int *result_at = (int *)(qn_b.frame + 40 * qn_n);
    int *low_at = (int *)(qn_b.frame + 44 * qn_n);
    int *r_at = (int *)(qn_b.frame + 48 * qn_n);
    int *result_at_1 = (int *)(qn_b.frame + 52 * qn_n);
    int *argument_at = (int *)(qn_b.frame + 56 * qn_n);
    bool *says_at = (bool *)(qn_b.frame + 60 * qn_n);
    bool *says_at_1 = (bool *)(qn_b.frame + 61 * qn_n);
    bool *says_at_2 = (bool *)(qn_b.frame + 62 * qn_n);
    bool *says_at_3 = (bool *)(qn_b.frame + 63 * qn_n);
    bool *taken_at = (bool *)(qn_b.frame + 64 * qn_n);

    QN_ITEMS {
        int i = blockIdx_x * blockDim_x + threadIdx_x;
        int lane = threadIdx_x % 32;
        int v = in[i];
        int sum = v;
        i_at[qn_i] = i;
        lane_at[qn_i] = lane;
        v_at[qn_i] = v;
        sum_at[qn_i] = sum;
    }
    for (int by = 16; by > 0; by >>= 1) {
        QN_ITEMS {
            int sum = sum_at[qn_i];
            value_at[qn_i] = sum;
        }
        QN_ITEMS {
            int sum = sum_at[qn_i];
            int result_1 = value_at[qn_lane_down(by, 32, qn_i, qn_n)];
            sum += result_1;
            sum_at[qn_i] = sum;
        }
    }
    QN_ITEMS {
        int sum = sum_at[qn_i];
        value_at_1[qn_i] = sum;
    }
    QN_ITEMS {
        int v = v_at[qn_i];
        int sum = value_at_1[qn_lane_idx(0, 32, qn_i, qn_n)];
        value_at_2[qn_i] = v;
        sum_at_1[qn_i] = sum;
    }
    QN_ITEMS {
        int v = v_at[qn_i];
        int result_2 = value_at_2[qn_lane_xor(3, 32, qn_i, qn_n)];
        value_at_3[qn_i] = v;
        result_at[qn_i] = result_2;
    }
    QN_ITEMS {
        int result_4 = result_at[qn_i];
        int v = v_at[qn_i];
        int result_3 = value_at_3[qn_lane_up(2, 8, qn_i, qn_n)];
        int low = result_4 + result_3;
        says_at[qn_i] = v > 0 != 0;
        low_at[qn_i] = low;
    }
    QN_ITEMS {
        int low = low_at[qn_i];
        int sum = sum_at_1[qn_i];
        int v = v_at[qn_i];
        int lane = lane_at[qn_i];
        uint positive = qn_ballot(says_at, qn_i, qn_n) & 0xffffffffu;
        int r = sum + low * 3 + (int)popcount(positive & ((1 << lane) - 1u));
        bool taken = threadIdx_x >= 32;
        value_at_4[qn_i] = (float)v;
        int argument = (lane + 5) & 31;
        r_at[qn_i] = r;
        taken_at[qn_i] = taken;
        argument_at[qn_i] = argument;
    }
    QN_ITEMS {
        int argument = argument_at[qn_i];
        bool taken = taken_at[qn_i];
        int r = r_at[qn_i];
        int v = v_at[qn_i];
        float result_5 = value_at_4[qn_lane_idx(argument, 16, qn_i, qn_n)];
        if (taken) {
            float f = result_5;
            r += convert_int_sat(f) * 7;
        }
        says_at_1[qn_i] = v == 5 != 0;
        r_at[qn_i] = r;
    }
    QN_ITEMS {
        int v = v_at[qn_i];
        int result_6 = (qn_ballot(says_at_1, qn_i, qn_n) & 0xffffffffu) != 0;
        says_at_2[qn_i] = v > -2000 == 0;
        result_at_1[qn_i] = result_6;
    }
    QN_ITEMS {
        int result_8 = result_at_1[qn_i];
        int r = r_at[qn_i];
        int v = v_at[qn_i];
        int result_7 = (qn_ballot(says_at_2, qn_i, qn_n) & 0xffffffffu) == 0;
        r += result_8 * 1000 + result_7 * 2000;
        says_at_3[qn_i] = v > 100 != 0;
        r_at[qn_i] = r;
    }
    int result = qn_count(says_at_3, qn_n);
    QN_ITEMS {
        int r = r_at[qn_i];
        int i = i_at[qn_i];
        int result_9 = result;
        r += result_9;
        if (i < n)
            out[i] = r;
        r_at[qn_i] = r;
    }
}

QN_EXPORT void run(const struct qn_block *block, void *const *args)
{
    qn_block_run(*block, *(int **)args[0], *(const int **)args[1], *(int *)args[2]);
}

QN_EXPORT const uint qn_abi_version = QN_ABI_VERSION;
QN_EXPORT const struct qn_kernel_entry qn_kernels[] = {
    {"run", run, 0, 65, 0, 32, 0},
};
QN_EXPORT const uint qn_kernels_count = 1;
QN_EXPORT const struct qn_global_entry qn_globals[] = {
    {0},
};
QN_EXPORT const uint qn_globals_count = 0;
