// Structs passed by value that the kernel writes to, whole and in part; one that is only read.
struct setup {
    int counts[3];
    short step;
    double weight;
};

extern "C" __global__ void run(int *out, const int *in, int n, setup a, setup b, setup c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, before = a.counts[1];
    a.counts[i % 3] = in[i];
    if (in[i] & 1)
        b = c;
    b.step += i;
    if (i < n)
        out[i] = before + a.counts[0] + a.counts[2] * 3 + b.counts[1] + b.step + c.step;
}
// exercises: quirks/quirk_copy_byval
