#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

typedef float __attribute__((may_alias)) qn_alias_float;
typedef double __attribute__((may_alias)) qn_alias_double;

/* double to uint as the hardware casts it: the nearest one, and for NaN the top bit */
uint qn_to_uint_f64(double x)
{
    return isnan(x) ? 1u << 31 : convert_uint_sat(x);
}

/* known, casts.cu:2 */
__kernel void known(__global uchar *out, __global int *bins, __global const qn_alias_float *in,
                    __global const uchar *rgb, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    float x = in[i];
    *out = (uchar)fmin(fmax(x, 0.0f), 255.0f);
    out[1] = (uchar)(fmin(fmax(x, 0.0f), 1.0f) * 255.0f + 0.5f);
    out[2] = (uchar)(0.299f * (float)*rgb + 0.587f * (float)rgb[1] + 0.114f * (float)rgb[2]);
    out[3] = (char)round(fmax(-127.0f, fmin(127.0f, x * 3.0f)));
    if (x >= 0.0f && x < 100.0f)
        atomic_add(bins + (int)x, 1);
    x = x > 1.0f ? 1.0f : x;
    if (x >= 0.0f) {
        bins[1] = (int)(x * 1000.0f);
        bins[2] = (int)ceil((float)n / 32.0f);
        bins[3] = (int)sqrt((double)(n & 0xffff));
        bins[4] = 3;
    }
}

/* unknown, casts.cu:23 */
__kernel void unknown(__global uchar *out, __global int *bins, __global const qn_alias_float *in,
                      __global const qn_alias_double *wide, int n)
{
    float x = in[get_local_id(0)];
    *out = (uchar)convert_uint_sat(fmax(x, 0.0f));
    float x_1 = x > 255.0f ? 255.0f : x;
    out[1] = (uchar)convert_uint_sat(fmax(x < 0.0f ? 0.0f : x_1, 0.0f));
    *bins = convert_int_sat(x);
    bins[1] = convert_int_sat((float)n);
    bins[2] = qn_to_uint_f64(wide[get_local_id(0)]);
    bins[3] = 2147483647;
    bins[4] = 0;
}
