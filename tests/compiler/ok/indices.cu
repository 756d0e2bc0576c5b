// Thread indices in two dimensions, a guard, row-major addressing.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int width = gridDim.x * blockDim.x;
    if (x < width && y * width + x < n)
        out[y * width + x] = in[y * width + x] * 10 + (int)threadIdx.y - (int)blockIdx.x;
}
// exercises: expr/expr_call expr/expr_usual
