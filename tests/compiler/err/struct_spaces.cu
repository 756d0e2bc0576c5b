// Structs of pointers: one passed by value holds global addresses and then gets a shared one, one
// with a shared address is copied to global memory. Fields and elements that hold both.
struct view {
    float *p;
    int n;
};

extern "C" __global__ void reseated(float *out, view v, int n)
{
    __shared__ float tile[32];
    if (n == 3)
        v.p = tile;
    out[0] = v.p[v.n];
}

extern "C" __global__ void copied(view *out, int n)
{
    __shared__ float tile[32];
    view own[2] = {{tile, 1}, {tile + 8, 2}};
    out[0] = own[n];
}

struct both {
    const float *tile, *in;
};

extern "C" __global__ void by_index(float *out, const float *in, int n)
{
    __shared__ float tile[32];
    const float *p[2] = {tile, in};
    out[0] = p[n][1];
}

extern "C" __global__ void one_of_two(float *out, const float *in, int n)
{
    __shared__ float tile[32];
    both own[2] = {{tile, in}, {in, in}};
    out[0] = own[n].in[1] + own[n].tile[2];
}

extern "C" __global__ void moved(float *out, const float *in, int n)
{
    __shared__ float tile[32];
    both own[2] = {{tile, in}, {tile + 1, in + 1}};
    __builtin_memcpy(&own[0].in, own + n, 8);
    out[0] = own[n].in[1] + own[n].tile[2];
}

extern "C" __global__ void left(both *out, const float *in, int n)
{
    __shared__ float tile[32];
    both own[2] = {{tile, in}, {tile + 1, in + 1}};
    out[0].in = own[n].in;
    out[1] = own[n];
}
