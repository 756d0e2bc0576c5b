#pragma OPENCL FP_CONTRACT ON

struct block {
    ushort scale;
    uchar high[4];
    uchar quants[16];
};

struct odd {
    char c;
    short4 v;
} __attribute__((packed));

struct anon_0 {
    int x;
    int y;
};

struct anon {
    short a;
    struct anon_0 in;
};

struct outer {
    struct anon list[2];
};

typedef struct outer __attribute__((may_alias)) qn_alias_outer;

/* run, packed.cu:10 */
__kernel void run(__global uint *out, __global const uchar *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    __global const struct block *b = (__global const struct block *)in + i;
    uint high = as_int(vload4(0, b->high));
    uint sum = as_ushort(vload2(0, (__global const uchar *)&b->scale));
    for (int k = 0; k < 16; k++)
        sum = sum * 31 + (b->quants[k] & 15) + ((high >> k) & 1) * 16;
    out[i] = sum;
}

/* components, packed.cu:38 */
__kernel void components(__global struct odd *out, __global const qn_alias_outer *in, int n)
{
    int i = get_local_id(0);
    out[i].v.y = 7;
    out[i].v.w = (short)(n - i);
    out[i].c = (char)(in[i].list[n & 1].in.y + in[i].list[0].a);
}
