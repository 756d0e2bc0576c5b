// Structs and arrays of pointers whose fields, or elements named by constants, lead to different address
// spaces: filled in loops, copied, returned, walked through and chained.
#include <string.h>

struct source {
    const float *tile, *in;
    int n;
};

__device__ source make(const float *tile, const float *in, int n)
{
    source s = {tile + 1, in, 2};
    if (n > 3)
        return {tile, in, n};
    return s;
}

__device__ float sum_of(const source &s, int k)
{
    return s.tile[k & 7] + s.in[k % s.n];
}

extern "C" __global__ void copies(float *out, const float *in, int n)
{
    __shared__ float tile[32];
    __shared__ source both[2];
    int t = threadIdx.x;
    tile[t] = in[t] * 2;
    if (t == 0) {
        both[0] = {tile, in, n};
        both[1] = {tile + 1, in + 1, n};
    }
    __syncthreads();
    source own[4], other[4];
    for (int i = 0; i < 4; i++)
        own[i] = {tile + i, in + i, n};
    for (int i = 0; i < 4; i++)
        other[i] = own[(i + n) & 3];
    source s = other[n & 3], m = make(tile, in, n);
    float sum = sum_of(s, t) + sum_of(m, t) - both[n & 1].tile[t & 7] * both[t & 1].in[t & 7];
    for (source *p = other; p != other + 4; p++)
        sum = sum * 0.5f + p->tile[t & 3] * p->in[t & 7];
    out[t] = sum;
}

// Pointers in bytes, an array of pairs by constant index, pairs that are exchanged field by field.
extern "C" __global__ void elements(float *out, const float *in, int n)
{
    __shared__ float tile[32];
    int t = threadIdx.x;
    tile[t] = in[t] * 2;
    __syncthreads();
    alignas(8) char boxes[4][16], box[16];
    const float *pairs[3][2];
    for (int i = 0; i < 3; i++) {
        pairs[i][0] = tile + i;
        pairs[i][1] = in + i;
        memcpy(boxes[i], &pairs[i][0], 8);
        memcpy(boxes[i] + 8, &pairs[i][1], 8);
    }
    memcpy(box, boxes[n % 3], 16);
    const float *a, *b;
    memcpy(&a, box, 8);
    memcpy(&b, boxes[(n + 1) % 3] + 8, 8);
    for (int i = 0; i < n; i++) {
        const float *h = pairs[i % 3][0];
        pairs[i % 3][0] = pairs[(i + 1) % 3][0];
        pairs[(i + 1) % 3][0] = h;
    }
    const float *(*row)[2] = n > 3 ? &pairs[0] : &pairs[1];
    (*row)[1] += 2;
    out[t] = a[t & 7] + b[t & 7] * pairs[n % 3][0][t & 3] - (*row)[0][1] * pairs[1][1][t & 1];
}

// A list whose links are private, whose data are shared and global; closures of both.
struct link {
    const float *in;
    float *tile;
    link *next;
};

extern "C" __global__ void links(float *out, const float *in, int n)
{
    __shared__ float tile[32];
    int t = threadIdx.x;
    tile[t] = in[t] * 2;
    __syncthreads();
    link all[4];
    for (int i = 0; i < 4; i++)
        all[i] = {in + i, tile + 2 * i, i < 3 ? &all[i + 1] : nullptr};
    all[n & 1].next = &all[3];
    float sum = 0;
    for (link *p = all; p; p = p->next)
        sum = sum * 3 + p->in[t & 7] - p->tile[t & 3];
    float *const second = tile + 1;
    auto product = [=](int k) { return second[k & 7] * in[k]; };
    decltype(product) products[2] = {product, product};
    out[t] = sum + products[n & 1](t & 7);
}

// More than is told apart byte by byte, and a struct that brings a global pointer.
extern "C" __global__ void many(float *out, const float *in, int n)
{
    __shared__ float tile[32];
    struct entry {
        const float *a;
        float v[20];
        const float *b;
    } all[60];
    int t = threadIdx.x;
    tile[t] = in[t] * 2;
    __syncthreads();
    for (int i = 0; i < 60; i++) {
        all[i].a = tile + (i & 7);
        all[i].b = in + (i & 7);
        for (int k = 0; k < 20; k++)
            all[i].v[k] = i + k;
    }
    out[t] = all[n].a[t & 7] + all[n + t].b[t & 7] + all[t].v[n % 20];
}

extern "C" __global__ void given(float *out, source s, int n)
{
    __shared__ float tile[32];
    int t = threadIdx.x;
    tile[t] = s.in[t];
    __syncthreads();
    source own[2];
    own[0].in = own[1].in = s.in;
    own[0].tile = own[1].tile = tile;
    own[0].n = own[1].n = 2;
    out[t] = sum_of(own[n & 1], t);
}
// exercises: model/points_to model/infer_spaces model/address_space
