// A shift by too much does not hide from what follows that its count is not known.
extern "C" __global__ void shift_beside_shift(unsigned *o, unsigned arg)
{
    const unsigned tid = threadIdx.x;
    arg = 8191u >> (32u + threadIdx.z * 0u);
    switch (min(tid >> ((tid & 127u) + threadIdx.z * 0u), arg + 31u) % 5u) {
    case 2: o[tid + 32] = 1;
    }
    o[tid] = 527 + arg;
}
// Nor does what is stored where such a shift leads: the store happens.
extern "C" __global__ void store_beside_shift(int *o, const int *a)
{
    __shared__ int s[64];
    float both[2] = {};
    const unsigned tid = threadIdx.x;
    s[tid] = a[tid];
    __syncthreads();
    if (tid != 0)
        both[tid >> (128 + threadIdx.z * 0u) & 1u] = 3.0f;
    o[tid] = (s[0] >> tid) + (int)both[0];
}
// exercises: lower/guard_shifts
