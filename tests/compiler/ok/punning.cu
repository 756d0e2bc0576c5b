// One object accessed as several types, which C's aliasing rule would let a driver reorder: by memcpy
// and by pointers on private memory, a union in shared memory, two sizes in global memory.
#include <string.h>

__device__ unsigned bits(const float *p)
{
    unsigned u;
    memcpy(&u, p, 4);
    return u;
}

__device__ void negate(int *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] ^= 0x80000000;
}

union word {
    float f;
    int i;
};

__global__ void run(float *out, const float *in, int n)
{
    __shared__ union word shared[32];
    int t = threadIdx.x, at = t * n;
    float a[4];
    for (int i = 0; i < 4; i++)
        a[i] = in[(t + i) % 8];
    unsigned before = bits(&a[n]);
    a[n] = 2.5f;
    float sum = bits(&a[n]) - before;
    negate((int *)a, n);
    for (int i = 0; i < 4; i++)
        sum += a[i];
    shared[t].f = sum;
    shared[t * n / 2].i ^= 0x80000000;
    sum -= shared[t].f;
    out[at] = sum;
    out[at + 1] = 1.0f;
    *((unsigned short *)&out[at + n - 1] + 1) ^= 0x00ff;
    out[at] += out[at + 1];
}

// Unions that are written as floats only, and copied as what they are declared.
struct cell {
    union {
        double d[3];
        float f[6];
    } u;
};

extern "C" __global__ void wholes(float *out, const float *in, int n)
{
    cell a[4], c[4];
    const int t = threadIdx.x, k = t % 6;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 6; j++)
            a[i].u.f[j] = in[(i + j) % 8] + t;
        c[i] = a[i];
        a[i].u.f[k] = 0;
    }
    c[n & 3] = a[t & 3];
    a[n].u.f[k] = 9;
    c[t & 3] = a[n];
    a[n].u.f[k] = 5;
    float sum = 0;
    for (int i = 0; i < 4; i++)
        sum = sum * 3 + c[i].u.f[k] + a[i].u.f[n];
    out[t] = sum;
    out[16 + t] = c[t & 3].u.f[k];
}

// A char with the padding behind it is moved as an int, and the struct is copied as a whole; a union
// whose declared member has padding where another one has values.
struct entry {
    int key;
    char tag;
};
union either {
    struct {
        char c;
        int i;
    } a;
    int b[2];
};

extern "C" __global__ void sorts(int *out, const int *in, int n)
{
    int t = threadIdx.x;
    entry list[3] = {{3, 'a'}, {t, 'b'}, {1, 'c'}};
    for (int i = 1; i < 3; i++) {
        entry x = list[i];
        int j = i - 1;
        for (; j >= 0 && x.key * n > list[j].key * n; j--)
            list[j + 1] = list[j];
        list[j + 1] = x;
    }
    either u[4], v[4];
    for (int i = 0; i < 4; i++) {
        u[i].b[0] = in[i];
        u[i].b[1] = in[i + 1];
    }
    for (int i = 0; i < 4; i++)
        v[i] = u[(i + n) & 3];
    out[t] = list[0].key * 100 + list[0].tag + list[2].tag;
    out[16 + t] = v[t & 3].b[0] + v[n].b[1] * 3;
}

// One buffer passed as two parameters of different types.
struct count_first {
    int count;
    float weight;
};
struct weight_first {
    float weight;
    int count;
};

extern "C" __global__ void passed(float *out, int *bits, weight_first *pairs, count_first *turned, int n)
{
    int t = threadIdx.x;
    out[t] = n * 0.5f;
    float before = out[t];
    bits[t] = 0x42c80000;
    before += out[t];
    weight_first *w = &pairs[8 + t % 4];
    w->weight = before;
    int old = turned[8 + t % 4].count;
    w->weight = 4;
    out[24 + t % 8] = before + old % 1000 + turned[8 + t % 4].count % 1000;
}

// A pointer that is kept in memory leads to memory that has a name as well.
struct both_views {
    float *floats;
    int *ints;
};

extern "C" __global__ void kept(float *out, const float *in, int n)
{
    __shared__ float tile[32];
    float own[4];
    int t = threadIdx.x;
    both_views views[2] = {{tile, (int *)tile}, {tile + 16, (int *)(tile + 16)}}, mine[2];
    for (int i = 0; i < 4; i++)
        own[i] = in[i];
    for (int i = 0; i < 2; i++)
        mine[i] = {own + i, (int *)(own + i)};
    tile[t] = in[t % 8];
    float sum = tile[t] + own[n];
    views[n >> 2].ints[t] ^= 0x80000000;
    mine[n & 1].ints[n] ^= 0x80000000;
    sum = sum * 2 + tile[t] + own[n];
    views[n >> 2].floats[t] = 5;
    out[t] = sum + tile[t];
    out[16 + t] = mine[1].floats[1] + own[n];
}
// exercises: model/alias_types lang/spell_type
