#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

/* double to int as the hardware casts it: the nearest one, and for NaN the top bit */
int qn_to_int_f64(double x)
{
    return isnan(x) ? INT_MIN : convert_int_sat(x);
}

/* run, bitfields.cu:16 */
__kernel void run(__global double *out, __global const double *in, int n)
{
    int i = get_local_id(0);
    int v = qn_to_int_f64(in[i]) * 5317 - 40000;
    char t = (char)(((char)v & 31) << 3);
    char p = ((char)v & 7) | t;
    p = t | ((char)((uchar)(p & 7) + 3) & 7);
    double t_1 = (double)((uchar)(p & 7) + (p >> 3) * 100) + (double)(((ulong)(((long)v * 99999)
        & 0xffffffffffl) + n) & 0xfffffffffful) + (double)(char)v + (double)(((((v & 2) != 0) & 1)
        & 1) != 0) + (double)(((((((long)v * 1234567) << 24) >> 24) - n) << 24) >> 24) * 3.0;
    out[i] = t_1 + (double)(char)i;
}
