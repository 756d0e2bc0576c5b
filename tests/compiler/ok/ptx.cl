#pragma OPENCL FP_CONTRACT ON

typedef short __attribute__((may_alias)) qn_alias_short;

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

/* float to half bits, to nearest even */
ushort qn_half_rte(float x)
{
    ushort bits;
    vstore_half_rte(x, 0, (half *)&bits);
    return bits;
}

/* the value of half bits; exact */
float qn_half_float(ushort bits)
{
    return vload_half(0, (const half *)&bits);
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
    ulong result_1 = min(64 - (ulong)t_2, 63ul);
    int d_3 = (ulong)t_2 == 0 ? 0 : (int)((((long)value.x >> (ulong)min((32 - t_2) & 255, 32u))
        << result_1) >> result_1);
    int result_2 = d_1 + d_2 + lane + d_3 + convert_int_sat(g);
    out[i] = result_2;
}

/* guarded, ptx.cu:108 */
__kernel void guarded(__global int *out, __global const int *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    __global const long2 *pair = (__global const long2 *)(in + (i & -4));
    long2 value = *pair;
    int whole = in[i];
    ulong a = value.x << 20;
    ulong b = (value.y << 21) | 0xfffff;
    bool condition = whole < 100;
    int less = whole < 300 ? -1 : 0;
    int more = b > a ? -1 : 0;
    float one = (float)(a > b);
    ushort rounded = qn_half_rte((float)whole * 0.3f);
    float back = qn_half_float(rounded);
    whole = whole * 2 + rounded + convert_int_sat(back * 8.0f);
    long wide = ((condition ? -1l : 0l) & 0x123456789abl) + (condition ? a : 7) + (long)less * 5
        + more + (int)one;
    int t = whole % 3 - 1;
    /* ptx.cu:88-102 */
    uint lo = (uint)a;
    uint hi = (uint)(a >> 32);
    uint b_lo = (uint)b;
    uint b_hi = (uint)(b >> 32);
    bool condition_1 = t > 0;
    uint t_1 = lo + b_lo;
    int t_2 = condition_1 ? t_1 : lo;
    uint t_3 = !condition_1 ? t_2 - b_hi : t_2;
    uint t_4 = hi + b_hi + (condition_1 ? t_1 < lo : lo + b_hi < lo);
    bool t_5 = t < 0;
    uint t_6 = t_3 + b_lo;
    /* ptx.cu:139-140 */
    ulong sum = (((ulong)(t_5 ? t_4 + b_hi + (t_6 < t_3) : t_4) << 32) | (t_5 ? t_6 : t_3)) ^ wide;
    out[i] = (uint)(sum ^ (sum >> 32)) +
        *(__global const qn_alias_short *)((__global const uchar *)&in[i] + 2) + whole;
}
