#pragma OPENCL FP_CONTRACT ON

struct shape {
    ulong _vptr_shape;
    int scale;
    uchar padding2[4];
} __attribute__((packed));

struct shape_base {
    ulong f0;
    int f1;
} __attribute__((packed));

struct circle {
    struct shape_base base;
    int radius;
};

struct square {
    struct shape_base base;
    int side;
};

struct pair {
    struct shape_base base;
    ulong a;
    ulong b;
};

struct base {
    ulong _vptr_base;
    int b;
    uchar padding2[4];
} __attribute__((packed));

struct left {
    ulong _vptr_left;
    int l;
    uchar padding2[4];
} __attribute__((packed));

struct right {
    ulong _vptr_right;
    int r;
    uchar padding2[4];
} __attribute__((packed));

struct left_base {
    ulong f0;
    int f1;
} __attribute__((packed));

struct right_base {
    ulong f0;
    int f1;
} __attribute__((packed));

struct both_sides {
    struct left_base base;
    uchar padding1[4];
    struct right_base base_2;
    int extra;
};

struct base_base {
    ulong f0;
    int f1;
} __attribute__((packed));

struct second {
    ulong _vptr_second;
    int s;
    uchar padding2[4];
    struct base_base f3;
    uchar padding4[4];
} __attribute__((packed));

struct first_base {
    ulong f0;
    int f1;
} __attribute__((packed));

struct second_base {
    ulong f0;
    int f1;
} __attribute__((packed));

struct diamond {
    struct first_base base;
    uchar padding1[4];
    struct second_base base_2;
    int d;
    struct base_base f4;
    uchar padding5[4];
};

typedef struct shape __attribute__((may_alias)) qn_alias_shape;
typedef struct circle __attribute__((may_alias)) qn_alias_circle;
typedef long __attribute__((may_alias)) qn_alias_long;
typedef struct square __attribute__((may_alias)) qn_alias_square;
typedef struct left __attribute__((may_alias)) qn_alias_left;
typedef struct right __attribute__((may_alias)) qn_alias_right;
typedef struct both_sides __attribute__((may_alias)) qn_alias_both_sides;
typedef struct base __attribute__((may_alias)) qn_alias_base;
typedef struct second __attribute__((may_alias)) qn_alias_second;
typedef ulong __attribute__((may_alias)) qn_alias_ulong;

__constant long virtual_tables_table0[74] = {0ul, 0ul, 10ul, 12ul, 6ul, 14ul, 0ul, 0ul, 0ul, 12ul, 16ul, 18ul, 0ul, 0ul, 20ul, 22ul,
    8ul, 24ul, 0ul, 0ul, 26ul, 28ul, 4ul, 30ul, 0ul, 0ul, 32ul, 34ul, 18446744073709551600ul, 0ul, 36ul, 0ul,
    0ul, 32ul, 0ul, 0ul, 38ul, 32ul, 0ul, 0ul, 16ul, 18446744073709551600ul, 0ul, 42ul, 18446744073709551600ul, 18446744073709551584ul, 0ul, 44ul,
    32ul, 0ul, 0ul, 0ul, 18446744073709551584ul, 0ul, 40ul, 16ul, 0ul, 0ul, 42ul, 18446744073709551600ul, 18446744073709551600ul, 0ul, 44ul, 0ul,
    0ul, 40ul, 16ul, 0ul, 0ul, 42ul, 18446744073709551600ul, 18446744073709551600ul, 0ul, 44ul};

