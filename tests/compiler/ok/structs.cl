#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

struct point {
    float xyz[3];
    char tag;
    double weight;
};

struct setup {
    struct point origin;
    int counts[2];
    uchar flip;
};

/* run, structs.cu:13 */
__kernel void run(__global struct point *out, __global const struct point *in, int n,
                  struct setup s)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    struct point p = in[i];
    for (int k = 0; k < 3; k++)
        p.xyz[k] -= s.origin.xyz[s.flip != 0 ? 2 - k : k];
    p.weight *= s.origin.weight + (double)s.counts[i & 1];
    p.tag = (char)(s.origin.tag + i);
    out[i] = p;
}
