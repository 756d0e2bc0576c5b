// SPDX-License-Identifier: Apache-2.0
// A store to global memory at an index that its content gives, between loads of the same part.
// answer: 0 37 74 10 47 84 20 57 94 30 67 3 40 77 13 50 87 23 60 97 33 70 6 43 80 16 53 90 26 63 100
//         36 73 9 46 83 19 56 93 29 66 2 39 76 12 49 86 22 59 96 32 69 5 42 79 15 52 89 25 62 99 35 72
//         8
extern "C" __global__ void run(int *out, const int *in, int n)
{
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    double *b = (double *)(out + 64);
    const double x = b[2 * g + 1];
    b[2 * g + ((int)x & 1)] = in[g];
    const double y = b[2 * g];
    out[g] = (int)(x * n + y);
}
