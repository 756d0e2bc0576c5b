// Null pointers that meet pointers to shared, private and global memory.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    int *p = nullptr;
    if (t < n)
        p = &s[31 - t];
    int own[4] = {in[0], 2, 3, 4};
    int *q = t & 1 ? own + (t & 3) : nullptr;
    const int *g = t % 3 ? in + t : nullptr;
    int sum = p ? *p : -1;
    if (q)
        sum += *q;
    if (g)
        sum += *g;
    out[t] = sum;
}
// exercises: model/address_space quirks/quirk_pad_array
