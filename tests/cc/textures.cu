/* SPDX-License-Identifier: Apache-2.0
 *
 * covers: cudart/arrays cudart/array_copies cudart/textures
 *
 * Arrays, texture and surface objects. */
#include "check.h"

#include <cstring>

__global__ void read_2d(float *out, cudaTextureObject_t t, float x, float y)
{
    *out = tex2D<float>(t, x, y);
}
__global__ void read_fetch(int *out, cudaTextureObject_t t)
{
    out[threadIdx.x] = tex1Dfetch<int>(t, (int)threadIdx.x - 1);
}
__global__ void read_3d(float *out, cudaTextureObject_t t, float x, float y, float z)
{
    *out = tex3D<float>(t, x, y, z);
}
__global__ void read_layers(float *out, cudaTextureObject_t t)
{
    out[threadIdx.x] = tex2DLayered<float>(t, 1.5f, 0.5f, threadIdx.x);
}
__global__ void read_cube(float *out, cudaTextureObject_t t)
{
    out[0] = texCubemap<float>(t, 1, 0, 0);
    out[1] = texCubemap<float>(t, -1, 0, 0);
    out[2] = texCubemap<float>(t, 0, 0, -1);
}
__global__ void read_bytes(float4 *out, cudaTextureObject_t t)
{
    *out = tex2D<float4>(t, 0.75f, 0.25f);
}
__global__ void write_surface(cudaSurfaceObject_t s)
{
    surf2Dwrite((float)(10 * threadIdx.y + threadIdx.x), s, threadIdx.x * 4, threadIdx.y);
}

static float *out;
static float first()
{
    float f[4];
    GOOD(cudaMemcpy(f, out, sizeof f, cudaMemcpyDeviceToHost));
    return f[0];
}

static cudaTextureObject_t over(cudaArray_t a, cudaTextureFilterMode filter,
                                cudaTextureAddressMode address, int normalized,
                                cudaTextureReadMode mode = cudaReadModeElementType)
{
    cudaTextureObject_t t = 0;
    cudaResourceDesc r;
    cudaTextureDesc d;
    memset(&r, 0, sizeof r);
    memset(&d, 0, sizeof d);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = address;
    d.filterMode = filter;
    d.readMode = mode;
    d.normalizedCoords = normalized;
    GOOD(cudaCreateTextureObject(&t, &r, &d, NULL));
    return t;
}

static void check_2d()
{
    cudaArray_t a, b;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), got;
    cudaExtent extent;
    unsigned int flags = 9;
    float texels[2][4] = {{1, 2, 3, 4}, {10, 20, 40, 80}}, back[2][4];
    EXPECT(format.x == 32 && format.y == 0 && format.f == cudaChannelFormatKindFloat);
    GOOD(cudaMallocArray(&a, &format, 4, 2));
    GOOD(cudaArrayGetInfo(&got, &extent, &flags, a));
    EXPECT(got.x == 32 && extent.width == 4 && extent.height == 2 && extent.depth == 0 && !flags);
    GOOD(cudaMemcpy2DToArray(a, 0, 0, texels, 16, 16, 2, cudaMemcpyHostToDevice));
    cudaTextureObject_t nearest = over(a, cudaFilterModePoint, cudaAddressModeClamp, 0);
    cudaTextureObject_t blended = over(a, cudaFilterModeLinear, cudaAddressModeWrap, 1);
    EXPECT(nearest != blended);
    read_2d<<<1, 1>>>(out, nearest, 2.5f, 1.5f);
    EXPECT(first() == 40);
    read_2d<<<1, 1>>>(out, nearest, -5.0f, 9.0f);
    EXPECT(first() == 10);
    read_2d<<<1, 1>>>(out, blended, 0.5f, 0.75f);
    EXPECT(first() == 30);
    read_2d<<<1, 1>>>(out, blended, 1.0f, 0.25f); /* between 4 and, around the edge, 1 */
    EXPECT(first() == 2.5f);
    /* a part, from device memory; the objects see it */
    float *device;
    const float part[2] = {-1, -2};
    GOOD(cudaMalloc(&device, sizeof part));
    GOOD(cudaMemcpy(device, part, sizeof part, cudaMemcpyHostToDevice));
    GOOD(cudaMemcpy2DToArray(a, 4, 1, device, 8, 8, 1, cudaMemcpyDeviceToDevice));
    GOOD(cudaMemcpy2DFromArray(back, 16, a, 0, 0, 16, 2, cudaMemcpyDeviceToHost));
    EXPECT(back[0][3] == 4 && back[1][0] == 10 && back[1][1] == -1 && back[1][2] == -2 &&
           back[1][3] == 80);
    read_2d<<<1, 1>>>(out, nearest, 1.5f, 1.5f);
    EXPECT(first() == -1);
    GOOD(cudaMallocArray(&b, &format, 4, 2));
    GOOD(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 16, 2));
    GOOD(cudaMemcpyFromArray(back, b, 0, 0, sizeof back, cudaMemcpyDeviceToHost));
    EXPECT(back[0][0] == 1 && back[1][2] == -2);
    EXPECT(cudaMemcpy2DToArray(a, 4, 0, texels, 16, 16, 2, cudaMemcpyHostToDevice) ==
           cudaErrorInvalidValue);
    cudaResourceDesc r;
    GOOD(cudaGetTextureObjectResourceDesc(&r, blended));
    EXPECT(r.resType == cudaResourceTypeArray && r.res.array.array == a);
    GOOD(cudaDestroyTextureObject(nearest));
    GOOD(cudaDestroyTextureObject(blended));
    EXPECT(cudaDestroyTextureObject(blended) == cudaErrorInvalidValue);
    GOOD(cudaFreeArray(a));
    GOOD(cudaFreeArray(b));
    EXPECT(cudaFreeArray(b) == cudaErrorInvalidValue);
    GOOD(cudaFree(device));
}

