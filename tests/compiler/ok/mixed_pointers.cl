#pragma OPENCL FP_CONTRACT ON

struct node {
    int value;
    ulong next;
};

struct view {
    ulong data;
    int n;
};

typedef int __attribute__((may_alias)) qn_alias_int;
typedef struct node __attribute__((may_alias)) qn_alias_node;

__constant int const__table0[4] = {1, 2, 3, 4};

/* run, mixed_pointers.cu:18 */
__kernel void run(__global int *out, __global const int *in, int n, __global const int *primes)
{
    __local int tile[32];

    int i = get_local_id(0);
    int zero[4] __attribute__((aligned(64)));
    for (uint qn_k = 0; qn_k < 4; qn_k++)
        zero[qn_k] = 0;
    tile[i] = in[31 - i];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int t = i & 3;
    int v = i < n ? (in + (i & 24))[t] : zero[t];
    int selector = i % 3;
    int t_1;
    /* mixed_pointers.cu:15 */
    if (selector == 0) {
        t_1 = 0;
    } else if (selector == 1)
        t_1 = 2;
    else
        t_1 = 1;
    int total = 0;
    int *p_private = zero;
    /* mixed_pointers.cu:27-37 */
    __global int *p_global = (__global int *)(in + 4);
    /* mixed_pointers.cu:8-9 */
    for (__local int *p_local = tile + 8; t_1 == 1 ? p_private != zero + 4 : t_1 == 0
        ? p_global != in + 4 + 4 : p_local != tile + 8 + 4; p_local = p_local + 1) {
        int t_3 = t_1 == 0 ? *p_global : t_1 == 2 ? *p_local : *p_private;
        total += t_3;
        p_private = p_private + 1;
        p_global = p_global + 1;
    }
    /* mixed_pointers.cu:27-37 */
    v += 3 * total;
    bool condition = (i & 1) != 0;
    int t_2 = 4 * i;
    for (int k = 0; k < 4; k++) {
        int t_4 = v + k;
        if (!condition)
            (out + 64 + t_2)[k] = t_4;
        else
            zero[k] = t_4;
    }
    v += zero[t];
    int walk_space = 0;
    __global int *walk_global = (__global int *)in;
    __local int *walk_local = 0;
    for (int k = 0; k < 5; k++) {
        int t_5 = walk_space == 0 ? walk_global[k] : walk_local[k];
        v += t_5;
        walk_space = (k + i) % 3 != 0 ? 2 : 0;
        walk_global = (__global int *)primes;
        walk_local = tile + k;
    }
    out[i] = v;
}

