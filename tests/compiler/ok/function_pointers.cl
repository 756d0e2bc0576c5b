#pragma OPENCL FP_CONTRACT ON

struct step_ {
    ulong apply;
    int with;
};

/* run, function_pointers.cu:23 */
__kernel void run(__global int *out, __global const int *in, int n, __global ulong *current,
                  __global const struct step_ *steps)
{
    int i = get_local_id(0);
    struct step_ own[4];
    own[0].apply = 4;
    own[0].with = i;
    own[1].apply = 0;
    own[1].with = 0;
    own[2].apply = (ulong)((i & 1) != 0 ? (__global uchar *)8 : (__global uchar *)6);
    own[2].with = 2;
    own[3].apply = *current;
    own[3].with = 3;
    own[i & 3].apply = own[(i + 2) & 3].apply;
    int v = in[i];
    /* function_pointers.cu:17-19 */
    for (int i_1 = 0; i_1 < 4; i_1++) {
        __global uchar *p = (__global uchar *)own[i_1].apply;
        if (p != 0) {
            int with = own[i_1].with;
            switch ((ulong)p) {
            case 4ul:
                v += with;
                break;
            case 6ul:
                v *= with;
                break;
            default:
                v -= with;
            }
        }
    }
    /* function_pointers.cu:25-36 */
    int v_1 = i;
    /* function_pointers.cu:17-19 */
    for (int i_2 = 0; i_2 < 3; i_2++) {
        __global uchar *p = (__global uchar *)steps[i_2].apply;
        if (p != 0) {
            int with = steps[i_2].with;
            switch ((ulong)p) {
            case 4ul:
                v_1 += with;
                break;
            case 6ul:
                v_1 *= with;
                break;
            default:
                v_1 -= with;
            }
        }
    }
    /* function_pointers.cu:29-36 */
    int v_2 = v + v_1;
    ulong both[2];
    both[0] = 8;
    both[1] = 4;
    for (int k = 0; k < 3; k++) {
        int t;
        switch (both[(k * i) & 1]) {
        case 4ul:
            t = v_2 + k;
            break;
        case 6ul:
            t = v_2 * k;
            break;
        default:
            t = v_2 - k;
        }
        v_2 += t;
    }
    int v_3 = v_2 + 4;
    out[i] = (n > 2 ? v_3 : v_2) + 100
        * ((__global uchar *)own[0].apply == (__global uchar *)own[2].apply) + 1000
        * ((__global uchar *)own[1].apply == (__global uchar *)6);
}
