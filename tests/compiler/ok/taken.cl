#pragma OPENCL FP_CONTRACT ON

/* the low 32 bits of a product of 24-bit numbers */
int qn_mul24(int a, int b)
{
    return (int)((uint)(a << 8 >> 8) * (uint)(b << 8 >> 8));
}

/* k, taken.cu:2 */
__kernel void k(__global float *vload4_, int mul24_, float fract_)
{
    float4 v = *(__global float4 *)&vload4_[4 * (uint)get_local_id(0)];
    int M_E_ = mul24_ + convert_int_sat(fract_);
    int INT_MAX_ = M_E_ * 3;
    float v_1 = v.x;
    vload4_[get_local_id(0)] = v_1 + (float)qn_mul24(INT_MAX_, M_E_);
}
