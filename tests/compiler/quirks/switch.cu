// SPDX-License-Identifier: Apache-2.0
// Cases of each work-item after a barrier that a group takes or not.
// answer: 1 38 67 10 47 5040 21 58 87 30 67 180 2400 78 6 43 87 1380 3600 98 26 63 6 43 4800 17 54 83
//         26 63 6000 37 74 10 39 76 19 3360 5580 30 59 -5 39 4560 720 50 87 15 59 96 1920 70 6 35 79
//         15 3120 5340 26 55 92 35 4320 480
extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ int box[32];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid, v = in[i];
    box[tid] = v;
    if (n > 5) {
        __syncthreads();
        switch (box[31 - tid] & 3) {
        case 0: v += 1; break;
        case 1: v *= n; break;
        case 2: out[64 + i] = v; break;
        default: v -= 7;
        }
    }
    out[i] = v;
}
