#pragma OPENCL FP_CONTRACT ON

struct nvcuda_wmma___qn_fragment_2 {
    int x[8];
};

struct nvcuda_wmma_fragment_1 {
    struct nvcuda_wmma___qn_fragment_2 base;
};

struct nvcuda_wmma___qn_fragment {
    char x[8];
};

struct nvcuda_wmma_fragment {
    struct nvcuda_wmma___qn_fragment base;
};

struct nvcuda_wmma_fragment_0 {
    struct nvcuda_wmma___qn_fragment base;
};

typedef float __attribute__((may_alias)) qn_alias_float;

/* number of the work-item in its group; a warp is 32 of them in a row */
uint qn_linear_id(void)
{
    return ((uint)get_local_id(2) * (uint)get_local_size(1) + (uint)get_local_id(1))
        * (uint)get_local_size(0) + (uint)get_local_id(0);
}

/* the words of four lanes of the warp */
__attribute__((always_inline)) uint4 qn_mma_lanes_local(__local uint *slots, uint v, uint4 lanes)
{
    const uint id = qn_linear_id();
    const __local uint *const warp = slots + id / 32 * 32;
    slots[id] = v;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const uint4 words = (uint4)(warp[lanes.x], warp[lanes.y], warp[lanes.z], warp[lanes.w]);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return words;
}

/* c plus a row of A times a column of B: four words of each */
float qn_mma_dot_bf16(uint4 a, uint4 b, float c)
{
    const float4 low = as_float4(a << 16) * as_float4(b << 16);
    const float4 four = low + as_float4(a & 0xffff0000u) * as_float4(b & 0xffff0000u);
    const float2 two = four.lo + four.hi;
    return c + (two.x + two.y);
}

/* c + A B for a warp: A of 16 rows, B of 8 columns, `words` (4 or 8) deep. Of A a lane has words lane % 4 and
 * that plus 4 of row lane / 4, then of that plus 8 (s0, s2; s1, s3), of B the same words of column lane / 4 (s4,
 * s5), of the result columns lane % 4 * 2 and the next one of its two rows */
__attribute__((always_inline)) float4 qn_mma_bf16_local(__local uint *slots, uint8 ab, float4 c, uint words)
{
    const uint id = qn_linear_id(), row = id % 32 / 4, k = id % 4;
    __local uint *const a = slots + id / 32 * 192, *const b = a + 128;
    a[8 * row + k] = ab.s0;
    a[8 * row + 64 + k] = ab.s1;
    a[8 * row + k + 4] = ab.s2;
    a[8 * row + 64 + k + 4] = ab.s3;
    b[8 * row + k] = ab.s4;
    b[8 * row + k + 4] = ab.s5;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint w = 0; w < words; w += 4) {
        const uint4 upper = vload4(0, a + 8 * row + w), lower = vload4(0, a + 8 * row + 64 + w);
        const uint4 left = vload4(0, b + 16 * k + w), right = vload4(0, b + 16 * k + 8 + w);
        c.s0 = qn_mma_dot_bf16(upper, left, c.s0);
        c.s1 = qn_mma_dot_bf16(upper, right, c.s1);
        c.s2 = qn_mma_dot_bf16(lower, left, c.s2);
        c.s3 = qn_mma_dot_bf16(lower, right, c.s3);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return c;
}

/* of all */
int qn_mma_count(int16 v)
{
    const int8 eight = v.lo + v.hi;
    const int4 four = eight.lo + eight.hi;
    const int2 two = four.lo + four.hi;
    return two.x + two.y;
}

/* sixteen bytes */
int16 qn_mma_bytes_s8(uint4 words)
{
    return convert_int16(as_char16(words));
}

/* c plus a row of A times a column of B: four words of each */
int qn_mma_dot_s8s8(uint4 a, uint4 b, int c)
{
    return (int)((uint)c + (uint)qn_mma_count(qn_mma_bytes_s8(a) * qn_mma_bytes_s8(b)));
}

/* c + A B for a warp: A of 16 rows, B of 8 columns, `words` (4 or 8) deep. Of A a lane has words lane % 4 and
 * that plus 4 of row lane / 4, then of that plus 8 (s0, s2; s1, s3), of B the same words of column lane / 4 (s4,
 * s5), of the result columns lane % 4 * 2 and the next one of its two rows */
__attribute__((always_inline)) int4 qn_mma_s8s8_local(__local uint *slots, uint8 ab, int4 c, uint words)
{
    const uint id = qn_linear_id(), row = id % 32 / 4, k = id % 4;
    __local uint *const a = slots + id / 32 * 192, *const b = a + 128;
    a[8 * row + k] = ab.s0;
    a[8 * row + 64 + k] = ab.s1;
    a[8 * row + k + 4] = ab.s2;
    a[8 * row + 64 + k + 4] = ab.s3;
    b[8 * row + k] = ab.s4;
    b[8 * row + k + 4] = ab.s5;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint w = 0; w < words; w += 4) {
        const uint4 upper = vload4(0, a + 8 * row + w), lower = vload4(0, a + 8 * row + 64 + w);
        const uint4 left = vload4(0, b + 16 * k + w), right = vload4(0, b + 16 * k + 8 + w);
        c.s0 = qn_mma_dot_s8s8(upper, left, c.s0);
        c.s1 = qn_mma_dot_s8s8(upper, right, c.s1);
        c.s2 = qn_mma_dot_s8s8(lower, left, c.s2);
        c.s3 = qn_mma_dot_s8s8(lower, right, c.s3);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return c;
}

