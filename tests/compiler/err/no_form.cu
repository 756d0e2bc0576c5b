// What CUDA has and OpenCL C has not.
#include <cooperative_groups.h>
#include <stdlib.h>

extern "C" __global__ void grid(int *p)
{
    cooperative_groups::this_grid().sync();
    p[0] = 1;
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
