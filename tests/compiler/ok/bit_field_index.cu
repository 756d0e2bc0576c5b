// A bit-field's mask is of a narrow type, which C computes as int; a mask that is unsigned would make
// the complement unsigned, and the index 2^32 too large.
struct bits {
    int a : 2;
    unsigned b : 11;
    int c : 19;
};
extern "C" __global__ void bit_field_index(int *o, const bits *in)
{
    __shared__ signed char s[64];
    s[threadIdx.x] = (signed char)threadIdx.x;
    __syncthreads();
    const signed char *p = &s[32];
    o[threadIdx.x] = p[~((unsigned)in[threadIdx.x].b & 31u)];
}
// exercises: lower/shared_index
