#pragma OPENCL FP_CONTRACT ON

/* four bytes picked from the eight of y:x by the low three bits of each nibble of s; bit 3 spreads
 * the sign of the byte */
uint qn_byte_perm(uint x, uint y, uint s)
{
    const ulong bytes = upsample(y, x);
    uint r = 0;
    for (uint i = 0; i < 4; i++) {
        const uint select = s >> (4 * i);
        const uint byte = (uint)(bytes >> (8 * (select & 7))) & 0xff;
        r |= (select & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << (8 * i);
    }
    return r;
}

/* run, ptx.cu:64 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    int4 value = *(__global const int4 *)&in[i & -4];
    uint lo = in[i];
    uint t = lo + value.x;
    uint t_1 = (uint)i + value.y + (t < lo);
    int result = qn_byte_perm((uint)value.z, (uint)value.w, 21520u);
    uint d = (int)lo > 0 ? result ^ 255 : result;
    float f = (float)(d & 0xffff) / 64.0f;
    float g = fma(f, 0.5f, 1.0f);
    mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint d_1 = (t & (t_1 | d)) | (~t & (t_1 & d));
    uint d_2 = (uint)(((ulong)(uint)value.y & 0xffffffffffff00fful) | (((ulong)(uint)value.x << 8)
        & 0xff00));
    uint lane = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0)
        + get_local_id(0)) & 31;
    uint t_2 = i & 15;
    /* ptx.cu:26 */
    uint t_3 = (32 - t_2) & 255;
    ulong t_4 = 64 - (ulong)t_2;
    ulong t_5 = t_4 > 63 ? 63 : t_4;
    int d_3 = (ulong)t_2 == 0 ? 0 : (int)((((long)value.x >> (ulong)(t_3 > 32 ? 32 : t_3)) << t_5)
        >> t_5);
    /* ptx.cu:80-81 */
    int result_1 = d_1 + d_2 + lane + d_3 + (int)g;
    out[i] = result_1;
}
