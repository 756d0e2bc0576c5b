// SPDX-License-Identifier: Apache-2.0
// Memory of each kind, copies between them, fills, variables, and what pointers are said to be.
#include "check.h"

#include <cstring>
#include <vector>

__constant__ float scale;
__device__ int counter = 5;
__device__ int unused = 7;
namespace inner {
__device__ float table[8];
}

__global__ void scaled(float *out, const float *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i] * scale + inner::table[i % 8];
        atomicAdd(&counter, 1);
    }
}
__global__ void fill_rows(float *p, size_t pitch, int width, int height)
{
    const int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height)
        ((float *)((char *)p + y * pitch))[x] = 100 * y + x;
}
__global__ void add_one(int *p, int n)
{
    if (threadIdx.x < n)
        p[threadIdx.x] += 1;
}

static void variables()
{
    const int n = 1000;
    const float s = 3, t[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    std::vector<float> in(n), out(n);
    for (int i = 0; i < n; i++)
        in[i] = i;
    float *a, *b;
    int c = 0;
    size_t size = 0;
    GOOD(cudaMalloc(&a, n * sizeof *a));
    GOOD(cudaMalloc(&b, n * sizeof *b));
    GOOD(cudaMemcpy(a, in.data(), n * sizeof *a, cudaMemcpyHostToDevice));
    GOOD(cudaMemcpyToSymbol(scale, &s, sizeof s));
    GOOD(cudaMemcpyToSymbol(inner::table, t + 4, 4 * sizeof *t, 4 * sizeof *t));
    scaled<<<(n + 127) / 128, 128>>>(b, a, n);
    GOOD(cudaGetLastError());
    GOOD(cudaMemcpy(out.data(), b, n * sizeof *b, cudaMemcpyDefault));
    for (int i = 0; i < n; i++)
        EXPECT(out[i] == 3.0f * i + (i % 8 < 4 ? 0 : i % 8));
    GOOD(cudaMemcpyFromSymbol(&c, counter, sizeof c));
    EXPECT(c == 5 + n);
    GOOD(cudaGetSymbolSize(&size, inner::table));
    EXPECT(size == sizeof t);
    /* beyond the variable's end */
    EXPECT(cudaMemcpyToSymbol(scale, t, 2 * sizeof s) == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    /* one that no kernel uses can be written and then read */
    c = 11;
    GOOD(cudaMemcpyToSymbol(unused, &c, sizeof c));
    c = 0;
    GOOD(cudaMemcpyFromSymbol(&c, unused, sizeof c));
    EXPECT(c == 11);
    GOOD(cudaFree(a));
    GOOD(cudaFree(b));
    EXPECT(cudaFree(b) == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess);
}

static void rows()
{
    float *p, h[20][40];
    size_t pitch;
    GOOD(cudaMallocPitch(&p, &pitch, 30 * sizeof *p, 20));
    EXPECT(pitch >= 30 * sizeof *p && pitch % 32 == 0);
    GOOD(cudaMemset2D(p, pitch, 0, 30 * sizeof *p, 20));
    fill_rows<<<20, 30>>>(p, pitch, 30, 20);
    memset(h, 0xff, sizeof h);
    GOOD(cudaMemcpy2D(h, sizeof h[0], p, pitch, 30 * sizeof *p, 20, cudaMemcpyDeviceToHost));
    EXPECT(h[7][3] == 703 && h[19][29] == 1929);
    unsigned char beside[sizeof(float)];
    memcpy(beside, &h[7][30], sizeof beside);
    EXPECT(beside[0] == 0xff && beside[3] == 0xff);
    EXPECT(cudaMemcpy2D(h, 8, p, pitch, 30 * sizeof *p, 20, cudaMemcpyDeviceToHost) ==
           cudaErrorInvalidPitchValue);
    GOOD(cudaFree(p));
    cudaPitchedPtr box;
    GOOD(cudaMalloc3D(&box, make_cudaExtent(16, 4, 3)));
    GOOD(cudaMemset3D(box, 9, make_cudaExtent(16, 4, 3)));
    unsigned char got[3][4][16] = {};
    cudaMemcpy3DParms parms = {};
    parms.srcPtr = box;
    parms.dstPtr = make_cudaPitchedPtr(got, 16, 16, 4);
    parms.extent = make_cudaExtent(16, 4, 2);
    parms.kind = cudaMemcpyDeviceToHost;
    GOOD(cudaMemcpy3D(&parms));
    EXPECT(got[0][0][0] == 9 && got[1][3][15] == 9 && got[2][0][0] == 0);
    GOOD(cudaFree(box.ptr));
}

static void kinds()
{
    int *device, *pinned, own = 0;
    cudaPointerAttributes a;
    GOOD(cudaMalloc(&device, 64));
    GOOD(cudaMallocHost(&pinned, 64));
    GOOD(cudaPointerGetAttributes(&a, device + 3));
    EXPECT(a.type == cudaMemoryTypeDevice && a.devicePointer == device + 3 && !a.hostPointer);
    GOOD(cudaPointerGetAttributes(&a, pinned));
    EXPECT(a.type == cudaMemoryTypeHost && a.hostPointer == pinned);
    GOOD(cudaPointerGetAttributes(&a, &own));
    EXPECT(a.type == cudaMemoryTypeUnregistered);
    for (int i = 0; i < 16; i++)
        pinned[i] = i;
    GOOD(cudaMemcpyAsync(device, pinned, 64, cudaMemcpyHostToDevice));
    add_one<<<1, 16>>>(device, 16);
    GOOD(cudaMemcpyAsync(pinned, device, 64, cudaMemcpyDeviceToHost));
    GOOD(cudaStreamSynchronize(0));
    EXPECT(pinned[0] == 1 && pinned[15] == 16);
    int managed = 0;
    GOOD(cudaDeviceGetAttribute(&managed, cudaDevAttrManagedMemory, 0));
    if (managed) {
        int *both;
        GOOD(cudaMallocManaged(&both, 64));
        both[2] = 20;
        add_one<<<1, 16>>>(both, 16);
        GOOD(cudaDeviceSynchronize());
        EXPECT(both[2] == 21);
        GOOD(cudaMemPrefetchAsync(both, 64, 0));
        EXPECT(cudaMemPrefetchAsync(&own, 4, 0) == cudaErrorInvalidValue);
        GOOD(cudaFree(both));
    }
    EXPECT(cudaFree(pinned) == cudaErrorInvalidValue);
    GOOD(cudaFreeHost(pinned));
    GOOD(cudaFree(device));
    GOOD(cudaFree(0));
    void *too_much = &own;
    EXPECT(cudaMalloc(&too_much, (size_t)1 << 60) == cudaErrorMemoryAllocation && !too_much);
}

int main()
{
    variables();
    rows();
    kinds();
    FINISH();
}
