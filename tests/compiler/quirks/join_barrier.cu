// SPDX-License-Identifier: Apache-2.0
// A path with a barrier joins another, where LLVM knows one answer of what is decided next.
// answer: 0 1 9 3 4 12 6 7 15 9 10 18 19 13 21 22 16 24 25 19 27 28 22 23 31 25 26 34 28 29 37 31 0 1
//         9 10 4 12 13 7 15 16 10 18 19 13 14 22 16 17 25 19 20 28 22 23 31 32 26 34 35 29 37 38
extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ int box[32];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid, take = 1, sum = tid;
    box[tid] = in[i];
    if (n > 5) {
        __syncthreads();
        take = box[31 - tid] & 1;
    }
    if (take)
        out[64 + i] = sum += 7;
    out[i] = sum;
}