/* run, virtual_functions.cu:35 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local uchar memory[512] __attribute__((aligned(8)));

    int i = get_local_id(0);
    __local qn_alias_shape *shared = (__local qn_alias_shape *)(memory + (long)i * 16ul);
    shared->_vptr_shape = 64;
    shared->scale = 2;
    shared->_vptr_shape = 16;
    ((__local qn_alias_circle *)shared)->radius = i;
    int value = in[i];
    struct square own __attribute__((aligned(128)));
    own.base.f0 = 64;
    ((qn_alias_shape *)&own)->scale = 1;
    own.base.f0 = 112;
    own.side = value & 15;
    struct circle other __attribute__((aligned(128)));
    other.base.f0 = 64;
    ((qn_alias_shape *)&other)->scale = 2;
    other.base.f0 = 16;
    other.radius = n;
    struct pair both __attribute__((aligned(128)));
    both.base.f0 = 64;
    ((qn_alias_shape *)&both)->scale = 3;
    both.base.f0 = 160;
    both.a = (ulong)&own | 0x4000000000000000ul;
    both.b = (ulong)&other | 0x4000000000000000ul;
    ulong all_[4] __attribute__((aligned(128)));
    all_[0] = (ulong)&own | 0x4000000000000000ul;
    all_[1] = (ulong)&other | 0x4000000000000000ul;
    all_[2] = (ulong)shared | 0x8000000000000000ul;
    all_[3] = (ulong)&both | 0x4000000000000000ul;
    int v = 0;
    for (int k = 0; k < 4; k++) {
        ulong value_3 = all_[(k + i) & 3];
        ulong t_13 = value_3 >> 62;
        long t_14 = value_3 & 0x3ffffffffffffffful;
        long t_15 = value_3 & 0x3ffffffffffffffful;
        /* virtual_functions.cu:32 */
        int t_16 = (uint)t_13 == 0 ? ((__global qn_alias_shape *)(__global uchar *)value_3)->scale
            : (uint)t_13 == 2 ? ((__local qn_alias_shape *)(__local uchar *)t_15)->scale
            : ((qn_alias_shape *)(uchar *)t_14)->scale;
        ulong t_17 = (uint)t_13 == 0 ? *(__global qn_alias_long *)(__global uchar *)value_3
            : (uint)t_13 == 2 ? *(__local qn_alias_long *)(__local uchar *)t_15 :
            *(qn_alias_long *)(uchar *)t_14;
        ulong t_18 = t_17 >> 62;
        long t_19 = t_17 & 0x3ffffffffffffffful;
        long t_20 = t_17 & 0x3ffffffffffffffful;
        ulong selector_3 = (uint)t_18 == 2 ? (ulong)(__local uchar *)t_20 | 0x8000000000000000ul
            : (uint)t_18 == 0 ? (ulong)(__global uchar *)t_17 : (ulong)(uchar *)t_19
            | 0x4000000000000000ul;
        int t_21;
        if (selector_3 == 16ul) {
            int t_25 = (uint)t_13 == 0
                ? ((__global qn_alias_circle *)(__global uchar *)value_3)->radius : (uint)t_13 == 2
                ? ((__local qn_alias_circle *)(__local uchar *)t_15)->radius
                : ((qn_alias_circle *)(uchar *)t_14)->radius;
            t_21 = 3 * t_25 * t_25;
        } else if (selector_3 == 112ul) {
            int t_26 = (uint)t_13 == 0
                ? ((__global qn_alias_square *)(__global uchar *)value_3)->side : (uint)t_13 == 2
                ? ((__local qn_alias_square *)(__local uchar *)t_15)->side
                : ((qn_alias_square *)(uchar *)t_14)->side;
            t_21 = t_26 * t_26;
        } else if (selector_3 == 160ul) {
            t_21 = t_16;
        } else if (selector_3 == 240ul) {
            /* virtual_functions.cu:65 */
            int t_27 = (uint)t_13 == 0
                ? ((__global qn_alias_left *)&((__global uchar *)value_3)[-16])->l
                : (uint)t_13 == 2 ? ((__local qn_alias_left *)&((__local uchar *)t_15)[-16])->l
                : ((qn_alias_left *)&((uchar *)t_14)[-16])->l;
            int t_28 = (uint)t_13 == 0 ? ((__global qn_alias_right *)&((__global uchar *)value_3 +
                -16)[16])->r : (uint)t_13 == 2 ? ((__local qn_alias_right *)&((__local uchar *)t_15
                + -16)[16])->r : ((qn_alias_right *)&((uchar *)t_14 + -16)[16])->r;
            int t_29 = (uint)t_13 == 0
                ? ((__global qn_alias_both_sides *)&((__global uchar *)value_3)[-16])->extra
                : (uint)t_13 == 2
                ? ((__local qn_alias_both_sides *)&((__local uchar *)t_15)[-16])->extra
                : ((qn_alias_both_sides *)&((uchar *)t_14)[-16])->extra;
            t_21 = t_27 + t_28 + t_29;
        } else if (selector_3 == 208ul || selector_3 == 264ul) {
            t_21 = (uint)t_13 == 0 ? ((__global qn_alias_shape *)(__global uchar *)value_3)->scale
                : (uint)t_13 == 2 ? ((__local qn_alias_shape *)(__local uchar *)t_15)->scale
                : ((qn_alias_shape *)(uchar *)t_14)->scale;
        } else if (selector_3 == 288ul) {
            t_21 = 2 * t_16;
        } else if (selector_3 == 376ul || selector_3 == 496ul || selector_3 == 584ul) {
            ulong t_30 = (uint)t_13 == 0 ? *(__global qn_alias_long *)(__global uchar *)value_3
                : (uint)t_13 == 2 ? *(__local qn_alias_long *)(__local uchar *)t_15 :
                *(qn_alias_long *)(uchar *)t_14;
            ulong t_31 = t_30 >> 62;
            long value_4 = virtual_tables_table0[((uint)t_31 == 2 ? (ulong)((__local uchar *)(t_30
                & 0x3ffffffffffffffful) + -24) | 0x8000000000000000ul : (uint)t_31 == 0
                ? (ulong)((__global uchar *)t_30 + -24) : (ulong)((uchar *)(t_30
                & 0x3ffffffffffffffful) + -24) | 0x4000000000000000ul) >> 3];
            /* virtual_functions.cu:76 */
            ulong t_32 = (uint)t_13 == 0 ?
                *(__global qn_alias_long *)&((__global uchar *)value_3)[value_4] : (uint)t_13 == 2
                ? *(__local qn_alias_long *)&((__local uchar *)t_15)[value_4] :
                *(qn_alias_long *)&((uchar *)t_14)[value_4];
            ulong t_33 = t_32 >> 62;
            long value_5 = virtual_tables_table0[((uint)t_33 == 2 ? (ulong)((__local uchar *)(t_32
                & 0x3ffffffffffffffful) + -24) | 0x8000000000000000ul : (uint)t_33 == 0
                ? (ulong)((__global uchar *)t_32 + -24) : (ulong)((uchar *)(t_32
                & 0x3ffffffffffffffful) + -24) | 0x4000000000000000ul) >> 3];
            int t_34 = (uint)t_13 == 0
                ? ((__global qn_alias_base *)&((__global uchar *)value_3)[value_4 + value_5])->b
                : (uint)t_13 == 2 ? ((__local qn_alias_base *)&((__local uchar *)t_15)[value_4
                + value_5])->b : ((qn_alias_base *)&((uchar *)t_14)[value_4 + value_5])->b;
            int t_35 = (uint)t_13 == 0
                ? ((__global qn_alias_second *)&((__global uchar *)value_3)[value_4])->s
                : (uint)t_13 == 2
                ? ((__local qn_alias_second *)&((__local uchar *)t_15)[value_4])->s
                : ((qn_alias_second *)&((uchar *)t_14)[value_4])->s;
            t_21 = t_34 + 10 * t_35;
        } else if (selector_3 == 432ul || selector_3 == 520ul) {
            t_21 = (uint)t_13 == 0 ? ((__global qn_alias_shape *)(__global uchar *)value_3)->scale
                : (uint)t_13 == 2 ? ((__local qn_alias_shape *)(__local uchar *)t_15)->scale
                : ((qn_alias_shape *)(uchar *)t_14)->scale;
        } else {
            long value_6 = virtual_tables_table0[((uint)t_18 == 2 ? (ulong)((__local uchar *)t_20 +
                -24) | 0x8000000000000000ul : (uint)t_18 == 0 ? (ulong)((__global uchar *)t_17 +
                -24) : (ulong)((uchar *)t_19 + -24) | 0x4000000000000000ul) >> 3];
            int t_36 = (uint)t_13 == 0
                ? ((__global qn_alias_base *)&((__global uchar *)value_3)[value_6])->b
                : (uint)t_13 == 2 ? ((__local qn_alias_base *)&((__local uchar *)t_15)[value_6])->b
                : ((qn_alias_base *)&((uchar *)t_14)[value_6])->b;
            t_21 = t_36 + 10 * t_16;
        }
        /* virtual_functions.cu:32 */
        ulong t_22 = (uint)t_13 == 0 ? *(__global qn_alias_long *)(__global uchar *)value_3
            : (uint)t_13 == 2 ? *(__local qn_alias_long *)(__local uchar *)t_15 :
            *(qn_alias_long *)(uchar *)t_14;
        ulong t_23 = t_22 >> 62;
        ulong selector_4 = (uint)t_23 == 2 ? (ulong)(__local uchar *)(t_22 & 0x3ffffffffffffffful)
            | 0x8000000000000000ul : (uint)t_23 == 0 ? (ulong)(__global uchar *)t_22
            : (ulong)(uchar *)(t_22 & 0x3ffffffffffffffful) | 0x4000000000000000ul;
        int t_24;
        if (selector_4 == 16ul || selector_4 == 64ul) {
            t_24 = 0;
        } else if (selector_4 == 112ul) {
            t_24 = 4;
        } else if (selector_4 == 160ul) {
            t_24 = 100;
        } else {
            /* virtual_functions.cu:65 */
            int t_37 = (uint)t_13 == 0
                ? ((__global qn_alias_shape *)(__global uchar *)value_3)->scale : (uint)t_13 == 2
                ? ((__local qn_alias_shape *)(__local uchar *)t_15)->scale
                : ((qn_alias_shape *)(uchar *)t_14)->scale;
            int t_38 = (uint)t_13 == 0
                ? ((__global qn_alias_right *)&((__global uchar *)value_3)[16])->r
                : (uint)t_13 == 2 ? ((__local qn_alias_right *)&((__local uchar *)t_15)[16])->r
                : ((qn_alias_right *)&((uchar *)t_14)[16])->r;
            int t_39 = (uint)t_13 == 0
                ? ((__global qn_alias_both_sides *)(__global uchar *)value_3)->extra
                : (uint)t_13 == 2 ? ((__local qn_alias_both_sides *)(__local uchar *)t_15)->extra
                : ((qn_alias_both_sides *)(uchar *)t_14)->extra;
            t_24 = t_37 + t_38 + t_39;
        }
        /* virtual_functions.cu:46 */
        v = 3u * v + (t_16 * t_21 + t_24);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    ulong t = (long)(31 - i) * 16ul;
    /* virtual_functions.cu:32 */
    int scale = ((__local qn_alias_shape *)&memory[t])->scale;
    long value_1 = *(__local qn_alias_long *)&memory[t];
    ulong selector = (ulong)(__global uchar *)value_1;
    int t_1;
    if (selector == 16ul) {
        int radius = ((__local qn_alias_circle *)&memory[t])->radius;
        t_1 = 3 * radius * radius;
    } else if (selector == 112ul) {
        int side = ((__local qn_alias_square *)&memory[t])->side;
        t_1 = side * side;
    } else if (selector == 160ul) {
        t_1 = scale;
    } else if (selector == 240ul) {
        t_1 = ((__local qn_alias_left *)&memory[t + -16])->l + ((__local qn_alias_right *)&memory[t
            + -16 + 16])->r + ((__local qn_alias_both_sides *)&memory[t + -16])->extra;
    } else if (selector == 208ul || selector == 264ul) {
        t_1 = ((__local qn_alias_shape *)&memory[t])->scale;
    } else if (selector == 288ul) {
        t_1 = 2 * scale;
    } else if (selector == 376ul || selector == 496ul || selector == 584ul) {
        long value_7 =
            virtual_tables_table0[(ulong)((__global uchar *)*(__local qn_alias_long *)&memory[t] +
            -24) >> 3];
        t_1 = ((__local qn_alias_base *)&memory[t + value_7
            + virtual_tables_table0[(ulong)((__global uchar *)*(__local qn_alias_long *)&memory[t
            + value_7] + -24) >> 3]])->b + 10 * ((__local qn_alias_second *)&memory[t
            + value_7])->s;
    } else if (selector == 432ul || selector == 520ul)
        t_1 = ((__local qn_alias_shape *)&memory[t])->scale;
    else
        t_1 = ((__local qn_alias_base *)&memory[t
            + virtual_tables_table0[(ulong)((__global uchar *)value_1 + -24) >> 3]])->b + 10
            * scale;
    ulong selector_1 = (ulong)(__global uchar *)*(__local qn_alias_long *)&memory[t];
    int t_2;
    if (selector_1 == 16ul || selector_1 == 64ul) {
        t_2 = 0;
    } else if (selector_1 == 112ul) {
        t_2 = 4;
    } else if (selector_1 == 160ul)
        t_2 = 100;
    else
        t_2 = ((__local qn_alias_shape *)&memory[t])->scale + ((__local qn_alias_right *)&memory[t
            + 16])->r + ((__local qn_alias_both_sides *)&memory[t])->extra;
    /* virtual_functions.cu:48-52 */
    int v_1 = v + (scale * t_1 + t_2);
    int t_3 = i & 1;
    ulong value_2 = all_[t_3];
    ulong t_4 = value_2 >> 62;
    long t_5 = value_2 & 0x3ffffffffffffffful;
    long t_6 = value_2 & 0x3ffffffffffffffful;
    ulong t_7 = (uint)t_4 == 0 ? *(__global qn_alias_long *)(__global uchar *)value_2
        : (uint)t_4 == 2 ? *(__local qn_alias_long *)(__local uchar *)t_6 :
        *(qn_alias_long *)(uchar *)t_5;
    ulong t_8 = t_7 >> 62;
    long t_9 = t_7 & 0x3ffffffffffffffful;
    long t_10 = t_7 & 0x3ffffffffffffffful;
    ulong t_11 = (t_3 != 0 ? 9l : 1l) - 1ul;
    ulong selector_2 = (ulong)(__global uchar *)virtual_tables_table0[((uint)t_8 == 2
        ? (ulong)((__local uchar *)t_10 + t_11) | 0x8000000000000000ul : (uint)t_8 == 0
        ? (ulong)((__global uchar *)t_7 + t_11) : (ulong)((uchar *)t_9 + t_11)
        | 0x4000000000000000ul) >> 3];
    int t_12;
    if (selector_2 == 10ul) {
        int t_40 = (uint)t_4 == 0 ? ((__global qn_alias_circle *)(__global uchar *)value_2)->radius
            : (uint)t_4 == 2 ? ((__local qn_alias_circle *)(__local uchar *)t_6)->radius
            : ((qn_alias_circle *)(uchar *)t_5)->radius;
        t_12 = 3 * t_40 * t_40;
    } else if (selector_2 == 12ul) {
        t_12 = 0;
    } else if (selector_2 == 20ul) {
        int t_41 = (uint)t_4 == 0 ? ((__global qn_alias_square *)(__global uchar *)value_2)->side
            : (uint)t_4 == 2 ? ((__local qn_alias_square *)(__local uchar *)t_6)->side
            : ((qn_alias_square *)(uchar *)t_5)->side;
        t_12 = t_41 * t_41;
    } else if (selector_2 == 22ul) {
        t_12 = 4;
    } else if (selector_2 == 26ul) {
        t_12 = (uint)t_4 == 0 ? ((__global qn_alias_shape *)(__global uchar *)value_2)->scale
            : (uint)t_4 == 2 ? ((__local qn_alias_shape *)(__local uchar *)t_6)->scale
            : ((qn_alias_shape *)(uchar *)t_5)->scale;
    } else if (selector_2 == 28ul) {
        t_12 = 100;
    } else if (selector_2 == 32ul) {
        t_12 = (uint)t_4 == 0 ? ((__global qn_alias_left *)(__global uchar *)value_2)->l
            : (uint)t_4 == 2 ? ((__local qn_alias_left *)(__local uchar *)t_6)->l
            : ((qn_alias_left *)(uchar *)t_5)->l;
    } else if (selector_2 == 34ul) {
        /* virtual_functions.cu:65 */
        int t_42 = (uint)t_4 == 0 ? ((__global qn_alias_left *)(__global uchar *)value_2)->l
            : (uint)t_4 == 2 ? ((__local qn_alias_left *)(__local uchar *)t_6)->l
            : ((qn_alias_left *)(uchar *)t_5)->l;
        int t_43 = (uint)t_4 == 0
            ? ((__global qn_alias_right *)&((__global uchar *)value_2)[16])->r : (uint)t_4 == 2
            ? ((__local qn_alias_right *)&((__local uchar *)t_6)[16])->r
            : ((qn_alias_right *)&((uchar *)t_5)[16])->r;
        int t_44 = (uint)t_4 == 0
            ? ((__global qn_alias_both_sides *)(__global uchar *)value_2)->extra : (uint)t_4 == 2
            ? ((__local qn_alias_both_sides *)(__local uchar *)t_6)->extra
            : ((qn_alias_both_sides *)(uchar *)t_5)->extra;
        t_12 = t_42 + t_43 + t_44;
    } else if (selector_2 == 36ul) {
        /* virtual_functions.cu:65 */
        int t_45 = (uint)t_4 == 0
            ? ((__global qn_alias_left *)&((__global uchar *)value_2)[-16])->l : (uint)t_4 == 2
            ? ((__local qn_alias_left *)&((__local uchar *)t_6)[-16])->l
            : ((qn_alias_left *)&((uchar *)t_5)[-16])->l;
        int t_46 = (uint)t_4 == 0 ? ((__global qn_alias_right *)&((__global uchar *)value_2 +
            -16)[16])->r : (uint)t_4 == 2 ? ((__local qn_alias_right *)&((__local uchar *)t_6 +
            -16)[16])->r : ((qn_alias_right *)&((uchar *)t_5 + -16)[16])->r;
        int t_47 = (uint)t_4 == 0
            ? ((__global qn_alias_both_sides *)&((__global uchar *)value_2)[-16])->extra
            : (uint)t_4 == 2 ? ((__local qn_alias_both_sides *)&((__local uchar *)t_6)[-16])->extra
            : ((qn_alias_both_sides *)&((uchar *)t_5)[-16])->extra;
        t_12 = t_45 + t_46 + t_47;
    } else if (selector_2 == 38ul) {
        int t_48 = (uint)t_4 == 0 ? ((__global qn_alias_right *)(__global uchar *)value_2)->r
            : (uint)t_4 == 2 ? ((__local qn_alias_right *)(__local uchar *)t_6)->r
            : ((qn_alias_right *)(uchar *)t_5)->r;
        t_12 = 2 * t_48;
    } else if (selector_2 == 40ul) {
        t_12 = (uint)t_4 == 0 ? ((__global qn_alias_base *)(__global uchar *)value_2)->b
            : (uint)t_4 == 2 ? ((__local qn_alias_base *)(__local uchar *)t_6)->b
            : ((qn_alias_base *)(uchar *)t_5)->b;
    } else if (selector_2 == 42ul) {
        /* virtual_functions.cu:76 */
        long value_8 = virtual_tables_table0[((uint)t_8 == 2 ? (ulong)((__local uchar *)t_10 + -24)
            | 0x8000000000000000ul : (uint)t_8 == 0 ? (ulong)((__global uchar *)t_7 + -24)
            : (ulong)((uchar *)t_9 + -24) | 0x4000000000000000ul) >> 3];
        int t_49 = (uint)t_4 == 0
            ? ((__global qn_alias_base *)&((__global uchar *)value_2)[value_8])->b : (uint)t_4 == 2
            ? ((__local qn_alias_base *)&((__local uchar *)t_6)[value_8])->b
            : ((qn_alias_base *)&((uchar *)t_5)[value_8])->b;
        int t_50 = (uint)t_4 == 0 ? ((__global qn_alias_second *)(__global uchar *)value_2)->s
            : (uint)t_4 == 2 ? ((__local qn_alias_second *)(__local uchar *)t_6)->s
            : ((qn_alias_second *)(uchar *)t_5)->s;
        t_12 = t_49 + 10 * t_50;
    } else {
        long value_9 = virtual_tables_table0[((uint)t_8 == 2 ? (ulong)((__local uchar *)t_10 + -24)
            | 0x8000000000000000ul : (uint)t_8 == 0 ? (ulong)((__global uchar *)t_7 + -24)
            : (ulong)((uchar *)t_9 + -24) | 0x4000000000000000ul) >> 3];
        /* virtual_functions.cu:76 */
        ulong t_51 = (uint)t_4 == 0 ?
            *(__global qn_alias_long *)&((__global uchar *)value_2)[value_9] : (uint)t_4 == 2 ?
            *(__local qn_alias_long *)&((__local uchar *)t_6)[value_9] :
            *(qn_alias_long *)&((uchar *)t_5)[value_9];
        ulong t_52 = t_51 >> 62;
        long value_10 = virtual_tables_table0[((uint)t_52 == 2 ? (ulong)((__local uchar *)(t_51
            & 0x3ffffffffffffffful) + -24) | 0x8000000000000000ul : (uint)t_52 == 0
            ? (ulong)((__global uchar *)t_51 + -24) : (ulong)((uchar *)(t_51
            & 0x3ffffffffffffffful) + -24) | 0x4000000000000000ul) >> 3];
        int t_53 = (uint)t_4 == 0 ? ((__global qn_alias_base *)&((__global uchar *)value_2)[value_9
            + value_10])->b : (uint)t_4 == 2
            ? ((__local qn_alias_base *)&((__local uchar *)t_6)[value_9 + value_10])->b
            : ((qn_alias_base *)&((uchar *)t_5)[value_9 + value_10])->b;
        int t_54 = (uint)t_4 == 0
            ? ((__global qn_alias_second *)&((__global uchar *)value_2)[value_9])->s
            : (uint)t_4 == 2 ? ((__local qn_alias_second *)&((__local uchar *)t_6)[value_9])->s
            : ((qn_alias_second *)&((uchar *)t_5)[value_9])->s;
        t_12 = t_53 + 10 * t_54;
    }
    /* virtual_functions.cu:52 */
    out[i] = v_1 + t_12;
}

