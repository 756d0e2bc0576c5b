// Names that mean something in OpenCL C, and a local named like a shared variable.
__device__ int mix(int dot, int half) { return dot * 3 + half; }
struct event_t {
    int global, constant;
};
extern "C" __global__ void run(int *local, const int *kernel, int uint)
{
    __shared__ int shared_value[2];
    int barrier = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 2)
        shared_value[threadIdx.x] = kernel[threadIdx.x];
    __syncthreads();
    event_t generic = {kernel[barrier], uint};
    volatile int clamp = generic.global;
    {
        int shared_value = clamp + 1;
        generic.constant += shared_value;
    }
    local[barrier] = mix(generic.global, generic.constant) + shared_value[barrier & 1];
}
// exercises: core/legal_names out/declare