static void check_memory()
{
    int *list;
    int host[4] = {7, 8, 9, 10}, got[6];
    cudaResourceDesc r;
    cudaTextureDesc d;
    cudaTextureObject_t t;
    memset(&r, 0, sizeof r);
    memset(&d, 0, sizeof d);
    GOOD(cudaMalloc(&list, 64));
    GOOD(cudaMemcpy(list, host, sizeof host, cudaMemcpyHostToDevice));
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = list;
    r.res.linear.desc = cudaCreateChannelDesc<int>();
    r.res.linear.sizeInBytes = sizeof host;
    GOOD(cudaCreateTextureObject(&t, &r, &d, NULL));
    read_fetch<<<1, 6>>>((int *)out, t);
    GOOD(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 0 && got[1] == 7 && got[4] == 10 && got[5] == 0);
    GOOD(cudaDestroyTextureObject(t));

    float *rows;
    size_t pitch;
    const float texels[2][3] = {{1, 2, 3}, {4, 5, 6}};
    GOOD(cudaMallocPitch(&rows, &pitch, sizeof texels[0], 2));
    GOOD(cudaMemcpy2D(rows, pitch, texels, sizeof texels[0], sizeof texels[0], 2,
                      cudaMemcpyHostToDevice));
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.devPtr = rows;
    r.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    r.res.pitch2D.width = 3;
    r.res.pitch2D.height = 2;
    r.res.pitch2D.pitchInBytes = pitch;
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeBorder;
    GOOD(cudaCreateTextureObject(&t, &r, &d, NULL));
    read_2d<<<1, 1>>>(out, t, 1.5f, 1.5f);
    EXPECT(first() == 5);
    read_2d<<<1, 1>>>(out, t, 3.5f, 1.5f);
    EXPECT(first() == 0);
    GOOD(cudaDestroyTextureObject(t));
    GOOD(cudaFree(rows));
    GOOD(cudaFree(list));
}

static cudaArray_t filled(cudaExtent extent, unsigned int flags, const void *texels, size_t row,
                          size_t rows)
{
    cudaArray_t a;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    GOOD(cudaMalloc3DArray(&a, &format, extent, flags));
    cudaMemcpy3DParms p;
    memset(&p, 0, sizeof p);
    p.srcPtr = make_cudaPitchedPtr((void *)texels, row, extent.width, rows);
    p.dstArray = a;
    p.extent = make_cudaExtent(extent.width, rows, extent.depth);
    p.kind = cudaMemcpyHostToDevice;
    GOOD(cudaMemcpy3D(&p));
    return a;
}

