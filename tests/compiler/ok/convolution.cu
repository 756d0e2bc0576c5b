// A row of an image with a halo in shared memory.
#define RADIUS 3
#define WIDTH 64

__constant__ float filter[2 * RADIUS + 1];

__global__ void convolve(float *out, const float *in, int pitch, int columns)
{
    __shared__ float row[WIDTH + 2 * RADIUS];
    const int first = blockIdx.x * WIDTH - RADIUS;
    const float *line = in + blockIdx.y * pitch;
    for (int i = threadIdx.x; i < WIDTH + 2 * RADIUS; i += blockDim.x) {
        int x = min(max(first + i, 0), columns - 1);
        row[i] = line[x];
    }
    __syncthreads();
    int x = blockIdx.x * WIDTH + threadIdx.x;
    if (threadIdx.x < WIDTH && x < columns) {
        float sum = 0.0f;
#pragma unroll
        for (int k = -RADIUS; k <= RADIUS; k++)
            sum += row[threadIdx.x + RADIUS + k] * filter[RADIUS + k];
        out[blockIdx.y * pitch + x] = sum;
    }
}
// exercises: stmt/loop_hints
