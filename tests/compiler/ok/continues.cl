#pragma OPENCL FP_CONTRACT ON

/* run, continues.cu:2 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int tid = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int x = in[tid];
    int a = 0;
    for (int i = 0; i < 7; i++) {
        int i_1 = i + 1;
        switch (x & 3) {
        case 0:
            a += i_1;
            break;
        case 1:
            if (a < 1000) {
                for (int j = 0; j < (x & 15); j++)
                    a += in[a & 31] & 63;
                continue;
            }
            break;
        default:
            a ^= 3;
        }
        a++;
    }
    if (tid < n)
        out[tid] = a;
}
