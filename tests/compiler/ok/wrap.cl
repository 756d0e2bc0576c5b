#pragma OPENCL FP_CONTRACT ON

typedef long __attribute__((may_alias)) qn_alias_long;

__constant int const__table0[2] = {2147483647, -2147483648};

/* run, wrap.cu:2 */
__kernel void run(__global qn_alias_long *out, __global const int *in, int n)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    int product = in[i];
    int sum = 2147483632;
    for (int k = 0; k < 5; k++) {
        sum += (uint)in[i];
        sum += 5u;
        product *= 40503u;
    }
    int negated = -(uint)sum;
    int box[2];
    for (uint qn_k = 0; qn_k < 2; qn_k++)
        box[qn_k] = const__table0[qn_k];
    box[i & 1] += (uint)in[i];
    box[(i >> 1) & 1] += 1u;
    if (i < n)
        out[i] = sum + (long)product * 3 + (long)negated * 5 + 1 + (long)box[0] * 7 + box[1];
}
