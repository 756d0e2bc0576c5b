#pragma OPENCL FP_CONTRACT ON

struct image2d_array_t_ {
    int memory_order_;
    int bool4_;
};

__constant int row_table0[4] = {1, 2, 3, 4};

/* the low 32 bits of a product of 24-bit numbers */
int qn_mul24(int a, int b)
{
    return (int)((uint)(a << 8 >> 8) * (uint)(b << 8 >> 8));
}

/* k, legal_names.cu:6 */
__kernel void k(__global float *vload4_, int mul24_, float fract_)
{
    float4 v = *(__global float4 *)&vload4_[4 * (uint)get_local_id(0)];
    int M_E_ = (uint)mul24_ + convert_int_sat(fract_);
    int INT_MAX_ = M_E_ * 3u;
    float v_1 = v.x;
    vload4_[get_local_id(0)] = v_1 + (float)qn_mul24(INT_MAX_, M_E_);
}

/* isunordered, legal_names.cu:14 */
__kernel void isunordered_(__global struct image2d_array_t_ *out, int M_PI_F_)
{
    for (int cl_khr_fp16_ = 0; cl_khr_fp16_ < M_PI_F_; cl_khr_fp16_++) {
        out[cl_khr_fp16_].memory_order_ += M_PI_F_;
        out[cl_khr_fp16_].bool4_ ^= cl_khr_fp16_;
    }
}

/* row_table0, legal_names.cu:24 */
__kernel void row_table0_(__global int *out, int row_table1_)
{
    out[get_local_id(0)] = row_table0[get_local_id(0) & 3] * row_table1_;
}
