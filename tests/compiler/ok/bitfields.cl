#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

struct tuple0 {
    uchar f0;
    uchar f1;
};

struct Tight {
    uchar x;
    uchar c[5];
    char d;
    uchar e[3];
    uchar f[7];
};

struct Signed {
    uchar x;
    uchar c[5];
    char d;
    uchar f3;
};

/* double to int as the hardware casts it: the nearest one, and for NaN the top bit */
int qn_to_int_f64(double x)
{
    return isnan(x) ? INT_MIN : convert_int_sat(x);
}

/* run, bitfields.cu:24 */
__kernel void run(__global double *out, __global const double *in, int n)
{
    int i = get_local_id(0);
    int v = qn_to_int_f64(in[i]) * 5317u - 40000;
    char t = (char)(((char)v & 31) << 3);
    char p = ((char)v & 7) | t;
    p = t | ((char)((uchar)(p & 7) + 3) & 7);
    double t_1 = (double)((uchar)(p & 7) + (p >> 3) * 100) + (double)(((ulong)(((long)v * 99999)
        & 0xffffffffffl) + n) & 0xfffffffffful) + (double)(char)v + (double)((((v & 2) != 0) & 1
        & 1) != 0) + (double)(((((((long)v * 1234567) << 24) >> 24) - n) << 24) >> 24) * 3.0;
    out[i] = t_1 + (double)(char)i;
}

/* flow, bitfields.cu:42 */
__kernel void flow(__global double *out, __global const double *in, int n)
{
    int i = get_local_id(0);
    int v = qn_to_int_f64(in[i]) * 5317u - 40000;
    uchar p_1;
    for (ulong qn_k = 0; qn_k < 1; qn_k++)
        (&p_1)[qn_k] = 0;
    struct tuple0 p_2;
    for (ulong qn_k = 0; qn_k < 2; qn_k++)
        ((uchar *)&p_2)[qn_k] = 0;
    long s = 0;
    long p = 0;
    for (int k = 0; k < n; k++) {
        ulong t = (ulong)(p & 0xffffffffffl) + v;
        if (in[k] > 3.0)
            s = ((s << 24) >> 24) - (long)k * 1234567;
        else
            s = t & 0xfffffffffful;
        long t_1 = (s << 24) >> 24;
        p = t_1 < 0 ? t_1 : t;
    }
    out[i] = (double)(ulong)(p & 0xffffffffffl) + (double)((s << 24) >> 24) * 3.0;
}

/* memory, bitfields.cu:59 */
__kernel void memory(__global struct Tight *out, __global const struct Signed *in, int n)
{
    __local struct Tight all_[16];

    int i = get_local_id(0);
    long t = (long)(((uint)as_int(vload4(0, in[i].c)) | ((ulong)in[i].c[4] << 32)) << 24) >> 24;
    long t_1 = t + n;
    char d = in[i].d;
    long t_2 = t >> 9;
    ulong t_3 = t * 77ul;
    all_[i].x = in[i].x;
    vstore4(as_uchar4((int)t_1), 0, all_[i].c);
    all_[i].c[4] = (uchar)((ulong)t_1 >> 32);
    all_[i].d = d;
    vstore2(as_uchar2((short)(int)t_2), 0, all_[i].e);
    all_[i].e[2] = (uchar)((uint)(int)t_2 >> 16);
    vstore4(as_uchar4((int)(uint)t_3), 0, all_[i].f);
    vstore2(as_uchar2((short)(ushort)(t_3 >> 32)), 0, &all_[i].f[4]);
    all_[i].f[6] = (uchar)(t_3 >> 48);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int t_4 = 15 - i;
    out[i] = all_[t_4];
    long t_5 = ((long)(((uint)as_int(vload4(0, out[i].c)) | ((ulong)out[i].c[4] << 32)) << 24)
        >> 24) - ((long)(((uint)as_int(vload4(0, in[t_4].c)) | ((ulong)in[t_4].c[4] << 32)) << 24)
        >> 24) / 3;
    vstore4(as_uchar4((int)t_5), 0, out[i].c);
    out[i].c[4] = (uchar)((ulong)t_5 >> 32);
    ulong t_6 = ((uint)as_int(vload4(0, out[i].f)) | ((ulong)(ushort)as_short(vload2(0,
        &out[i].f[4])) << 32) | ((ulong)out[i].f[6] << 48)) ^ in[t_4].x;
    vstore4(as_uchar4((int)(uint)t_6), 0, out[i].f);
    vstore2(as_uchar2((short)(ushort)(t_6 >> 32)), 0, &out[i].f[4]);
    out[i].f[6] = (uchar)(t_6 >> 48);
}
