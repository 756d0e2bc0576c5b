// SPDX-License-Identifier: Apache-2.0
// A negated float before a barrier, which is used after it.
// answer: 0 -2220 -4440 -600 -2820 -5040 -1200 -3420 -5640 -1800 -4020 -180 -2400 -4620 -780 -3000
//         -5220 -1380 -3600 -5820 -1980 -4200 -360 -2580 -4800 -960 -3180 -5400 -1560 -3780 -6000
//         -2160 -4380 -540 -2760 -4980 -1140 -3360 -5580 -1740 -3960 -120 -2340 -4560 -720 -2940
//         -5160 -1320 -3540 -5760 -1920 -4140 -300 -2520 -4740 -900 -3120 -5340 -1500 -3720 -5940
//         -2100 -4320 -480
extern "C" __global__ void run(int *out, const int *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float v = -(float)in[i];
    __syncthreads();
    out[i] = (int)v * n;
}
