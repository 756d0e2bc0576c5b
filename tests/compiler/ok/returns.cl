#pragma OPENCL FP_CONTRACT ON

struct padded {
    long a;
    uchar padding1[8];
    int4 b;
};

__constant struct padded const__table0 = {0ul, {0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0}};

/* run, returns.cu:31 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int i;
    int p;
    {
        i = get_group_id(0) * get_local_size(0) + get_local_id(0);
        uchar p_1[16];
        for (uint qn_k = 0; qn_k < 16; qn_k++)
            p_1[qn_k] = ((__constant uchar *)&const__table0.padding1)[qn_k];
        if ((i & 1) != 0) {
            int t = i % 7;
            /* returns.cu:10-13 */
            int i_1 = 0;
            int k;
            int t_1;
            {
                for (;;) {
                    if (i_1 < i % 4) {
                        for (k = 0; k < 5; k++) {
                            t_1 = i_1 * 5;
                            if (in[t_1 + k] % 7 == t)
                                goto label1;
                        }
                        i_1++;
                    } else {
                        p = i;
                        goto label2;
                    }
                }
            }
            label1:;
            p = 100 + t_1 + k;
        } else {
            p = 0;
        }
    }
    label2:;
    /* returns.cu:37-38 */
    if (i < n) {
        int t = i % 16;
        int t_1 = i % 4;
        /* returns.cu:21-22 */
        int i_2 = 0;
        {
            while (i_2 < t_1) {
                switch ((in + t)[i_2] % 3) {
                case 0:
                case 1:
                    i_2++;
                    break;
                default:
                    t_1 = -1;
                    goto label3;
                }
            }
        }
        label3:;
        /* returns.cu:38 */
        out[i] = p * 1000 + t_1;
    }
}
