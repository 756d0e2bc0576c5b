// SPDX-License-Identifier: Apache-2.0
// Decisions of each work-item after a barrier that a group takes or not.
// answer: 3 4 2 5 6 8 9 10 8 11 12 14 15 16 14 15 18 20 21 22 20 21 24 25 27 28 29 27 30 31 33 34 3 4
//         2 3 6 8 9 10 8 9 12 14 15 16 17 15 18 19 21 22 23 21 24 25 27 28 29 27 28 31 33 34
extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ int box[32];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid, sum = tid;
    box[tid] = in[i] & 3;
    if (n > 5) {
        __syncthreads();
        for (int k = box[31 - tid]; k < 3; k++)
            if (n == 60)
                sum += k;
            else
                out[64 + k] = sum;
    }
    out[i] = sum;
}
