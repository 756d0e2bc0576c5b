#pragma OPENCL FP_CONTRACT ON

__constant int operations_number_table0[3] = {0, 1, 2};

__constant int others_number_table1[2] = {0, 1};

/* run, function_tables.cu:24 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    int i = get_local_id(0);
    int a = in[i];
    int t = 2 * a;
    int t_1 = -a;
    int t_2;
    switch (operations_number_table0[(i + n) % 3]) {
    case 0:
        t_2 = t;
        break;
    case 1:
        t_2 = 3 * a;
        break;
    default:
        t_2 = t_1;
    }
    int v = (a > 0 ? t : t_1) + 5 * t_2;
    v += 7 * ((others_number_table1[i & 1] == 0 ? t_1 : t) + 1);
    int t_3 = 0;
    for (int k = 0; k < (i & 3); k++) {
        int t_4;
        switch (t_3) {
        case 0:
            t_4 = 2 * k;
            break;
        case 1:
            t_4 = 3 * k;
            break;
        default:
            t_4 = -k;
        }
        v += t_4;
        t_3 = (k & 1) != 0 ? 1 : 2;
    }
    out[i] = v;
}
