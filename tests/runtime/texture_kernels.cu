/* SPDX-License-Identifier: Apache-2.0
 *
 * What check_texture.c runs: reads at given places, each result as four words. */
typedef unsigned int u32;

__device__ u32 word(float v)
{
    return __float_as_uint(v);
}
template <class T> __device__ u32 word(T v)
{
    return (u32)(int)v;
}
#define OF(type)                                                                                   \
    __device__ uint4 words(type##1 v)                                                              \
    {                                                                                              \
        return make_uint4(word(v.x), 0, 0, 0);                                                     \
    }                                                                                              \
    __device__ uint4 words(type##2 v)                                                              \
    {                                                                                              \
        return make_uint4(word(v.x), word(v.y), 0, 0);                                             \
    }                                                                                              \
    __device__ uint4 words(type##4 v)                                                              \
    {                                                                                              \
        return make_uint4(word(v.x), word(v.y), word(v.z), word(v.w));                             \
    }
OF(char)
OF(uchar)
OF(short)
OF(ushort)
OF(int)
OF(uint)
OF(float)
__device__ uint4 words(float v)
{
    return make_uint4(word(v), 0, 0, 0);
}

#define READ(name, ...)                                                                            \
    template <class T>                                                                             \
    __global__ void name(uint4 *out, cudaTextureObject_t t, const float4 *places, int n)           \
    {                                                                                              \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;                                       \
        if (i >= n)                                                                                \
            return;                                                                                \
        const float4 at = places[i];                                                               \
        out[i] = words(__VA_ARGS__);                                                               \
    }
READ(read_1d, tex1D<T>(t, at.x))
READ(read_2d, tex2D<T>(t, at.x, at.y))
READ(read_3d, tex3D<T>(t, at.x, at.y, at.z))
READ(read_1d_layered, tex1DLayered<T>(t, at.x, (int)at.w))
READ(read_2d_layered, tex2DLayered<T>(t, at.x, at.y, (int)at.w))
READ(read_cube, texCubemap<T>(t, at.x, at.y, at.z))
READ(read_linear, tex1Dfetch<T>(t, (int)at.x))
READ(read_1d_lod, tex1DLod<T>(t, at.x, 0))
READ(read_2d_lod, tex2DLod<T>(t, at.x, at.y, 0))
READ(read_3d_lod, tex3DLod<T>(t, at.x, at.y, at.z, 0))
READ(gather_0, tex2Dgather<T>(t, at.x, at.y))
READ(gather_1, tex2Dgather<T>(t, at.x, at.y, 1))
READ(gather_2, tex2Dgather<T>(t, at.x, at.y, 2))
READ(gather_3, tex2Dgather<T>(t, at.x, at.y, 3))

/* The other form, with the result behind a pointer */
extern "C" __global__ void through_pointers(float4 *out, cudaTextureObject_t t,
                                            const float4 *places, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        tex2D(&out[i], t, places[i].x, places[i].y);
}

/* Objects that lie in a struct in memory */
struct pair {
    cudaTextureObject_t from;
    cudaSurfaceObject_t to;
    int width, height;
};
extern "C" __global__ void turned(const pair *p)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < p->width && y < p->height)
        surf2Dwrite(tex2D<float>(p->from, x + 0.5f, y + 0.5f), p->to,
                    (p->width - 1 - x) * (int)sizeof(float), p->height - 1 - y);
}

/* Each texel becomes the sum of it and of one that may lie outside, then of twice itself; a write
 * outside must change nothing. */
#define SURFACE(name)                                                                              \
    template <class T>                                                                             \
    __global__ void name(cudaSurfaceObject_t s, int width, int height, int depth)                  \
    {                                                                                              \
        for (int z = 0; z < depth; z++)                                                            \
            for (int y = 0; y < height; y++)                                                       \
                for (int column = 0; column < width; column++) {                                   \
                    const int x = column * (int)sizeof(T);                                         \
                    T a, b;                                                                        \
                    name##_read(&a, s, x, y, z);                                                   \
                    name##_read(&b, s, x - 2 * (int)sizeof(T), y - 1, z);                          \
                    a.x += b.x;                                                                    \
                    name##_write(a, s, x, y, z);                                                   \
                    name##_write(a, s, (width + column) * (int)sizeof(T), y, z);                   \
                }                                                                                  \
    }
#define ACCESS(name, parameters, mode)                                                             \
    template <class T>                                                                             \
    __device__ void name##_zero_read(T *v, cudaSurfaceObject_t s, int x, int y, int z)             \
    {                                                                                              \
        mode##read(v, s, parameters, cudaBoundaryModeZero);                                        \
    }                                                                                              \
    template <class T>                                                                             \
    __device__ void name##_zero_write(T v, cudaSurfaceObject_t s, int x, int y, int z)             \
    {                                                                                              \
        mode##write(v, s, parameters, cudaBoundaryModeZero);                                       \
    }                                                                                              \
    template <class T>                                                                             \
    __device__ void name##_clamp_read(T *v, cudaSurfaceObject_t s, int x, int y, int z)            \
    {                                                                                              \
        *v = mode##read<T>(s, parameters, cudaBoundaryModeClamp);                                  \
    }                                                                                              \
    template <class T>                                                                             \
    __device__ void name##_clamp_write(T v, cudaSurfaceObject_t s, int x, int y, int z)            \
    {                                                                                              \
        mode##write(v, s, parameters, cudaBoundaryModeClamp);                                      \
    }                                                                                              \
    SURFACE(name##_zero)                                                                           \
    SURFACE(name##_clamp)
#define ONE   x
#define TWO   x, y
#define THREE x, y, z
#define LAYER x, z
ACCESS(surface_1d, ONE, surf1D)
ACCESS(surface_2d, TWO, surf2D)
ACCESS(surface_3d, THREE, surf3D)
ACCESS(surface_1d_layered, LAYER, surf1DLayered)
ACCESS(surface_2d_layered, THREE, surf2DLayered)
ACCESS(surface_cube, THREE, surfCubemap)

extern "C" __global__ void trapped(float *out, cudaSurfaceObject_t s, int x)
{
    out[0] = surf2Dread<float>(s, x, 0);
}

extern "C" __global__ void read_row(float *out, cudaTextureObject_t t, const float *x,
                                    const float *y)
{
    const int i = threadIdx.x;
    out[i] = tex2D<float>(t, x[i], y[i]);
}
