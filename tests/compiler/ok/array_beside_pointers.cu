// exercises: model/points_to
// An array of numbers in a struct that holds pointers to two kinds of memory: whatever its index
// is, what is read there is no pointer, and what is stored there none either.
struct sizes {
    int stride, step;
};

struct tile_iterator {
    int mask[1];
    const sizes *params; // to private memory
    const float *at;     // to global memory
    int offset[2];
};

extern __shared__ int kept[];

__global__ void array_beside_pointers(float *out, const float *in, sizes given, int n)
{
    tile_iterator it;
    it.params = &given;
    it.at = in;
    for (int i = 0; i < 2; i++)
        it.offset[i] = (int)threadIdx.x + i;
    it.mask[0] = 0;
    for (int i = 0; i < n; i++)
        it.mask[i / 32] |= 1 << i % 32;
    for (int i = 0; i < n; i++) {
        kept[threadIdx.x * 2 + i % 2] = it.offset[i % 2] + it.mask[0];
        it.at += it.params->stride * it.offset[i % 2];
        given.stride += it.params->step;
        it.offset[i % 2] += it.mask[i / 32];
    }
    out[threadIdx.x] = *it.at + kept[threadIdx.x * 2 ^ 1];
}
