// Pointers to functions in structs, arrays, tables and global memory, passed on, compared and called.
typedef int (*operation)(int, int);
static __device__ int add(int a, int b) { return a + b; }
static __device__ int subtract(int a, int b) { return a - b; }
static __device__ int multiply(int a, int b) { return a * b; }
static __device__ float half_of(float x) { return x / 2; }

struct step {
    operation apply;
    int with;
};
__constant__ step steps[3] = {{add, 3}, {multiply, 5}, {subtract, 7}};
__device__ operation current = multiply;

static __device__ int fold(const step *s, int n, int v)
{
    for (int i = 0; i < n; i++)
        if (s[i].apply)
            v = s[i].apply(v, s[i].with);
    return v;
}

__global__ void run(int *out, const int *in, int n)
{
    const int i = threadIdx.x;
    step own[4] = {{add, i}, {nullptr, 0}, {i & 1 ? subtract : multiply, 2}, {current, 3}};
    own[i & 3].apply = own[(i + 2) & 3].apply;
    int v = fold(own, 4, in[i]);
    v += fold(steps, 3, i);
    operation both[2] = {subtract, add};
    for (int k = 0; k < 3; k++)
        v += both[(k * i) & 1](v, k);
    float (*const f)(float) = n > 2 ? half_of : nullptr;
    if (f)
        v += (int)f(8.0f);
    out[i] = v + 100 * (own[0].apply == own[2].apply) + 1000 * (own[1].apply == multiply);
}
// exercises: lower/function_numbers lower/choose_call
