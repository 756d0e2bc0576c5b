__constant__ unsigned plain[] = {0x7fc00001u, 0xffc00000u};
__global__ void k(float *out)
{
    const float table[] = {1.0f, __builtin_bit_cast(float, 0x7fc00001u), 2.0f, 3.0f};
    out[threadIdx.x] = table[threadIdx.x & 3] + (float)plain[0];
}
