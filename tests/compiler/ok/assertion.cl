#pragma OPENCL FP_CONTRACT ON

/* run, assertion.cu:4 */
__kernel void run(__global float *out, __global const float *in, __global const int *index, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    int k = index[i];
    if (k >= 0 && k < n) {
        float value = in[k];
        if (value != value)
            printf("trap\n");
        else
            out[i] = value;
    } else {
        printf("%s:%u: assertion failed: %s\n", "assertion.cu", 10u,
            "k >= 0 && k < n && \"index in range\"");
    }
}
