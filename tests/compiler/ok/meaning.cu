// What C leaves undefined and NVIDIA's instructions define: guarded and wrapping only where it matters.
__device__ int safe(int a, int b)
{
    int q = a / b;
    return b == 0 ? 9 : q;
}

// Each division has a guard: the divisor may be 0, or the operands INT_MIN and -1.
extern "C" __global__ void divides(int *out, const int *in, int n, unsigned u, long long w)
{
    int i = threadIdx.x;
    int v = in[i];
    out[i] = safe(n, v);
    out[i + 1] = v % n + (int)((unsigned)v / u) + (int)(v % w);
    if (n != 0)
        out[i + 2] = v / n;
    out[i + 3] = v / -1;
}

// None has: what they divide by is known.
extern "C" __global__ void divides_plainly(int *out, const int *in, int w, int h, unsigned u)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= w * h)
        return;
    int sum = in[i % w] + in[i / w] + i / blockDim.x + i % gridDim.x + i / 7;
    sum += sum / (u | 1) + sum % max(w, 1) + (u ? i / u : 0);
    for (int k = 0; k < h; k++)
        sum += k % h;
    out[i] = w == 0 ? 0 : sum;
}

// Arithmetic that wraps: somebody would see that it did not.
extern "C" __global__ void wraps(long long *out, const int *in, int n)
{
    int i = threadIdx.x;
    int v = in[i];
    int h = v * 31 + 7;
    out[i] = h;
    out[i + 1] = (v + 1 > v) + (v - n < 0) + (v * 6 / 3);
    int s = 1;
    for (int k = 0; k < n; k++)
        s = s * 31 + 7;
    out[i + 2] = s < 0;
    out[i + 3] = abs(v) + (long long)-v;
}

// Arithmetic as in the source: nobody sees an overflow, or there is none.
extern "C" __global__ void plain(int *out, float *f, const int *in, const unsigned char *bytes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i * 4 + 1];
    out[i] = v * 31 + 7;
    out[i + 1] = (v * 3 + n) & 255;
    int count = 0;
    for (int k = i; k < n; k += blockDim.x * gridDim.x)
        if (in[k] == 3)
            count++;
    f[i] = (float)count + (float)(i * 4 + 3) + (float)(bytes[i] * bytes[i + 1]);
    for (int d = 1; d < n; d *= 2)
        out[d] = v / (d + 1);
}

// Indices of shared memory that wrap, and that cannot.
extern "C" __global__ void shared(int *out, unsigned n)
{
    __shared__ int s[64], t[8][9];
    unsigned a = threadIdx.x;
    s[a] = a;
    t[a & 7][a % 9] = n;
    __syncthreads();
    int *p = s + 40;
    out[a] = p[~a] + p[a & 15] + t[a & 7][a - 1];
    if (a > 0)
        out[a] = t[a & 7][a - 1] + s[n - a];
}

// Switches that LLVM packs, and rotations.
extern "C" __global__ void rotates(unsigned *out, const unsigned *in, unsigned n)
{
    unsigned v = in[threadIdx.x];
    switch (v) {
    case 100: out[0] = n; break;
    case 132: out[1] = n; break;
    case 164: out[2] = n; break;
    case 292: out[3] = n; break;
    }
    out[4] = __builtin_rotateleft32(v, n) + __builtin_rotateright32(v, 5) + __builtin_ctz(v);
    out[5] = __builtin_rotateleft16(v, 3);
}
// exercises: lower/guard_divisions lower/signed_overflow lower/overflow_uses lower/int_range
// exercises: lower/int_condition lower/int_counter lower/signs lower/shared_index lower/funnel_shifts