static void check_3d()
{
    float texels[3][2][4], got[3];
    for (int i = 0; i < 24; i++)
        (&texels[0][0][0])[i] = (float)i;
    cudaArray_t a = filled(make_cudaExtent(4, 2, 3), 0, texels, 16, 2);
    cudaTextureObject_t t = over(a, cudaFilterModePoint, cudaAddressModeClamp, 0);
    read_3d<<<1, 1>>>(out, t, 2.5f, 1.5f, 2.5f);
    EXPECT(first() == 22);
    GOOD(cudaDestroyTextureObject(t));
    float slice[2][4] = {};
    cudaMemcpy3DParms p;
    memset(&p, 0, sizeof p);
    p.srcArray = a;
    p.srcPos = make_cudaPos(1, 0, 2);
    p.dstPtr = make_cudaPitchedPtr(slice, 16, 4, 2);
    p.extent = make_cudaExtent(3, 2, 1);
    p.kind = cudaMemcpyDeviceToHost;
    GOOD(cudaMemcpy3D(&p));
    EXPECT(slice[0][0] == 17 && slice[1][2] == 23 && slice[0][3] == 0);
    GOOD(cudaFreeArray(a));

    a = filled(make_cudaExtent(4, 2, 3), cudaArrayLayered, texels, 16, 2);
    t = over(a, cudaFilterModePoint, cudaAddressModeWrap, 0);
    read_layers<<<1, 3>>>(out, t);
    GOOD(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 1 && got[1] == 9 && got[2] == 17);
    GOOD(cudaDestroyTextureObject(t));
    GOOD(cudaFreeArray(a));

    float faces[6] = {10, 11, 12, 13, 14, 15};
    a = filled(make_cudaExtent(1, 1, 6), cudaArrayCubemap, faces, 4, 1);
    t = over(a, cudaFilterModeLinear, cudaAddressModeWrap, 1);
    read_cube<<<1, 1>>>(out, t);
    GOOD(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 10 && got[1] == 11 && got[2] == 15);
    GOOD(cudaDestroyTextureObject(t));
    GOOD(cudaFreeArray(a));
}

static void check_bytes()
{
    cudaArray_t a;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    const unsigned char texels[2][2][4] = {{{0, 0, 0, 0}, {255, 51, 0, 102}}, {{1, 1, 1, 1}}};
    float4 got;
    GOOD(cudaMallocArray(&a, &format, 2, 2));
    GOOD(cudaMemcpyToArray(a, 0, 0, texels, sizeof texels, cudaMemcpyHostToDevice));
    cudaTextureObject_t t =
        over(a, cudaFilterModePoint, cudaAddressModeMirror, 1, cudaReadModeNormalizedFloat);
    read_bytes<<<1, 1>>>((float4 *)out, t);
    GOOD(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got.x == 1 && got.y > 0.1999f && got.y < 0.2001f && got.z == 0 && got.w > 0.3999f &&
           got.w < 0.4001f);
    GOOD(cudaDestroyTextureObject(t));
    GOOD(cudaFreeArray(a));
}

static void check_surfaces()
{
    cudaArray_t a;
    cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaResourceDesc r;
    cudaSurfaceObject_t s = 0;
    float texels[3][4];
    memset(&r, 0, sizeof r);
    GOOD(cudaMallocArray(&a, &format, 4, 3, cudaArraySurfaceLoadStore));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    GOOD(cudaCreateSurfaceObject(&s, &r));
    write_surface<<<1, dim3(4, 3)>>>(s);
    GOOD(cudaDeviceSynchronize());
    GOOD(cudaMemcpy2DFromArray(texels, 16, a, 0, 0, 16, 3, cudaMemcpyDeviceToHost));
    EXPECT(texels[0][0] == 0 && texels[2][3] == 23 && texels[1][2] == 12);
    GOOD(cudaDestroySurfaceObject(s));
    GOOD(cudaFreeArray(a));
}

static void check_mistakes()
{
    cudaArray_t a = (cudaArray_t)&a;
    cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
    cudaResourceDesc r;
    cudaTextureDesc d;
    cudaTextureObject_t t;
    memset(&r, 0, sizeof r);
    memset(&d, 0, sizeof d);
    EXPECT(cudaMallocArray(&a, &three, 4, 4) == cudaErrorInvalidChannelDescriptor && !a);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = (cudaArray_t)&a;
    EXPECT(cudaCreateTextureObject(&t, &r, &d, NULL) == cudaErrorInvalidResourceHandle);
    r.resType = cudaResourceTypeMipmappedArray;
    EXPECT(cudaCreateTextureObject(&t, &r, &d, NULL) == cudaErrorNotSupported);
    const cudaChannelFormatDesc integers = cudaCreateChannelDesc<int>();
    GOOD(cudaMallocArray(&a, &integers, 4, 4));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    d.filterMode = cudaFilterModeLinear;
    EXPECT(cudaCreateTextureObject(&t, &r, &d, NULL) == cudaErrorInvalidValue);
    GOOD(cudaFreeArray(a));
    cudaGetLastError();
}

int main()
{
    GOOD(cudaMalloc(&out, 64));
    check_2d();
    check_memory();
    check_3d();
    check_bytes();
    check_surfaces();
    check_mistakes();
    GOOD(cudaFree(out));
    GOOD(cudaDeviceReset());
    FINISH();
}