/* bases, virtual_functions.cu:82 */
__kernel void bases(__global int *out, __global const int *in, int n)
{
    int i = get_local_id(0);
    struct both_sides both __attribute__((aligned(8)));
    both.base.f0 = 264;
    both.base_2.f0 = 288;
    both.base.f0 = 208;
    both.base_2.f0 = 240;
    struct right plain __attribute__((aligned(8)));
    plain._vptr_right = 288;
    ((qn_alias_left *)&both)->l = i;
    int r = 10 * i;
    plain.r = r;
    ((qn_alias_right *)&both.base_2)->r = r;
    both.extra = n;
    qn_alias_base *r_1 = (qn_alias_base *)(i % 3 != 0 ? &both.base_2 : (struct right_base *)&plain);
    struct diamond d __attribute__((aligned(8)));
    d.f4.f0 = 520;
    d.base.f0 = 408;
    d.f4.f0 = 432;
    d.base_2.f0 = 464;
    *(qn_alias_ulong *)((uchar *)&d.base_2 + 16) = 496;
    d.base.f0 = 320;
    d.f4.f0 = 376;
    d.base_2.f0 = 344;
    struct second s __attribute__((aligned(8)));
    s.f3.f0 = 520;
    s._vptr_second = 552;
    s.f3.f0 = 584;
    int value = in[i];
    ((qn_alias_base *)&s.f3)->b = value;
    ((qn_alias_base *)&d.f4)->b = value;
    ((qn_alias_second *)&d.base_2)->s = 2;
    s.s = 3;
    qn_alias_base *some = (qn_alias_base *)((i & 1) != 0 ? &d.base_2 : (struct second_base *)&s);
    qn_alias_base *b = (qn_alias_base *)((i & 2) != 0 ? &d.f4 : &s.f3);
    __global uchar *p = (__global uchar *)r_1->_vptr_base;
    int radius;
    int side;
    long value_1;
    int t;
    switch ((ulong)p) {
    case 16ul:
        radius = ((qn_alias_circle *)r_1)->radius;
        t = 3 * radius * radius;
        break;
    case 112ul:
        side = ((qn_alias_square *)r_1)->side;
        t = side * side;
        break;
    case 160ul:
        t = ((qn_alias_shape *)r_1)->scale;
        break;
    case 240ul:
        t = ((qn_alias_left *)((uchar *)r_1 - 16))->l + ((qn_alias_right *)&((uchar *)r_1
            - 16)[16])->r + ((qn_alias_both_sides *)((uchar *)r_1 - 16))->extra;
        break;
    case 208ul:
    case 264ul:
        t = ((qn_alias_left *)r_1)->l;
        break;
    case 288ul:
        t = 2 * ((qn_alias_right *)r_1)->r;
        break;
    case 376ul:
    case 496ul:
    case 584ul:
        value_1 = virtual_tables_table0[(ulong)((__global uchar *)r_1->_vptr_base + -24) >> 3];
        t = ((qn_alias_base *)&((uchar *)r_1
            + value_1)[virtual_tables_table0[(ulong)((__global uchar *)*(qn_alias_ulong *)((uchar
            *)r_1 + value_1) + -24) >> 3]])->b + 10 * ((qn_alias_second *)((uchar *)r_1
            + value_1))->s;
        break;
    case 432ul:
    case 520ul:
        t = r_1->b;
        break;
    default:
        t = ((qn_alias_base *)((uchar *)r_1 + virtual_tables_table0[(ulong)(p + -24) >> 3]))->b
            + 10 * ((qn_alias_second *)r_1)->s;
    }
    __global uchar *p_1 = (__global uchar *)some->_vptr_base;
    int radius_1;
    int side_1;
    long value_2;
    int t_1;
    switch ((ulong)p_1) {
    case 16ul:
        radius_1 = ((qn_alias_circle *)some)->radius;
        t_1 = 3 * radius_1 * radius_1;
        break;
    case 112ul:
        side_1 = ((qn_alias_square *)some)->side;
        t_1 = side_1 * side_1;
        break;
    case 160ul:
        t_1 = ((qn_alias_shape *)some)->scale;
        break;
    case 240ul:
        t_1 = ((qn_alias_left *)((uchar *)some - 16))->l + ((qn_alias_right *)&((uchar *)some
            - 16)[16])->r + ((qn_alias_both_sides *)((uchar *)some - 16))->extra;
        break;
    case 208ul:
    case 264ul:
        t_1 = ((qn_alias_left *)some)->l;
        break;
    case 288ul:
        t_1 = 2 * ((qn_alias_right *)some)->r;
        break;
    case 376ul:
    case 496ul:
    case 584ul:
        value_2 = virtual_tables_table0[(ulong)((__global uchar *)some->_vptr_base + -24) >> 3];
        t_1 = ((qn_alias_base *)&((uchar *)some
            + value_2)[virtual_tables_table0[(ulong)((__global uchar *)*(qn_alias_ulong *)((uchar
            *)some + value_2) + -24) >> 3]])->b + 10 * ((qn_alias_second *)((uchar *)some
            + value_2))->s;
        break;
    case 432ul:
    case 520ul:
        t_1 = some->b;
        break;
    default:
        t_1 = ((qn_alias_base *)((uchar *)some + virtual_tables_table0[(ulong)(p_1 + -24)
            >> 3]))->b + 10 * ((qn_alias_second *)some)->s;
    }
    __global uchar *p_2 = (__global uchar *)b->_vptr_base;
    int radius_2;
    int side_2;
    long value_3;
    int t_2;
    switch ((ulong)p_2) {
    case 16ul:
        radius_2 = ((qn_alias_circle *)b)->radius;
        t_2 = 3 * radius_2 * radius_2;
        break;
    case 112ul:
        side_2 = ((qn_alias_square *)b)->side;
        t_2 = side_2 * side_2;
        break;
    case 160ul:
        t_2 = ((qn_alias_shape *)b)->scale;
        break;
    case 240ul:
        t_2 = ((qn_alias_left *)((uchar *)b - 16))->l + ((qn_alias_right *)&((uchar *)b
            - 16)[16])->r + ((qn_alias_both_sides *)((uchar *)b - 16))->extra;
        break;
    case 208ul:
    case 264ul:
        t_2 = ((qn_alias_left *)b)->l;
        break;
    case 288ul:
        t_2 = 2 * ((qn_alias_right *)b)->r;
        break;
    case 376ul:
    case 496ul:
    case 584ul:
        value_3 = virtual_tables_table0[(ulong)((__global uchar *)b->_vptr_base + -24) >> 3];
        t_2 = ((qn_alias_base *)&((uchar *)b
            + value_3)[virtual_tables_table0[(ulong)((__global uchar *)*(qn_alias_ulong *)((uchar
            *)b + value_3) + -24) >> 3]])->b + 10 * ((qn_alias_second *)((uchar *)b + value_3))->s;
        break;
    case 432ul:
    case 520ul:
        t_2 = b->b;
        break;
    default:
        t_2 = ((qn_alias_base *)((uchar *)b + virtual_tables_table0[(ulong)(p_2 + -24) >> 3]))->b
            + 10 * ((qn_alias_second *)b)->s;
    }
    out[i] = t + 1000 * t_1 + 7 * t_2 + ((qn_alias_base *)((uchar *)some
        + virtual_tables_table0[(ulong)((__global uchar *)some->_vptr_base + -24) >> 3]))->b;
}
