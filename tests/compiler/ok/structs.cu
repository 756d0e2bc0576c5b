// Structs by value and in buffers: arrays, padding, nesting.
struct point {
    float xyz[3];
    char tag;
    double weight;
};
struct setup {
    point origin;
    int counts[2];
    bool flip;
};

extern "C" __global__ void run(point *out, const point *in, int n, setup s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    point p = in[i];
    for (int k = 0; k < 3; k++)
        p.xyz[k] -= s.origin.xyz[s.flip ? 2 - k : k];
    p.weight *= s.origin.weight + s.counts[i & 1];
    p.tag = s.origin.tag + i;
    out[i] = p;
}
// exercises: lang/spell_type model/types expr/expr_place_step
