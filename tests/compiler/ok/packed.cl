#pragma OPENCL FP_CONTRACT ON

struct block {
    short f0;
    uchar f1[4];
    uchar f2[16];
};

/* run, packed.cu:10 */
__kernel void run(__global uint *out, __global const uchar *in, int n)
{
    int i = (uint)get_group_id(0) * (uint)get_local_size(0) + (uint)get_local_id(0);
    if (i >= n)
        return;
    __global const struct block *b = ((__global const struct block *)in) + i;
    uint high = as_int(vload4(0, (__global const uchar *)((__global const int *)b->f1)));
    uint sum = (ushort)b->f0;
    for (int k = 0; k < 16; k++)
        sum = sum * 31u + (b->f2[k] & 15) + ((high >> k) & 1u) * 16u;
    out[i] = sum;
}
