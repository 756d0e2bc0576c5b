// The front end's own errors come back under the user's names.
extern "C" __global__ void run(float *out)
{
    out[threadIdx.x] = missing + 1;
}
