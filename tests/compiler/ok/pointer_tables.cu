// Arrays of addresses with an initialiser, and a list through a thread's own memory.
struct view {
    const float *data;
    int n;
};
struct node {
    float value;
    node *next;
};

__global__ void buffers(float *out, const float *in, int turns)
{
    __shared__ float even[64], odd[64];
    float *const tile[2] = {even, odd};
    const int i = threadIdx.x;
    float sum = 0.0f;
    even[i] = in[i];
    __syncthreads();
    for (int k = 0; k < turns; k++) {
        tile[(k + 1) & 1][i] = tile[k & 1][63 - i] * 0.5f;
        sum += tile[k & 1][i];
        __syncthreads();
    }
    out[i] = sum;
}

__global__ void views(float *out, const float *in, int n)
{
    const view of[2] = {{in, n}, {in + 8, 4}};
    const view v = of[threadIdx.x & 1];
    out[threadIdx.x] = v.data[threadIdx.x % v.n];
}

__global__ void list(float *out, const float *in, int n)
{
    node nodes[3], *head = nullptr;
    for (int i = 0; i < 3; i++) {
        nodes[i] = {in[(threadIdx.x + i) % n], head};
        head = &nodes[i];
    }
    float sum = 0.0f;
    for (node *p = head; p; p = p->next)
        sum = sum * 2.0f + p->value;
    out[threadIdx.x] = sum;
}
// exercises: lower/init_pointer_arrays
