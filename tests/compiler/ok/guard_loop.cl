#pragma OPENCL FP_CONTRACT ON

/* x, of which a compiler does not see how it grows: an address has no top bit, and none knows it */
int qn_opaque_int(int x)
{
    uint here;
    return x | (int)((long)(ulong)&here >> 63);
}

/* run, guard_loop.cu:3 */
__kernel void run(__global int *out, __global const int *in, int n)
{
    __local int first;

    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int value = in[i];
    int x = value & 7;
    if (get_local_id(0) == 0)
        first = value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int a = x;
    int turn = 0;
    if (get_local_id(0) < get_local_size(0) /* always */) {
        do {
            turn++;
            for (int k = 0; k < 3; k++)
                a = a * 3 + 1;
        } while (turn < x);
    }
    int b = x;
    if (get_local_id(0) < get_local_size(0) /* always */) {
        for (int t = 0; t < 4; t++) {
            for (int k = 0; k < 3; k++)
                b = b * 5 + k;
            if ((b & 8) != 0)
                break;
            b ^= t;
        }
    }
    int c = x;
    uchar more = 1;
    if (get_local_id(0) < get_local_size(0) /* always */) {
        while (more != 0) {
            for (int k = 0; k < 3; k++)
                c = c * 7 + k;
            more = turn > 0;
            turn--;
        }
    }
    int d = 5;
    if (get_local_id(0) < get_local_size(0) /* always */) {
        for (int t = 0; t < x; t++)
            d = t;
    }
    int e = x;
    if (get_local_id(0) < get_local_size(0) /* always */) {
        for (int t = 0; t < (x & 1) + 1; t++) {
            for (int k = 0; k < 3; k++)
                e = e * 9 + k;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (i < n)
        out[i] = a ^ (b * 3) ^ (c * 5) ^ (d * 7) ^ (e * 11) ^ first;
}

/* mixed, guard_loop.cu:44 */
__kernel void mixed(__global int *out, __global const int *in, int n)
{
    int i;
    int a;
    if (get_local_id(0) < get_local_size(0) /* always */) {
        do {
            i = get_group_id(0) * get_local_size(0) + get_local_id(0);
            if (n != 7) {
                if (in[i] <= 300) {
                    a = 0;
                    break;
                }
            }
            a = n;
        } while (false);
    }
    int b;
    if (get_local_id(0) < get_local_size(0) /* always */) {
        do {
            if (n == 8) {
                out[i] = a;
            } else if ((in[qn_opaque_int((i * 5) & 127)] & 1) != 0) {
                b = 0;
                break;
            }
            b = n;
        } while (false);
    }
    int c = n == 9 ? n : (in[qn_opaque_int((i * 7) & 127)] & 1) != 0 ? n : 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[i] = a + b * 2 + c * 4;
}

/* element, guard_loop.cu:63 */
__kernel void element(__global int *out, __global const int *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int v[3] __attribute__((aligned(64)));
    v[0] = n;
    v[1] = 7;
    v[2] = 0;
    if (get_local_id(0) < get_local_size(0) /* always */) {
        for (int t = 0; t < (int)(get_local_id(0) & 1); t++)
            v[1] = n;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[i] = v[get_local_size(0) % 3] + v[1];
}
