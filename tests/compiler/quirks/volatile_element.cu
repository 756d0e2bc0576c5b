// SPDX-License-Identifier: Apache-2.0
// An element of a private array, at an index that all threads have in common, of which few come there.
// answer: 255 254 255 255 255 255 249 255 255 255 255 244 255 255 255 255 239 255 255 255 255 234
//         255 255 255 255 229 255 255 255 255 224 255 255 255 255 219 255 255 255 255 214 255 255
//         255 255 209 255 255 255 255 204 255 255 255 255 199 255 255 255 255 195 255 255
extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ int box[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    box[threadIdx.x] = n;
    __syncthreads();
    unsigned a[2] = {255, (unsigned)i};
    if (a[in[4] & 1] % 5 == 1)
        a[(unsigned)in[9] % 4294967169u & 1] ^= min(box[0], i);
    out[i] = a[0];
}
