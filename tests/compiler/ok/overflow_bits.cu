// Sums and products whose own bits a compiler may take for others where they overflow: with the
// highest bit, without it, as the bits of a float, as a float that is compared; a hash that
// begins with the number of an iteration, and the sign of an absolute value. What sees low bits alone is as it was.
extern "C" __global__ void overflow_bits(unsigned *out, const int *in, float *f)
{
    int i = threadIdx.x, a = in[i], b = in[i + 1], c = a & 65535, d = b & 65535;
    out[0] = (unsigned)(a + (-2147483647 - 1));
    out[1] = a + (-2147483647 - 1) != -1 ? 5 : 6;
    out[2] = (c * d) & 2147483647;
    out[3] = (c * d) ^ (-2147483647 - 1);
    out[4] = (c * d) & 1073741823;
    out[5] = (double)(a - 2147483646) > -1.0 ? 5 : 6;
    float x = __int_as_float(a * 65599 + b);
    *(long long *)(out + 6) = x == x ? __float_as_int(x) : 0;
    for (int k = 0; k < 2; k++) {
        int h = k;
        for (int j = 0; j < 15; j++)
            h = h * 16777619 - j;
        f[k] = (float)h;
    }
    int s = a * 3 + b;
    float y = (float)s;
    out[8] = y == y ? s : 0;
    int m = a < 0 ? -a : a;
    out[9] = m < 0 ? 77 : m;
    out[10] = (a > 0 ? -a : a) + b;
}

// Constants that lead back by 2^32 bytes of shared memory.
extern "C" __global__ void shared_back(double *out, unsigned n)
{
    __shared__ double s[64];
    s[threadIdx.x] = n;
    __syncthreads();
    const double *p = &s[32];
    const double(*rows)[8] = (const double(*)[8])(s + 8);
    out[threadIdx.x] = p[~((n - n) & 31u)] + (&s[threadIdx.x])[~3u] + rows[~0u][3] + p[4];
}
// exercises: lower/overflow_uses lower/hashes lower/shared_index
