#pragma OPENCL FP_CONTRACT ON

struct std_array {
    float _M_elems[3];
};

__constant struct std_array const__table0 = {{0.25f, 0.5f, 0.25f}};

/* run, cuda_std.cu:17 */
__kernel void run(__global float *out, __global const float *in, int n)
{
    struct std_array weights = const__table0;
    int i = get_local_id(0);
    float value = in[i];
    float value_1 = in[n - 1 - i];
    bool condition = value > value_1;
    float ends = condition ? value_1 : value;
    float ends_1 = condition ? value : value_1;
    float value_2 = weights._M_elems[i % 3];
    out[i] = ends * 3.0f - 2.0f * ends_1 + sqrt(value_2 + value_2) + 255.0f;
}
