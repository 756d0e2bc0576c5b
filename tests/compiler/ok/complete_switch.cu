// A switch whose cases are all values that its selector has, before barriers, and a value that is
// chosen for all work-items alike.
extern "C" __global__ void run(int *out, const int *in, int n)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const int same = in[0] != 0 ? 0 : in[1] != 0;
    switch (288829753u % (i | 1u) % 4u) {
    case 0:
        for (int k = 0; k < 3; k++) {
        }
        break;
    case 1: out[i] = 5; break;
    case 2:
        for (int k = 0; k < 3; k++) {
        }
        break;
    default: atomicAdd(&out[i], n);
    }
    const int all = __syncthreads_and((int)(n < 0));
    const float kept = (float)same;
    if (i == 0)
        out[blockDim.x * gridDim.x] = all + (kept == kept ? __float_as_int(kept) : 0);
}
// exercises: quirks/quirk_switch stmt/structure
