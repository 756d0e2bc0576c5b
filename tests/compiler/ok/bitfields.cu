// Bit-fields of any width: what SROA keeps as an integer of 40 bits is masked, or shifted for its
// sign.
struct Packed {
    unsigned a : 3;
    int b : 5;
    unsigned long long c : 40;
    signed char d;
    bool e : 1;
};
struct Signed {
    unsigned char x;
    long long c : 40;
    signed char d;
};

extern "C" __global__ void run(double *out, const double *in, int n)
{
    const int i = threadIdx.x, v = (int)in[i] * 5317 - 40000;
    Packed p;
    p.a = v;
    p.b = v;
    p.c = (long long)v * 99999;
    p.d = v;
    p.e = v & 2;
    p.c += n;
    p.a += 3;
    Signed s;
    s.c = (long long)v * 1234567;
    s.d = (signed char)i;
    s.c -= n;
    out[i] = p.a + p.b * 100 + (double)p.c + p.d + p.e + (double)s.c * 3 + s.d;
}
