// SPDX-License-Identifier: Apache-2.0
// rintf of constants beyond int, which a compiler finds when it has unrolled the loop.
// answer: 3000 5000 2 7000 3000 5000 2 7000 3000 5000 2 7000 3000 5000 2 7000 3000 5000 2 7000 3000
//         5000 2 7000 3000 5000 2 7000 3000 5000 2 7000 3000 5000 2 7000 3000 5000 2 7000 3000 5000
//         2 7000 3000 5000 2 7000 3000 5000 2 7000 3000 5000 2 7000 3000 5000 2 7000 3000 5000 2
//         7000
extern "C" __global__ void run(int *out, const int *in, int n)
{
    const float far[4] = {3e9f, 5e9f, 2.25e6f, 7e9f};
    for (int k = 0; k < 4; k++)
        out[threadIdx.x * 4 + k] = (int)(rintf(far[k]) * 1e-6f);
}
