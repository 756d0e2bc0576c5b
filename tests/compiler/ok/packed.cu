// A packed 22-byte block, read through wider pointers and memcpy: no alignment may be assumed.
#pragma pack(push, 1)
struct block {
    unsigned short scale;
    unsigned char high[4];
    unsigned char quants[16];
};
#pragma pack(pop)

extern "C" __global__ void run(unsigned *out, const unsigned char *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const block *b = (const block *)in + i;
    unsigned high;
    memcpy(&high, b->high, 4);
    unsigned sum = b->scale;
    for (int k = 0; k < 16; k++)
        sum = sum * 31 + (b->quants[k] & 15) + ((high >> k) & 1) * 16;
    out[i] = sum;
}

// A component of a vector in a packed struct, and structs without a name of their own.
struct __attribute__((packed)) odd {
    char c;
    short4 v;
};
struct outer {
    struct {
        short a;
        struct {
            int x, y;
        } in;
    } list[2];
};

extern "C" __global__ void components(odd *out, const outer *in, int n)
{
    int i = threadIdx.x;
    out[i].v.y = 7;
    out[i].v.w = (short)(n - i);
    out[i].c = (char)(in[i].list[n & 1].in.y + in[i].list[0].a);
}
// exercises: lower/widen_copies model/alias_types expr/expr_memory