/* fields, mixed_pointers.cu:50 */
__kernel void fields(__global int *out, __global const int *in, int n)
{
    __local int tile[32];

    int i = get_local_id(0);
    int own[4] __attribute__((aligned(64)));
    own[0] = i;
    own[1] = i + 1;
    own[2] = i + 2;
    own[3] = i + 3;
    tile[i] = 5 * in[i];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    struct view views[4] __attribute__((aligned(128)));
    views[0].data = (ulong)(in + i);
    views[0].n = 1;
    views[1].data = (ulong)own | 0x4000000000000000ul;
    views[1].n = 3;
    views[2].data = (ulong)(tile + (i & 7)) | 0x8000000000000000ul;
    views[2].n = 4;
    views[3].data = 0;
    views[3].n = 0;
    if (i % 5 == 4) {
        for (uint qn_k = 0; qn_k < 16; qn_k++)
            ((uchar *)&views[1])[qn_k] = ((const uchar *)views)[qn_k];
    }
    int v = 0;
    for (int k = 0; k < 4; k++) {
        int t_4 = (k + i) & 3;
        ulong value = views[t_4].data;
        ulong t_5 = value >> 62;
        long t_6 = value & 0x3ffffffffffffffful;
        long t_7 = value & 0x3ffffffffffffffful;
        int w = views[t_4].n;
        if ((uint)t_5 != 0 || (__global uchar *)value != 0) {
            int total = 0;
            qn_alias_int *p_private = (qn_alias_int *)(uchar *)t_6;
            __global int *p_global = (__global int *)(__global uchar *)value;
            /* mixed_pointers.cu:8-9 */
            for (__local int *p_local = (__local int *)(__local uchar *)t_7; (uint)t_5 == 1
                ? p_private != (qn_alias_int *)(uchar *)t_6 + w : (uint)t_5 == 0
                ? p_global != (__global int *)(__global uchar *)value + w
                : p_local != (__local int *)(__local uchar *)t_7 + w; p_local = p_local + 1) {
                int t_8 = (uint)t_5 == 0 ? *p_global : (uint)t_5 == 2 ? *p_local : *p_private;
                total += t_8;
                p_private = p_private + 1;
                p_global = p_global + 1;
            }
            /* mixed_pointers.cu:64 */
            v += (k + 1) * total;
        }
    }
    struct node nodes[3] __attribute__((aligned(128)));
    for (ulong qn_k = 0; qn_k < 48; qn_k++)
        ((uchar *)nodes)[qn_k] = 0;
    nodes[0].value = v;
    nodes[1].value = 2;
    nodes[2].value = 3;
    nodes[0].next = (ulong)(nodes + 2) | 0x4000000000000000ul;
    nodes[2].next = (ulong)(nodes + 1) | 0x4000000000000000ul;
    for (qn_alias_node *at = nodes; at != 0; at = (qn_alias_node *)(uchar *)(at->next
        & 0x3ffffffffffffffful))
        v = 3 * v + at->value;
    ulong t = (i & 4) == 0 ? (ulong)in : (ulong)own | 0x4000000000000000ul;
    ulong t_1 = t + 8;
    ulong t_2 = t_1 >> 62;
    int t_3 = (uint)t_2 == 0 ? *(__global int *)(__global uchar *)t_1 : (uint)t_2 == 2 ?
        *(__local int *)(__local uchar *)(t_1 & 0x3ffffffffffffffful) :
        *(qn_alias_int *)(uchar *)(t_1 & 0x3ffffffffffffffful);
    out[i] = v + (((i & 1) == 0 ? (ulong)tile | 0x8000000000000000ul : (ulong)in) == ((i & 2) == 0
        ? (ulong)tile | 0x8000000000000000ul : (ulong)in)) + t_3 + (t % 4 == 0);
}

/* changes, mixed_pointers.cu:76 */
__kernel void changes(__global int *out, __global const int *in, int n)
{
    __local int counts[4];

    int i = get_local_id(0);
    int own[4] __attribute__((aligned(64)));
    for (uint qn_k = 0; qn_k < 4; qn_k++)
        own[qn_k] = const__table0[qn_k];
    if (i < 4) {
        counts[i] = i;
        out[64 + i] = i;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    bool condition = (i & 1) != 0;
    int t;
    __global uchar *p = 0;
    __local uchar *p_1 = 0;
    if (condition) {
        t = 2;
        p_1 = (__local uchar *)(counts + (i & 3));
    } else {
        t = 0;
        p = (__global uchar *)(out + (64 + (i & 3)));
    }
    int value = in[i];
    if (t == 0)
        atomic_add((__global int *)p, value);
    else
        atomic_add((__local int *)p_1, value);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (i < 4)
        out[68 + i] = counts[i];
    int from_space;
    __global int *from_global = 0;
    if (i % 3 != 0) {
        from_space = 1;
    } else {
        from_space = 0;
        from_global = (__global int *)(in + i % 16);
    }
    int copy = from_space == 0 ? *from_global : own[0];
    int copy_1 = from_space == 0 ? from_global[1] : own[1];
    long copy_2 = from_space == 0 ? as_long(vload8(0, (__global uchar *)&from_global[2]))
        : as_long(vload8(0, (uchar *)&own[2]));
    int t_1 = 4 * i;
    if (!condition)
        (out + 80)[t_1] = copy;
    else
        own[0] = copy;
    if (!condition)
        (out + 80 + t_1)[1] = copy_1;
    else
        own[1] = copy_1;
    if (!condition)
        vstore8(as_uchar8(copy_2), 0, (__global uchar *)&(out + 80 + t_1)[2]);
    else
        vstore8(as_uchar8(copy_2), 0, (uchar *)&own[2]);
    out[i] = copy_1 + own[i & 3];
}
