#pragma OPENCL FP_CONTRACT ON

/* four bytes picked from the eight of y:x by the low three bits of each nibble of s */
uint qn_byte_perm(uint x, uint y, uint s)
{
    const ulong bytes = upsample(y, x);
    uint r = 0;
    for (uint i = 0; i < 32; i += 8, s >>= 4)
        r |= ((uint)(bytes >> (8 * (s & 7))) & 0xff) << i;
    return r;
}

/* as qn_byte_perm; bit 3 of a nibble spreads the sign of the byte over it */
uint qn_prmt(uint x, uint y, uint s)
{
    const uint bytes = qn_byte_perm(x, y, s);
    const uint spread = (s & 8) << 4 | (s & 0x80) << 8 | (s & 0x800) << 12 | (s & 0x8000) << 16;
    const uint mask = (spread >> 7) * 0xff;
    return (bytes & ~mask) | (((bytes & spread) >> 7) * 0xff);
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
    uint result = qn_prmt((uint)value.z, (uint)value.w, 21520u);
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
    int result_1 = d_1 + d_2 + lane + d_3 + convert_int_sat(g);
    out[i] = result_1;
}
