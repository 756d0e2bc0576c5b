// SPDX-License-Identifier: Apache-2.0
// A struct passed by value that each work-item writes to.
// answer: 22 133 392 32 163 442 42 193 492 52 223 37 62 253 87 72 283 137 82 313 187 92 40 237 102 70
//         287 112 100 337 122 130 387 31 160 437 41 190 487 51 220 32 61 250 82 71 280 132 81 310 182
//         91 37 232 101 67 282 111 97 332 121 127 382 30
struct setup {
    int counts[3];
};

extern "C" __global__ void run(int *out, const int *in, int n, setup a)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    a.counts[i % 3] += in[i];
    out[i] = a.counts[0] + a.counts[1] * 3 + a.counts[2] * 5;
}
