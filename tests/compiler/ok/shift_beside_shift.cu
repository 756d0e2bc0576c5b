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
// exercises: lower/guard_shifts
