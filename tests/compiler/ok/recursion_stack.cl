#pragma OPENCL FP_CONTRACT ON

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

/* number, recursion_stack.cu:7 */
__kernel void number(__global int *out, __global int *qn_fault_)
{
    int value = *out;
    int sites[64];
    sites[0] = 0;
    int next = 3;
    uint t = 0;
    {
        int t_1 = 0;
        int n_stack[64];
        int _stack[64];
        for (;;) {
            uint t_2;
            int value_1;
            switch (next) {
            case 0:
                out[get_local_id(0)] = t_1;
                return;
            case 1:
                /* recursion_stack.cu:2 */
                t_2 = t - 1;
                value_1 = n_stack[t_2];
                _stack[t_2] = t_1;
                if (t < 64) {
                    sites[t] = 2;
                    next = 3;
                    value = value_1 - 2;
                    continue;
                }
                goto label1;
            case 2:
                t--;
                t_1 += _stack[t];
                break;
            default:
                if (value < 2) {
                    t_1 = value;
                } else {
                    n_stack[t] = value;
                    t++;
                    if (t < 64) {
                        sites[t] = 1;
                        next = 3;
                        value--;
                        continue;
                    }
                    qn_fail(qn_fault_, "recursion_stack.cu", 2u,
                        "recursion: fibonacci at most 64 calls deep (-DQUERN_RECURSION_DEPTH=N: more)");
                    return;
                }
            }
            next = sites[t];
        }
    }
    label1:;
    qn_fail(qn_fault_, "recursion_stack.cu", 2u,
        "recursion: fibonacci at most 64 calls deep (-DQUERN_RECURSION_DEPTH=N: more)");
}

/* tree, recursion_stack.cu:8 */
__kernel void tree(__global int *out, __global const int *in, __global int *qn_fault_)
{
    int sites[64];
    sites[0] = 0;
    int t = 0;
    int t_1 = 0;
    int next = 3;
    uint t_2 = 0;
    {
        int t_3 = 0;
        int _stack[64];
        int at_stack[64];
        int _stack_1[64];
        for (;;) {
            int value;
            uint t_4;
            switch (next) {
            case 0:
                *out = t_3;
                return;
            case 1:
                /* recursion_stack.cu:5 */
                t_4 = t_2 - 1;
                t = _stack[t_4];
                t_1 = in[at_stack[t_4] + 1];
                _stack_1[t_4] = t_3;
                if (t_2 < 64) {
                    sites[t_2] = 2;
                    next = 3;
                    continue;
                }
                goto label1;
            case 2:
                t_2--;
                t_3 += _stack_1[t_2];
                break;
            default:
                value = in[t_1];
                if (value < 0) {
                    t_3 = t;
                } else {
                    t++;
                    _stack[t_2] = t;
                    at_stack[t_2] = t_1;
                    t_2++;
                    if (t_2 < 64) {
                        sites[t_2] = 1;
                        t_1 = value;
                        next = 3;
                        continue;
                    }
                    qn_fail(qn_fault_, "recursion_stack.cu", 5u,
                        "recursion: depth at most 64 calls deep (-DQUERN_RECURSION_DEPTH=N: more)");
                    return;
                }
            }
            next = sites[t_2];
        }
    }
    label1:;
    qn_fail(qn_fault_, "recursion_stack.cu", 5u,
        "recursion: depth at most 64 calls deep (-DQUERN_RECURSION_DEPTH=N: more)");
}

/* often, recursion_stack.cu:9 */
__kernel void often(__global int *out, __global int *qn_fault_)
{
    int sites[64];
    sites[0] = 0;
    int next = 3;
    int t = 30;
    uint t_1 = 0;
    {
        int t_2 = 0;
        int n_stack[64];
        int _stack[64];
        for (;;) {
            uint t_3;
            int value;
            switch (next) {
            case 0:
                *out = t_2;
                return;
            case 1:
                /* recursion_stack.cu:2 */
                t_3 = t_1 - 1;
                value = n_stack[t_3];
                _stack[t_3] = t_2;
                if (t_1 < 64) {
                    sites[t_1] = 2;
                    next = 3;
                    t = value - 2;
                    continue;
                }
                goto label1;
            case 2:
                t_1--;
                t_2 += _stack[t_1];
                break;
            default:
                if (t < 2) {
                    t_2 = t;
                } else {
                    n_stack[t_1] = t;
                    t_1++;
                    if (t_1 < 64) {
                        sites[t_1] = 1;
                        next = 3;
                        t--;
                        continue;
                    }
                    qn_fail(qn_fault_, "recursion_stack.cu", 2u,
                        "recursion: fibonacci at most 64 calls deep (-DQUERN_RECURSION_DEPTH=N: more)");
                    return;
                }
            }
            next = sites[t_1];
        }
    }
    label1:;
    qn_fail(qn_fault_, "recursion_stack.cu", 2u,
        "recursion: fibonacci at most 64 calls deep (-DQUERN_RECURSION_DEPTH=N: more)");
}
