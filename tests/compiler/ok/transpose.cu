// A tile in shared memory, padded against bank conflicts; a nested scope with a shared variable.
#define TILE 8
extern "C" __global__ void run(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    int width = gridDim.x * TILE;
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    {
        __shared__ int origin[2];
        if (threadIdx.x == 0 && threadIdx.y == 0) {
            origin[0] = blockIdx.y * TILE;
            origin[1] = blockIdx.x * TILE;
        }
        __syncthreads();
        x = origin[0] + threadIdx.x;
        y = origin[1] + threadIdx.y;
    }
    if (y * width + x < n)
        out[y * width + x] = tile[threadIdx.x][threadIdx.y];
}
// exercises: out/declare expr/expr_variable
