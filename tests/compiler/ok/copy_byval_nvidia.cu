// profile: nvidia
// One struct passed by value that becomes another: NVIDIA's OpenCL compiler crashes where the
// parameter itself is written to.
struct setup {
    int2 at;
    float weight;
};

extern "C" __global__ void run(float *out, const int *in, setup a, setup b)
{
    int i = threadIdx.x;
    float before = a.weight;
    if (in[i] & 1)
        b = a;
    out[i] = before + b.weight + b.at.x;
}
// exercises: quirks/quirk_copy_byval model/copy_parameter
