/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures and surfaces: declared so that sources parse and host code that sets them up is
 * harmless. A kernel that reads one ends in __qn_texture or __qn_surface, which are refused.
 */
#pragma clang system_header
#ifndef QN_STANDIN_TEXTURE
#define QN_STANDIN_TEXTURE

enum cudaTextureAddressMode {
    cudaAddressModeWrap,
    cudaAddressModeClamp,
    cudaAddressModeMirror,
    cudaAddressModeBorder
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

static constexpr int cudaTextureType1D = 1, cudaTextureType2D = 2, cudaTextureType3D = 3,
                     cudaTextureTypeCubemap = 12, cudaTextureType1DLayered = 241,
                     cudaTextureType2DLayered = 242;
static constexpr int cudaSurfaceType1D = 1, cudaSurfaceType2D = 2, cudaSurfaceType3D = 3;

struct textureReference {
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
    int sRGB;
};
template <class T, int kind = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
};
template <class T, int kind = cudaSurfaceType2D>
struct __attribute__((device_builtin_surface_type)) surface {
    cudaChannelFormatDesc channelDesc;
};

/* what a texture read returns: the element, or float of its shape when it is normalised */
template <class T, cudaTextureReadMode mode> struct __qn_texel {
    typedef T type;
};
#define QN__NORMALISED(base)                                                                       \
    template <> struct __qn_texel<base, cudaReadModeNormalizedFloat> {                             \
        typedef float type;                                                                        \
    };
QN__NORMALISED(char)
QN__NORMALISED(signed char)
QN__NORMALISED(unsigned char)
QN__NORMALISED(short)
QN__NORMALISED(unsigned short)
#undef QN__NORMALISED
#define QN__NORMALISED(base)                                                                       \
    template <> struct __qn_texel<base##1, cudaReadModeNormalizedFloat> {                          \
        typedef float1 type;                                                                       \
    };                                                                                             \
    template <> struct __qn_texel<base##2, cudaReadModeNormalizedFloat> {                          \
        typedef float2 type;                                                                       \
    };                                                                                             \
    template <> struct __qn_texel<base##4, cudaReadModeNormalizedFloat> {                          \
        typedef float4 type;                                                                       \
    };
QN__NORMALISED(char)
QN__NORMALISED(uchar)
QN__NORMALISED(short)
QN__NORMALISED(ushort)
#undef QN__NORMALISED

QN__BUILTIN(void, __qn_texture, (void *, const void *));
QN__BUILTIN(void, __qn_surface, (void *, const void *));

#define QN__FETCH(name, ...)                                                                       \
    template <class T, int kind, cudaTextureReadMode mode>                                         \
    QN__INLINE typename __qn_texel<T, mode>::type name(texture<T, kind, mode> t, __VA_ARGS__)      \
    {                                                                                              \
        typename __qn_texel<T, mode>::type texel;                                                  \
        __qn_texture(&texel, &t);                                                                  \
        return texel;                                                                              \
    }                                                                                              \
    template <class T> QN__INLINE T name(cudaTextureObject_t t, __VA_ARGS__)                       \
    {                                                                                              \
        T texel;                                                                                   \
        __qn_texture(&texel, &t);                                                                  \
        return texel;                                                                              \
    }                                                                                              \
    template <class T> QN__INLINE void name(T *texel, cudaTextureObject_t t, __VA_ARGS__)          \
    {                                                                                              \
        __qn_texture(texel, &t);                                                                   \
    }
QN__FETCH(tex1Dfetch, int)
QN__FETCH(tex1D, float)
QN__FETCH(tex2D, float, float)
QN__FETCH(tex3D, float, float, float)
QN__FETCH(tex1DLayered, float, int)
QN__FETCH(tex2DLayered, float, float, int)
QN__FETCH(texCubemap, float, float, float)
QN__FETCH(tex1DLod, float, float)
QN__FETCH(tex2DLod, float, float, float)
QN__FETCH(tex3DLod, float, float, float, float)
QN__FETCH(tex2Dgather, float, float, int)
#undef QN__FETCH

#define QN__SURFACE(suffix, ...)                                                                   \
    template <class T, class S>                                                                    \
    QN__INLINE void surf##suffix##read(T *texel, S s, __VA_ARGS__,                                 \
                                       cudaSurfaceBoundaryMode = cudaBoundaryModeTrap)             \
    {                                                                                              \
        __qn_surface(texel, &s);                                                                   \
    }                                                                                              \
    template <class T, class S>                                                                    \
    QN__INLINE T surf##suffix##read(S s, __VA_ARGS__,                                              \
                                    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap)                \
    {                                                                                              \
        T texel;                                                                                   \
        __qn_surface(&texel, &s);                                                                  \
        return texel;                                                                              \
    }                                                                                              \
    template <class T, class S>                                                                    \
    QN__INLINE void surf##suffix##write(T texel, S s, __VA_ARGS__,                                 \
                                        cudaSurfaceBoundaryMode = cudaBoundaryModeTrap)            \
    {                                                                                              \
        __qn_surface(&texel, &s);                                                                  \
    }
QN__SURFACE(1D, int)
QN__SURFACE(2D, int, int)
QN__SURFACE(3D, int, int, int)
#undef QN__SURFACE

#endif
