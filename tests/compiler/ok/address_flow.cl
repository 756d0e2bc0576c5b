#pragma OPENCL FP_CONTRACT ON

struct view {
    ulong p;
    int n;
};

struct anon {
    struct view views[2];
};

/* run, address_flow.cu:7 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local int tile[32];

    int t = get_local_id(0);
    tile[t] = in[t];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    struct view views[2] __attribute__((aligned(128)));
    views[0].p = (ulong)tile;
    views[0].n = 1;
    views[1].p = (ulong)(tile + 16);
    views[1].n = 2;
    struct view copies[3] __attribute__((aligned(128)));
    for (int i = 0; i < 3; i++)
        copies[i] = views[i & 1];
    int sum = ((__local const int *)copies[n % 3].p)[3] * copies[n % 2].n;
    ulong t_1 = 0;
    struct anon at __attribute__((aligned(128)));
    do {
        ((struct view *)&at)[t_1] = views[t_1];
        t_1++;
    } while (t_1 != 2);
    for (int i = 0; i < n; i++)
        sum = sum * 3 + ((__local const int *)at.views[i & 1].p)[i & 7];
    ulong number = (ulong)((n & 1) != 0 ? tile : tile + 8);
    for (int i = 0; i < 4; i++)
        number += 4;
    out[t] = sum + ((__local int *)(__local uchar *)((number >> 2) << 2))[t & 3]
        + (uint)((ulong)(tile + 8) - (ulong)tile);
}
