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
