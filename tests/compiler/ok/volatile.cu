// A struct with a volatile member is copied and cleared in volatile words; << of what is negative
// or too large for its type gives the bits, as in CUDA.
struct Slot {
    volatile int flag;
    int data[3];
};

extern "C" __global__ void run(Slot *out, const Slot *in, int n)
{
    __shared__ Slot slots[32];
    const int i = threadIdx.x;
    slots[i] = in[i];
    __syncthreads();
    out[i] = slots[31 - i];
    out[i + n] = Slot{};
    short narrow = in[i].data[0];
    for (int k = 0; k < n / 8; k++) {
        out[i].data[1] <<= 3;
        narrow <<= 5;
        narrow -= k;
    }
    out[i].data[2] = narrow;
}
// exercises: stmt/memcpy lang/spell_memory expr/expr
