// Floats cast to integers: a plain cast where the range is known, else the saturating conversion.
__global__ void known(unsigned char *out, int *bins, const float *in, const unsigned char *rgb, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i];
    out[0] = (unsigned char)fminf(fmaxf(x, 0.0f), 255.0f);
    out[1] = (unsigned char)(__saturatef(x) * 255.0f + 0.5f);
    out[2] = (unsigned char)(0.299f * rgb[0] + 0.587f * rgb[1] + 0.114f * rgb[2]);
    out[3] = (signed char)roundf(fmaxf(-127.0f, fminf(127.0f, x * 3.0f)));
    if (x >= 0.0f && x < 100.0f)
        atomicAdd(&bins[(int)x], 1);
    float y = x > 1.0f ? 1.0f : x;
    if (!(y >= 0.0f))
        return;
    bins[1] = (int)(y * 1000.0f);
    bins[2] = (int)ceilf((float)n / 32);
    bins[3] = (int)sqrt((double)(n & 0xffff));
    bins[4] = (int)3.9f;
}

__global__ void unknown(unsigned char *out, int *bins, const float *in, const double *wide, int n)
{
    float x = in[threadIdx.x];
    out[0] = (unsigned char)x;
    out[1] = (unsigned char)(x < 0.0f ? 0.0f : x > 255.0f ? 255.0f : x); // NaN stays NaN
    bins[0] = (int)x;
    bins[1] = (int)(float)n; // may be 2^31
    bins[2] = (unsigned)wide[threadIdx.x];
    bins[3] = (int)3e10f;
    bins[4] = (unsigned)-1.0;
}
// exercises: lower/float_to_int lower/float_range