/* by_ptx, tensor_cores.cu:7 */
__kernel void by_ptx(__global qn_alias_float *c, __global const int4 *a, __global const uint *b)
{
    __local int4 tile[32];
    __local uint lanes[6144];
    __local uchar shared_window[16] __attribute__((aligned(128)));

    int lane = get_local_id(0);
    tile[lane] = a[lane];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint t = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0)
        + get_local_id(0)) & 31;
    uint t_1 = t >> 2;
    int4 result = as_int4(qn_mma_lanes_local(lanes, (uint)((ulong)shared_window
        + (int)((ulong)(tile + (lane % 16 * 2 + lane / 16)) - (ulong)shared_window)
        - (ulong)shared_window), as_uint4((int4)(t_1, t_1 + 8, t_1 + 16, t_1 + 24))));
    uint t_2 = (t & 3) * 4;
    int value = *(__local int *)(__local uchar *)((ulong)shared_window + (int)(result.x + t_2));
    int value_1 = *(__local int *)(__local uchar *)((ulong)shared_window + (int)(result.y + t_2));
    int value_2 = *(__local int *)(__local uchar *)((ulong)shared_window + (int)(result.z + t_2));
    int value_3 = *(__local int *)(__local uchar *)((ulong)shared_window + (int)(result.w + t_2));
    int value_4 = b[lane];
    int value_5 = b[lane + 32];
    float4 result_1 = qn_mma_bf16_local(lanes, as_uint8((int8)(value, value_1, value_2, value_3,
        value_4, value_5, 0, 0)), (float4)(0.0f), 8);
    float d[4] __attribute__((aligned(64)));
    d[0] = result_1.x;
    d[1] = result_1.y;
    d[2] = result_1.z;
    d[3] = result_1.w;
    for (int i = 0; i < 4; i++)
        c[4 * lane + i] = d[i];
}

/* by_fragments, tensor_cores.cu:26 */
__kernel void by_fragments(__global int *c, __global const char *a, __global const char *b)
{
    __local uint lanes[6144];

    struct nvcuda_wmma_fragment_1 fc __attribute__((aligned(64)));
    for (int i = 0; i < 8; i++)
        fc.base.x[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    struct nvcuda_wmma_fragment fa __attribute__((aligned(16)));
    for (int i = 0; i < 8; i++) {
        int t = i / 4;
        uint lane = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1))
            * get_local_size(0) + get_local_id(0)) & 31;
        int outer = t / 2 * 8 * 2 + t % 2 * 8 + (int)lane / 4;
        int inner = (int)lane % 4 * 4 + i % 4;
        char v = a[outer * 16u + inner];
        fa.base.x[i] = v;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    struct nvcuda_wmma_fragment_0 fb __attribute__((aligned(16)));
    for (int i = 0; i < 8; i++) {
        uint lane = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1))
            * get_local_size(0) + get_local_id(0)) & 31;
        int outer = i / 4 * 8 + (int)lane / 4;
        int inner = (int)lane % 4 * 4 + i % 4;
        char v = b[outer * 16u + inner];
        fb.base.x[i] = v;
    }
    for (int block = 0; block < 2; block++) {
        uchar value = fa.base.x[0];
        uchar value_1 = fa.base.x[1];
        uchar value_2 = fa.base.x[2];
        uchar value_3 = fa.base.x[3];
        uchar value_4 = fa.base.x[4];
        uchar value_5 = fa.base.x[5];
        uchar value_6 = fa.base.x[6];
        uchar value_7 = fa.base.x[7];
        int t = 4 * block;
        uchar value_8 = *((uchar *)&fb + (long)t);
        int t_1 = t + 1;
        uchar value_9 = *((uchar *)&fb + (long)t_1);
        int t_2 = t + 2;
        uchar value_10 = *((uchar *)&fb + (long)t_2);
        int t_3 = t + 3;
        uchar value_11 = *((uchar *)&fb + (long)t_3);
        int c0 = fc.base.x[t];
        int c1 = fc.base.x[t_1];
        int c2 = fc.base.x[t_2];
        int c3 = fc.base.x[t_3];
        int4 s = qn_mma_s8s8_local(lanes, as_uint8((int8)(value | (value_1 << 8) | (value_2 << 16)
            | (value_3 << 24), value_4 | (value_5 << 8) | (value_6 << 16) | (value_7 << 24), 0, 0,
            value_8 | (value_9 << 8) | (value_10 << 16) | (value_11 << 24), 0, 0, 0)), (int4)(0),
            4);
        int result = add_sat(s.x, c0);
        s = (int4)(result, s.y, s.z, s.w);
        int result_1 = add_sat(s.y, c1);
        s = (int4)(s.x, result_1, s.z, s.w);
        int result_2 = add_sat(s.z, c2);
        fc.base.x[t] = result;
        fc.base.x[t_1] = result_1;
        fc.base.x[t_2] = result_2;
        fc.base.x[t_3] = add_sat(s.w, c3);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int i = 0; i < 8; i++) {
        uint lane = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1))
            * get_local_size(0) + get_local_id(0)) & 31;
        int row = (int)lane / 4;
        int column = (int)lane % 4 * 2 + i % 2;
        row += i / 2 % 2 * 8;
        column += i / 4 * 8;
        c[row * 16 + column] = fc.base.x[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
