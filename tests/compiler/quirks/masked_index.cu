// SPDX-License-Identifier: Apache-2.0
// Loads at a masked odd multiple of the work-item, beside one at the work-item. Both blocks store
// the same.
// answer: 0 0 10 0 20 0 30 0 40 0 50 0 74 0 84 0 94 0 3 0 13 0 37 0 47 0 57 0 67 0 77 0 0 37 84 10
//         67 84 50 57 134 30 117 3 114 77 97 50 181 23 63 97 46 70 43 43 127 16 110 90 93 63 177 36
extern "C" __global__ void run(int *out, const int *in, int n)
{
    const int i = threadIdx.x;
    const short *halves = (const short *)in;
    out[i] = halves[(i * 3) & 31];
    out[32 + i] = halves[(i * 3) & 31] + in[i];
}
