// What there is not for integers of 128 bits, and integers of other widths than C's.
extern "C" __global__ void choose(unsigned __int128 *out)
{
    switch (out[0]) {
    case (unsigned __int128)1 << 100: out[1] = 5; break;
    case 7: out[1] = 8; break;
    case 9: out[1] = 1; break;
    }
}
extern "C" __global__ void wider(unsigned long long *out)
{
    unsigned _BitInt(100) p = (unsigned _BitInt(100))out[0] * out[1];
    out[2] = (unsigned long long)(p >> 64);
}
