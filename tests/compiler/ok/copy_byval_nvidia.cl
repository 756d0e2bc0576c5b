#pragma OPENCL FP_CONTRACT ON

struct setup {
    int2 at;
    float weight;
    uchar padding2[4];
};

typedef int __attribute__((may_alias)) qn_alias_int;

/* run, copy_byval_nvidia.cu:9 */
__kernel void run(__global float *out, __global const qn_alias_int *in, struct setup a,
                  struct setup b)
{
    struct setup b_1 = b;
    int i = get_local_id(0);
    float before = a.weight;
    if ((in[i] & 1) != 0)
        b_1 = a;
    out[i] = before + b_1.weight + (float)b_1.at.x;
}
