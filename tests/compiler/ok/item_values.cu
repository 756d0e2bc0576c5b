// What is each work-item's own, in kernels with barriers: addresses, divisors, and the way out of a switch that
// all enter by the same case.
struct numbers {
    int a, b, c, d;
};

extern "C" __global__ void own_address(int *out, const int *in, numbers given)
{
    __shared__ int box[32];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    int &own = given.b;
    box[tid] = in[i];
    __syncthreads();
    own = box[31 - tid] & 255;
    __syncthreads();
    own += given.a & tid;
    out[i] = given.b * 3 + (given.d & 1);
}

// The divisor is set by those who take part, and the others do not divide.
extern "C" __global__ void own_divisor(int *out, const int *in, int n)
{
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid, sum = tid;
    if (tid >> 5 == 0) {
        unsigned divisor = (unsigned)in[i] | 1u;
        sum += __shfl_sync(0xffffffffu, in[i], (int)((255u % divisor) & 31u));
    }
    out[i] = sum;
}

extern "C" __global__ void leaves_switch(int *out, const int *in, int n)
{
    __shared__ int box[32], left[32];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid, sum = 7;
    box[tid] = in[i] & 3;
    left[tid] = 1;
    __syncthreads();
    switch (n % 4) {
    case 0:
        if (box[31 - tid] == 2) {
            n += box[tid];
            break;
        }
        left[tid] = 9;
        // falls through
    case 1: sum = n - tid; break;
    default: out[i] = -1; return;
    }
    __syncthreads();
    out[i] = sum * 100 + n + left[31 - tid];
}

// exercises: stmt/divergence stmt/flatten expr/expr_call
