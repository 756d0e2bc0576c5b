// Addresses of shared memory that travel: in structs that are copied, in a lambda, and as numbers.
struct view {
    const int *p;
    int n;
};

extern "C" __global__ void run(int *out, const int *in, int n)
{
    __shared__ int tile[32];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();

    view views[2] = {{tile, 1}, {tile + 16, 2}}, copies[3];
    for (int i = 0; i < 3; i++)
        copies[i] = views[i & 1];
    int sum = copies[n % 3].p[3] * copies[n % 2].n;
    auto at = [=](int i) { return views[i & 1].p[i & 7]; };
    for (int i = 0; i < n; i++)
        sum = sum * 3 + at(i);

    unsigned long long number = (unsigned long long)(n & 1 ? tile : tile + 8);
    for (int i = 0; i < 4; i++)
        number += 4;
    int apart = (int)((const char *)(tile + 8) - (const char *)tile);
    out[t] = sum + ((const int *)(number >> 2 << 2))[t & 3] + apart;
}
// exercises: model/infer_spaces model/points_to
