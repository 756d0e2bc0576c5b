// Pointers that may be global, private, shared or constant as the program runs: chosen, in loops, passed to
// functions, in structs and arrays, as numbers; loads, stores, atomics, copies and comparisons through them.
__constant__ int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};

static __device__ int sum(const int *p, int n)
{
    int total = 0;
    for (const int *const end = p + n; p != end; p++)
        total += *p;
    return total;
}

static __device__ const int *choose(int which, const int *a, const int *b, const int *c)
{
    return which == 0 ? a : which == 1 ? b : c;
}

__global__ void run(int *out, const int *in, int n)
{
    __shared__ int tile[32];
    const int i = threadIdx.x;
    int zero[4] = {0, 0, 0, 0};
    tile[i] = in[31 - i];
    __syncthreads();
    const int *p = i < n ? in + (i & 24) : zero;
    int v = p[i & 3];
    v += 3 * sum(choose(i % 3, in + 4, tile + 8, zero), 4);
    int *q = i & 1 ? zero : out + 64 + 4 * i; /* stores */
    for (int k = 0; k < 4; k++)
        q[k] = v + k;
    v += zero[i & 3];
    const int *walk = in;
    for (int k = 0; k < 5; k++) {
        v += walk[k];
        walk = (k + i) % 3 ? tile + k : primes;
    }
    out[i] = v;
}

struct view {
    const int *data;
    int n;
};

struct node {
    int value;
    const node *next;
};

__global__ void fields(int *out, const int *in, int n)
{
    __shared__ int tile[32];
    const int i = threadIdx.x;
    int own[4] = {i, i + 1, i + 2, i + 3};
    tile[i] = 5 * in[i];
    __syncthreads();
    view views[4] = {{in + i, 1}, {own, 3}, {tile + (i & 7), 4}, {nullptr, 0}};
    if (i % 5 == 4)
        views[1] = views[0];
    int v = 0;
    for (int k = 0; k < 4; k++) {
        const view w = views[(k + i) & 3];
        if (w.data != nullptr)
            v += (k + 1) * sum(w.data, w.n);
    }
    node nodes[3] = {{v, nullptr}, {2, nullptr}, {3, nullptr}};
    nodes[0].next = &nodes[2];
    nodes[2].next = &nodes[1];
    for (const node *at = nodes; at; at = at->next)
        v = 3 * v + at->value;
    const int *a = i & 1 ? in : tile, *b = i & 2 ? in : tile;
    const unsigned long long number = (unsigned long long)(i & 4 ? own : in);
    out[i] = v + (a == b) + *(const int *)(number + 8) + (number % 4 == 0);
}

__global__ void changes(int *out, const int *in, int n)
{
    __shared__ int counts[4];
    const int i = threadIdx.x;
    int own[4] = {1, 2, 3, 4};
    if (i < 4) {
        counts[i] = i;
        out[64 + i] = i;
    }
    __syncthreads();
    atomicAdd(i & 1 ? &counts[i & 3] : &out[64 + (i & 3)], in[i]);
    __syncthreads();
    if (i < 4)
        out[68 + i] = counts[i];
    int copy[4];
    const int *from = i % 3 ? own : in + i % 16;
    __builtin_memcpy(copy, from, sizeof copy);
    int *to = i & 1 ? own : out + 80 + 4 * i;
    __builtin_memcpy(to, copy, sizeof copy);
    out[i] = copy[1] + own[i & 3];
}
// exercises: lower/mixed_pointers lower/mixed_parts lower/mixed_accesses model/infer_spaces
