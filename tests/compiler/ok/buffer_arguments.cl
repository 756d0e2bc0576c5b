#pragma OPENCL FP_CONTRACT ON

struct filter {
    float weights[480];
    int n;
    ulong bias;
};

struct range {
    int first;
    int count;
};

struct list {
    int values[300];
};

/* n % d; by 0: all bits one, and by -1 always 0 */
int qn_rem_i32(int n, int d)
{
    const int r = n % (d == 0 || d == -1 ? 1 : d);
    return d == 0 ? -1 : r;
}

/* apply, buffer_arguments.cu:17 */
__kernel void apply(__global float *out, __global const float *in,
                    __global const struct filter *restrict f, struct range r)
{
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i >= r.count)
        return;
    float sum = ((__global const float *)f->bias)[qn_rem_i32(i, f->n)];
    for (int k = 0; k < f->n; k++)
        sum += f->weights[k] * in[r.first + i + k];
    out[i] = sum;
}

/* sorted, buffer_arguments.cu:28 */
__kernel void sorted(__global int *out, __global const struct list *restrict a, struct range r)
{
    struct list a_1 = *a;
    for (int i = 1; i < r.count; i++) {
        for (int k = i; k > 0; k--) {
            int t = k - 1;
            int value = a_1.values[t];
            int value_1 = a_1.values[k];
            if (value <= value_1)
                break;
            a_1.values[k] = value;
            a_1.values[t] = value_1;
        }
    }
    out[get_local_id(0)] = a_1.values[r.first + (uint)get_local_id(0)];
}
