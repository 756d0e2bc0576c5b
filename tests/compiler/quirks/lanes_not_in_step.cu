// SPDX-License-Identifier: Apache-2.0
// The last steps of a sum without __syncwarp(), as in code for GPUs before Volta.
// answer: 1586 1586 1586 1586 1586 1586 1586 1586 1586 1586 1586 1586 1586 1586 1586 1586 1586 1586
//         1586 1586 1586 1586 1586 1586 1586 1586 1586 1586 1586 1586 1586 1586 1599 1599 1599 1599
//         1599 1599 1599 1599 1599 1599 1599 1599 1599 1599 1599 1599 1599 1599 1599 1599 1599 1599
//         1599 1599 1599 1599 1599 1599 1599 1599 1599 1599
extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ volatile int box[64];
    const int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    box[tid] = in[i];
    box[tid + 32] = n;
    box[tid] += box[tid + 16];
    box[tid] += box[tid + 8];
    box[tid] += box[tid + 4];
    box[tid] += box[tid + 2];
    box[tid] += box[tid + 1];
    out[i] = box[0];
}
