// 128-bit integers.
extern "C" __global__ void run(unsigned long long *out)
{
    unsigned __int128 p = (unsigned __int128)out[0] * out[1];
    out[2] = (unsigned long long)(p >> 64);
}
