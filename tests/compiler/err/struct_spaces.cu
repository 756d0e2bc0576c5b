// Structs of pointers that are copied to global memory: one with a shared address, and one whose field
// holds both.
struct view {
    float *p;
    int n;
};

extern "C" __global__ void copied(view *out, int n)
{
    __shared__ float tile[32];
    view own[2] = {{tile, 1}, {tile + 8, 2}};
    out[0] = own[n];
}

struct both {
    const float *tile, *in;
};

extern "C" __global__ void left(both *out, const float *in, int n)
{
    __shared__ float tile[32];
    both own[2] = {{tile, in}, {tile + 1, in + 1}};
    out[0].in = own[n].in;
    out[1] = own[n];
}
