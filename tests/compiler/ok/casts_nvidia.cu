// profile: nvidia
// Casts of floats that may be out of range are NVIDIA's instruction by name: a compiler may make
// anything of a cast in C, and makes of the float of a negative char a number that wraps.
extern "C" __global__ void casts_nvidia(unsigned *o, long long *l, const signed char *c,
                                        const float *x, const double *d)
{
    int i = threadIdx.x;
    o[i] = (unsigned)(double)c[i] + (unsigned)x[i];
    l[i] = (long long)d[i] + (int)(c[i] * 0.5f); // this one fits
}
// exercises: lower/float_to_int
