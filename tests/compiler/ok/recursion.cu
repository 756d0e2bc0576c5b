// Functions that call themselves and need not: the last call is a step of a loop, or numbers in the
// source end it.
constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
constexpr int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
constexpr double power(double x, int n) { return n == 0 ? 1.0 : x * power(x, n - 1); }

__device__ int divisor(int a, int b)
{
    if (b == 0)
        return a;
    return divisor(b, a % b);
}

__device__ bool is_odd(unsigned n);
__device__ bool is_even(unsigned n) { return n == 0 ? true : is_odd(n - 1); }
__device__ bool is_odd(unsigned n) { return n == 0 ? false : is_even(n - 1); }

__device__ void transform(int *data, int n)
{
    if (n == 1)
        return;
    transform(data, n / 2);
    transform(data + n / 2, n / 2);
    for (int i = 0; i < n / 2; i++) {
        const int a = data[i], b = data[i + n / 2];
        data[i] = a + b;
        data[i + n / 2] = a - b;
    }
}

extern "C" __global__ void run(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int w[4];
    for (int k = 0; k < 4; k++)
        w[k] = in[i] + k * k;
    transform(w, 4);
    int r = fibonacci(12) + factorial(i % 13);
    r += divisor(in[i] & 1023, n);
    if (is_even(i))
        r += (int)power(in[i] & 3, 5);
    out[i] = r + w[i & 3];
}
// exercises: lower/recursion
