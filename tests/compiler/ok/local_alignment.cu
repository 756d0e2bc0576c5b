// Arrays of a thread's own read as wider types, and structs that the source packs or aligns.
struct __attribute__((packed)) pair {
    int a, b; // as C would lay them out, at any address
};
struct mixed {
    char c;
    pair p;
};
struct alignas(16) quad {
    float x, y, z, w;
};

extern "C" __global__ void run(float *out, const float *in, int n, quad q)
{
    int t = threadIdx.x;
    unsigned char bytes[48];
    float a[8];
    quad own[2];
    mixed m[3];
    for (int i = 0; i < 48; i++)
        bytes[i] = (unsigned char)(i * (t + 1));
    for (int i = 0; i < 8; i++)
        a[i] = in[(t + i) % n];
    for (int i = 0; i < 3; i++) {
        m[i].c = (char)i;
        m[i].p.a = t - i;
        m[i].p.b = i * n;
    }
    const pair *p = &m[n % 3].p;
    own[0] = *(const quad *)&a[4 * (n & 1)];
    own[1] = q;
    float4 v = *(const float4 *)(a + 4), w = *(const float4 *)&own[n & 1];
    uint4 b = *(const uint4 *)&bytes[16 * (n & 1)];
    int odd;
    memcpy(&odd, bytes + n, 4);
    out[t] = v.x + v.w + w.y + (float)(b.x & 255) + (float)(b.w >> 24) + (float)(odd & 0xffff) +
             (float)(p->a * 10 + p->b);
}

// Two floats of three that are moved as one number, in memory that is only as aligned as a float.
extern "C" __global__ void threes(float *out, const float3 *in, int n)
{
    __shared__ float3 s[33];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t == 0)
        s[32] = make_float3(9, 8, 7);
    __syncthreads();
    float3 a = s[t + 1], loc[3] = {a, in[t], make_float3(t, 0, 1)};
    out[t] = loc[t % 3].y + loc[n % 3].z;
}

// Vectors of 32 and 64 bytes from memory that is less aligned, or holds other scalars.
typedef float eight_floats __attribute__((ext_vector_type(8)));
typedef double four_doubles __attribute__((ext_vector_type(4)));
typedef int sixteen_ints __attribute__((ext_vector_type(16)));

extern "C" __global__ void wide(float *out, const float *in, int n)
{
    __shared__ float tile[64];
    __shared__ char bytes[96];
    float own[32];
    int t = threadIdx.x;
    for (int i = 0; i < 32; i++)
        own[i] = in[i + t];
    tile[t] = in[t];
    tile[t + 32] = in[t] * 3;
    for (int i = 0; i < 3; i++)
        bytes[3 * t + i] = (char)(t + i);
    __syncthreads();
    eight_floats f, g;
    sixteen_ints c, d;
    four_doubles a;
    memcpy(&f, own + n, 32);
    memcpy(&g, tile + t, 32);
    f = f * 2.0f + g;
    memcpy(own + 1, &f, 32);
    memcpy(&c, own + n, 64);
    memcpy(&d, bytes + n, 64);
    c = (c & 0xff) + d;
    memcpy(own + 3, &c, 64);
    memcpy(&a, own + n + 16, 32);
    memcpy(own + 21, &a, 32);
    int whole[32];
    memcpy(whole, own, sizeof whole);
    float sum = 0;
    for (int i = 0; i < 32; i++)
        sum = sum * 0.5f + (i > 2 && i < 19 ? whole[i] % 1000 : own[i]);
    out[t] = sum;
}
// exercises: model/alignment lower/split_vectors expr/expr_memory
