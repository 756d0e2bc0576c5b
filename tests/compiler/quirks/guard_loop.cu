// SPDX-License-Identifier: Apache-2.0
// A loop of as many iterations for all, in one that work-items leave at different ones.
// answer: 18 78918992 1823 1823 1143237700 2391487 2391487 40 -1776734113 -1776734113 68892 68892 18
//         78918992 78918992 1823 1143237700 1143237700 2391487 40 40 -1776734113 -1776734113 68892 18
//         18 78918992 1823 1823 1143237700 2391487 2391487 113 113 -1776734040 68965 68965 91 78919065
//         78919065 1896 1896 1143237773 2391560 2391560 113 -1776734040 -1776734040 68965 91 91
//         78919065 78919065 1896 1143237773 1143237773 2391560 113 113 -1776734040 68965 68965 91 91
extern "C" __global__ void run(int *out, const int *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i] & 7;
    __shared__ int first;
    if (threadIdx.x == 0)
        first = in[i];
    __syncthreads();
    int a = x, t = 0;
    do {
        for (int k = 0; k < 3; k++)
            a = a * 3 + 1;
    } while (++t < x);
    int r = 5;
    for (int j = 0; j < x; j++)
        r = j;
    __syncthreads();
    out[i] = a + r + first;
}
