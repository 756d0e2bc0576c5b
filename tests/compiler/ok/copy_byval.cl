#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

struct setup {
    int counts[3];
    short step_;
    double weight;
};

/* run, copy_byval.cu:8 */
__kernel void run(__global int *out, __global const int *in, int n, struct setup a, struct setup b,
                  struct setup c)
{
    struct setup b_1 = b;
    struct setup a_1 = a;
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int before = a_1.counts[1];
    a_1.counts[i % 3] = in[i];
    if ((in[i] & 1) != 0)
        b_1 = c;
    int t = b_1.step_ + i;
    b_1.step_ = (short)t;
    if (i < n)
        out[i] = before + a_1.counts[0] + a_1.counts[2] * 3 + b_1.counts[1] + (short)t + c.step_;
}
