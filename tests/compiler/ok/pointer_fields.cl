#pragma OPENCL FP_CONTRACT ON

struct source {
    ulong tile;
    ulong in;
    int n;
};

struct link {
    ulong in;
    ulong tile;
    ulong next;
};

struct anon {
    ulong second;
    ulong in;
};

struct entry {
    ulong a;
    float v[20];
    ulong b;
};

typedef int __attribute__((may_alias)) qn_alias_int;
typedef struct source __attribute__((may_alias)) qn_alias_source;

/* n % d; by 0: all bits one, and by -1 always 0 */
int qn_rem_i32(int n, int d)
{
    const int r = n % (d == 0 || d == -1 ? 1 : d);
    return d == 0 ? -1 : r;
}

/* copies, pointer_fields.cu:23 */
__kernel void copies(__global float *out, __global const float *in, int n)
{
    __local float tile[32];
    __local struct source both[2];

    int t = get_local_id(0);
    tile[t] = in[t] * 2.0f;
    if (t == 0) {
        both[0].tile = (ulong)tile;
        both[0].in = (ulong)in;
        both[0].n = n;
        *(__local qn_alias_int *)((__local uchar *)both + 20) = 0;
        both[1].tile = (ulong)(tile + 1);
        both[1].in = (ulong)(in + 1);
        both[1].n = n;
        *(__local qn_alias_int *)((__local uchar *)&both[1] + 20) = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    struct source own[4];
    for (int i = 0; i < 4; i++) {
        own[i].tile = (ulong)(tile + i);
        own[i].in = (ulong)(in + i);
        own[i].n = n;
        *(qn_alias_int *)((uchar *)&own[i] + 20) = 0;
    }
    struct source other[4];
    for (int i = 0; i < 4; i++)
        other[i] = own[(i + n) & 3];
    int t_1 = n & 3;
    __local float *s = (__local float *)other[t_1].tile;
    __global float *s_1 = (__global float *)other[t_1].in;
    int s_2 = other[t_1].n;
    bool condition = n > 3;
    int t_2 = t & 7;
    float sum = s[t_2] + s_1[qn_rem_i32(t, s_2)] + ((condition ? tile : tile + 1)[t_2]
        + in[t % (condition ? n : 2)]) - ((__local const float *)both[n & 1].tile)[t_2]
        * ((__global const float *)both[t & 1].in)[t_2];
    for (qn_alias_source *p = other; p != other + 4; p = p + 1)
        sum = sum * 0.5f + ((__local const float *)p->tile)[t & 3]
            * ((__global const float *)p->in)[t_2];
    out[t] = sum;
}

/* elements, pointer_fields.cu:47 */
__kernel void elements(__global float *out, __global const float *in, int n)
{
    __local float tile[32];

    int t = get_local_id(0);
    tile[t] = in[t] * 2.0f;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    ulong pairs[3][2] __attribute__((aligned(128)));
    uchar boxes[4][16] __attribute__((aligned(8)));
    for (int i = 0; i < 3; i++) {
        pairs[i][0] = (ulong)(tile + i);
        pairs[i][1] = (ulong)(in + i);
        for (uint qn_k = 0; qn_k < 8; qn_k++)
            boxes[i][qn_k] = ((const uchar *)pairs[i])[qn_k];
        for (uint qn_k = 0; qn_k < 8; qn_k++)
            (&boxes[i][8])[qn_k] = ((const uchar *)&pairs[i][1])[qn_k];
    }
    int t_1 = n % 3;
    __local float *box = (__local float *)*(ulong *)boxes[t_1];
    __global float *b = (__global float *)*(ulong *)&boxes[(n + 1) % 3][8];
    for (int i = 0; i < n; i++) {
        int t_3 = i % 3;
        __local uchar *h = (__local uchar *)pairs[t_3][0];
        int t_4 = (i + 1) % 3;
        pairs[t_3][0] = pairs[t_4][0];
        pairs[t_4][0] = (ulong)h;
    }
    ulong (*row)[2] = n > 3 ? pairs : (ulong (*)[2])pairs[1];
    (*row)[1] = (ulong)((__global float *)(*row)[1] + 2);
    int t_2 = t & 7;
    out[t] = box[t_2] + b[t_2] * ((__local float *)pairs[t_1][0])[t & 3]
        - ((__local float *)(*row)[0])[1] * ((__global float *)pairs[1][1])[t & 1];
}

/* links, pointer_fields.cu:82 */
__kernel void links(__global float *out, __global const float *in, int n)
{
    __local float tile[32];

    int t = get_local_id(0);
    tile[t] = in[t] * 2.0f;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    struct link all_[4];
    for (int i = 0; i < 4; i++) {
        all_[i].in = (ulong)(in + i);
        all_[i].tile = (ulong)(tile + 2 * i);
        all_[i].next = (ulong)(i < 3 ? all_ + (i + 1) : (struct link *)0);
    }
    int t_1 = n & 1;
    all_[t_1].next = (ulong)(all_ + 3);
    float sum = 0.0f;
    for (struct link *p = all_; p != 0; p = (struct link *)p->next)
        sum = sum * 3.0f + ((__global const float *)p->in)[t & 7] - ((__local float *)p->tile)[t
            & 3];
    struct anon products[2] __attribute__((aligned(128)));
    products[0].second = (ulong)(tile + 1);
    products[0].in = (ulong)in;
    products[1].second = (ulong)(tile + 1);
    products[1].in = (ulong)in;
    int t_2 = t & 7;
    out[t] = sum + ((__local float *)products[t_1].second)[t_2]
        * ((__global const float *)products[t_1].in)[t_2];
}

/* many, pointer_fields.cu:102 */
__kernel void many(__global float *out, __global const float *in, int n)
{
    __local float tile[32];

    int t = get_local_id(0);
    tile[t] = in[t] * 2.0f;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    struct entry all_[60];
    for (int i = 0; i < 60; i++) {
        int t_2 = i & 7;
        all_[i].a = (ulong)(tile + t_2);
        all_[i].b = (ulong)(in + t_2);
        for (int k = 0; k < 20; k++)
            all_[i].v[k] = (float)(i + k);
    }
    int t_1 = t & 7;
    out[t] = ((__local const float *)all_[n].a)[t_1] + ((__global const float *)all_[n + t].b)[t_1]
        + all_[t].v[n % 20];
}

/* given, pointer_fields.cu:122 */
__kernel void given(__global float *out, struct source s, int n)
{
    __local float tile[32];

    int t = get_local_id(0);
    tile[t] = ((__global const float *)s.in)[t];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    __global uchar *p = (__global uchar *)s.in;
    struct source own[2] __attribute__((aligned(128)));
    own[1].in = (ulong)p;
    own[0].in = (ulong)p;
    own[1].tile = (ulong)tile;
    own[0].tile = (ulong)tile;
    own[1].n = 2;
    own[0].n = 2;
    int t_1 = n & 1;
    out[t] = ((__local const float *)own[t_1].tile)[t & 7]
        + ((__global const float *)own[t_1].in)[qn_rem_i32(t, own[t_1].n)];
}
