// SPDX-License-Identifier: Apache-2.0
// A store to a private array at an index that is not known, between loads of its elements.
// answer: 3999 7507 1215 4941 8678 2255 6059 9567 3295 6961 598 4234 7779 1527 5274 8819 2618 6314
//         9859 3587 7051 799 4537 8274 1839 5647 9155 2879 6557 10294 3700 188 3999 7507 1215 4941
//         8678 2255 6059 9567 3295 6961 598 4234 7779 1527 5274 8819 2618 6314 9859 3587 7051 799 4537
//         8274 1839 5647 9155 2879 6557 10294 3700 188
extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ int box[32];
    const unsigned tid = threadIdx.x;
    double own[4];
    for (int k = 0; k < 4; k++)
        own[k] = in[(tid + k) & 31];
    box[tid] = in[tid];
    __syncthreads();
    const double x = own[1];
    own[box[31 - tid] & 3] = 77;
    const double z = own[0];
    __syncthreads();
    out[blockIdx.x * 32 + tid] = (int)(x * 100 + z + own[2] * 3);
}
