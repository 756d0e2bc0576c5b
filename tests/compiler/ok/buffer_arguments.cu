// Structs by value that no argument block of 1024 bytes holds: the largest go into buffers, and one
// that the kernel writes to is copied first. What fits stays as it is.
struct filter {
    float weights[480];
    int n;
    const float *bias;
};

struct list {
    int values[300];
};

struct range {
    int first, count;
};

__global__ void apply(float *out, const float *in, filter f, range r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= r.count)
        return;
    float sum = f.bias[i % f.n];
    for (int k = 0; k < f.n; k++)
        sum += f.weights[k] * in[r.first + i + k];
    out[i] = sum;
}

__global__ void sorted(int *out, list a, range r)
{
    for (int i = 1; i < r.count; i++)
        for (int k = i; k > 0 && a.values[k - 1] > a.values[k]; k--) {
            int t = a.values[k];
            a.values[k] = a.values[k - 1];
            a.values[k - 1] = t;
        }
    out[threadIdx.x] = a.values[r.first + threadIdx.x];
}
// exercises: model/copy_parameter lower/large_arguments quirks/quirk_copy_byval
