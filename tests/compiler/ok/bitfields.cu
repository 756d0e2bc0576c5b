// Bit-fields of any width: what is an integer of 40 bits for LLVM is held in 64, and masked, or
// shifted for its sign. In memory it is one of 32 and one of 8.
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

struct __attribute__((packed)) Tight {
    unsigned char x;
    long long c : 40;
    signed char d;
    unsigned e : 24;
    unsigned long long f : 56;
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

extern "C" __global__ void flow(double *out, const double *in, int n)
{
    const int i = threadIdx.x, v = (int)in[i] * 5317 - 40000;
    Packed p = {};
    Signed s = {};
    for (int k = 0; k < n; k++) {
        p.c += v;
        if (in[k] > 3)
            s.c -= k * 1234567ll;
        else
            s.c = p.c;
        if (s.c < 0)
            p.c = s.c;
    }
    out[i] = (double)p.c + (double)s.c * 3;
}

extern "C" __global__ void memory(Tight *out, const Signed *in, int n)
{
    __shared__ Tight all[16];
    const int i = threadIdx.x;
    Tight t;
    t.x = in[i].x;
    t.c = in[i].c + n;
    t.d = in[i].d;
    t.e = (unsigned)(in[i].c >> 9);
    t.f = (unsigned long long)in[i].c * 77;
    all[i] = t;
    __syncthreads();
    out[i] = all[15 - i];
    out[i].c -= in[15 - i].c / 3;
    out[i].f ^= in[15 - i].x;
}
// exercises: lower/odd_integers
