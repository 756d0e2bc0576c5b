#pragma OPENCL FP_CONTRACT ON

struct block {
    ushort scale;
    uchar high[4];
    uchar quants[16];
};

/* run, packed.cu:10 */
__kernel void run(__global uint *out, __global const uchar *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    __global const struct block *b = ((__global const struct block *)in) + i;
    uint high = as_int(vload4(0, b->high));
    uint sum = as_ushort(vload2(0, (__global const uchar *)&b->scale));
    for (int k = 0; k < 16; k++)
        sum = sum * 31 + (b->quants[k] & 15) + ((high >> k) & 1) * 16;
    out[i] = sum;
}
