#pragma OPENCL FP_CONTRACT ON

/* n % d; by 0: all bits one, and by -1 always 0 */
int qn_rem_i32(int n, int d)
{
    const int r = n % (d == 0 || d == -1 ? 1 : d);
    return d == 0 ? -1 : r;
}

/* run, spaces.cu:15 */
__kernel void run(__global float *out, __global const float *in, int n)
{
    __local float tile[16];

    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    tile[get_local_id(0)] = in[i];
    float own[4] __attribute__((aligned(64)));
    for (int k = 0; k < 4; k++)
        own[k] = in[qn_rem_i32(i + k, n)];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int t = 2 <= n - i ? 2 : 1;
    /* spaces.cu:5-6 */
    float sum = 0.0f;
    for (int i_1 = 0; i_1 < t; i_1++)
        sum += (in + i)[i_1];
    float sum_1 = 0.0f;
    for (int i_2 = 0; i_2 < 16; i_2++)
        sum_1 += tile[i_2];
    float sum_2 = 0.0f;
    for (int i_3 = 0; i_3 < 4; i_3++)
        sum_2 += own[i_3];
    /* spaces.cu:24 */
    float result = sum + sum_1 * 0.5f + sum_2;
    out[i] += result + own[3];
}
