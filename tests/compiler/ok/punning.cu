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
