// Placement new: the object is made where the storage is, in shared memory here.
#include <new>

struct Sum {
    int total, count;
    Sum() = default;
    __device__ Sum(int first) : total(first), count(1) {}
    __device__ void add(int v)
    {
        total += v;
        count++;
    }
};

extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ Sum sums[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    Sum *sum = new (&sums[threadIdx.x]) Sum(i < n ? in[i] : 0);
    sum->add(i);
    __syncthreads();
    const Sum &other = sums[31 - threadIdx.x];
    if (i < n)
        out[i] = other.total * 5 + other.count;
}
// exercises: frontend/header_selection model/infer_spaces
