#pragma OPENCL FP_CONTRACT ON

/* run, indices.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int x = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int y = get_group_id(1) * get_local_size(1) + get_local_id(1);
    int width = get_num_groups(0) * get_local_size(0);
    if (x < width) {
        int t = y * width + x;
        if (t < n)
            out[t] = in[t] * 10 + get_local_id(1) - get_group_id(0);
    }
}
