// Signs, widths and wrapping: what C and LLVM see differently.
extern "C" __global__ void run(unsigned *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int s = in[i];
    unsigned u = (unsigned)s * 2654435761u + 12345u;
    signed char c = (signed char)s;
    unsigned char b = (unsigned char)(c + 200);
    short h = (short)(s * 7);
    long long l = (long long)s * s - s;
    unsigned long long w = ((unsigned long long)u << 17) | (u >> 3);
    unsigned r = s / 7 + s % 7;
    r ^= u / 7 + u % 7;
    r += (s >> 3) + (u >> 3) + (int)(c >> 1) + (b >> 1);
    r = r * 31 + (s < -5) + (u < 77u) * 2 + (c < b) * 4 + (h > s) * 8;
    r ^= (unsigned)(l >> 5) + (unsigned)(w % 1000003u);
    r += (unsigned)(h * c) - (unsigned)-b;
    r ^= ~s & 0xff00ff;
    r += (s & 1) ? s : u;
    out[i] = r;
}
// exercises: expr/expr expr/expr_convert expr/expr_usual
