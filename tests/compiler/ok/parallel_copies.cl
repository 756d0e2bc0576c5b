#pragma OPENCL FP_CONTRACT ON

/* run, parallel_copies.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    int a = in[i];
    int b = in[(i + 1) % n];
    int c = 1;
    for (int k = 0; k < (in[i] & 15); k++) {
        int c_1 = a + k;
        a = b;
        b = c;
        c = c_1;
    }
    out[i] = a * 10000 + b * 100 + c;
}
