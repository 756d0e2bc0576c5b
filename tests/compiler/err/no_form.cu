// What CUDA has and OpenCL C has not.
#include <cooperative_groups.h>
#include <stdlib.h>

texture<float, 1, cudaReadModeElementType> reference;

extern "C" __global__ void texture_reference(float *p)
{
    p[threadIdx.x] = tex1Dfetch(reference, threadIdx.x);
}

surface<void, 2> written;

extern "C" __global__ void surface_reference(float *p)
{
    surf2Dread(p, written, 4, 2);
}

extern "C" __global__ void heap(void **p)
{
    p[0] = malloc(64);
    p[1] = new float[4];
    p[2] = new int;
    free(p[3]);
    delete (int *)p[4];
}

extern "C" __global__ void grid(int *p)
{
    cooperative_groups::this_grid().sync();
    p[0] = 1;
}

extern "C" __global__ void array(int *out)
{
    int *p = new int[out[0]];
    out[1] = p[0];
}

struct base {
    __device__ virtual ~base() {}
};
struct derived : base {
    int n;
};

extern "C" __global__ void kind(base *p, int *out)
{
    derived *d = dynamic_cast<derived *>(p);
    out[0] = d ? d->n : 0;
}

extern "C" __global__ void nan_payload(double *d)
{
    d[0] = nan("12");
}
