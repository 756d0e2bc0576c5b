// A texture reference is a variable of the module that holds an object, which the host binds.
texture<int, 1, cudaReadModeElementType> list;

extern "C" __global__ void run(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch(list, i);
}
// exercises: expr/expr_variable
