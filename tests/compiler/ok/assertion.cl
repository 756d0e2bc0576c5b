#pragma OPENCL FP_CONTRACT ON

typedef int __attribute__((may_alias)) qn_alias_int;

/* leaves where and what failed for the host, which looks when it syncs; the first one counts */
void qn_fail(__global int *fault, __constant char *file, uint line, __constant char *text)
{
    __global uchar *words = (__global uchar *)&fault[2];
    if (atomic_cmpxchg(&fault[0], 0, 1) != 0)
        return;
    fault[1] = (int)line;
    for (uint k = 0; k < 123 && file[k]; k++)
        words[k] = file[k];
    for (uint k = 0; k < 123 && text[k]; k++)
        words[124 + k] = text[k];
}

/* run, assertion.cu:4 */
__kernel void run(__global float *out, __global const float *in,
                  __global const qn_alias_int *index, int n, __global int *qn_fault_)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= n)
        return;
    int k = index[i];
    if (k >= 0 && k < n) {
        float value = in[k];
        if (value != value)
            qn_fail(qn_fault_, "assertion.cu", 12u, "");
        else
            out[i] = value;
    } else {
        qn_fail(qn_fault_, "assertion.cu", 10u, "k >= 0 && k < n && \"index in range\"");
    }
}
