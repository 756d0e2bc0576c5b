// Device functions that call themselves: how deep, only the kernel's input says.
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int depth(const int *tree, int at, int level)
{
    return tree[at] < 0 ? level : depth(tree, tree[at], level + 1) + depth(tree, tree[at + 1], level + 1);
}
extern "C" __global__ void number(int *out) { out[threadIdx.x] = fibonacci(out[0]); }
extern "C" __global__ void tree(int *out, const int *in) { out[0] = depth(in, 0, 0); }
extern "C" __global__ void often(int *out) { out[0] = fibonacci(30); }
// exercises: lower/recursion_stack lower/demote
