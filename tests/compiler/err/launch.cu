// A kernel that launches a kernel.
__global__ void child(int *p)
{
    p[threadIdx.x] = 1;
}

extern "C" __global__ void run(int *p)
{
    child<<<1, 32>>>(p);
}
