// A pointer to shared memory stored in global memory.
extern "C" __global__ void run(float **out)
{
    __shared__ float tile[32];
    tile[threadIdx.x] = 0;
    out[threadIdx.x] = &tile[threadIdx.x];
}
