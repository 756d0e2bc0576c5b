#pragma OPENCL FP_CONTRACT ON

struct sizes {
    int stride;
    int step_;
};

struct tile_iterator {
    int mask[1];
    ulong params;
    ulong at;
    int offset[2];
};

/* array_beside_pointers, array_beside_pointers.cu:17 */
__kernel void array_beside_pointers(__global float *out, __global const float *in,
                                    struct sizes given, int n, __local uint4 *dynamic_shared)
{
    __local int *kept = (__local int *)dynamic_shared;

    struct sizes given_1 = given;
    struct tile_iterator it;
    it.params = (ulong)&given_1;
    it.at = (ulong)in;
    for (int i = 0; i < 2; i++)
        it.offset[i] = get_local_id(0) + i;
    it.mask[0] = 0;
    for (int i = 0; i < n; i++)
        it.mask[i / 32] |= 1 << (i % 32);
    for (int i = 0; i < n; i++) {
        int t = i % 2;
        kept[(uint)get_local_id(0) * 2 + t] = it.offset[t] + it.mask[0];
        it.at = (ulong)((__global const float *)it.at + *(const int *)it.params * it.offset[t]);
        given_1.stride += ((const struct sizes *)it.params)->step_;
        it.offset[t] += it.mask[i / 32];
    }
    out[get_local_id(0)] = *(__global const float *)it.at + (float)kept[((uint)get_local_id(0)
        * 2) ^ 1];
}
