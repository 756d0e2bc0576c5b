// Volatile variables stay variables, and every access of theirs is printed: locals, parameters,
// what a device function is given the address of, arrays, fields, flags of a loop.
struct Pair {
    int plain;
    volatile int seen;
};

__device__ int twice(volatile int *p)
{
    *p += 1;
    return *p + *p;
}

__device__ int count(volatile int left)
{
    left--;
    return left + left;
}

extern "C" __global__ void run(int *out, const int *in, volatile int n)
{
    const int i = threadIdx.x;
    volatile int own = in[i];
    own += 1;
    const int before = own;
    volatile short narrow = own;
    volatile bool positive = narrow > 20;
    volatile int parts[3];
    for (int k = 0; k < 3; k++)
        parts[k] = before * k;
    Pair pair;
    pair.plain = i;
    pair.seen = n;
    n++;
    out[i] = twice(&own) + count(n) + (positive ? parts[i % 3] : 7) + pair.plain + pair.seen;
}

extern "C" __global__ void flags(int *out, const int *in, int n)
{
    volatile float far = 3e9f;
    int sum = 0;
    for (volatile int k = 0; k < n; k++)
        sum += in[k];
    out[threadIdx.x] = sum + (far > 2e9f);
}
// exercises: expr/expr_variable expr/expr_place_step model/value_names
