/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures and surfaces. An object is the address of a descriptor in device memory, which
 * qn_texture_create() makes (runtime/texture.c has the same struct), and a read is plain loads and
 * the arithmetic that CUDA's programming guide gives (section Texture Fetching). A reference, which
 * went with CUDA 12, is a variable of the module that holds an object: clang makes 64 bits of a
 * variable of such a type. */
#pragma clang system_header
#ifndef QN_STANDIN_TEXTURE
#define QN_STANDIN_TEXTURE

#include <quern_texture_types.h>

static constexpr int cudaTextureType1D = 1, cudaTextureType2D = 2, cudaTextureType3D = 3,
                     cudaTextureTypeCubemap = 12, cudaTextureType1DLayered = 241,
                     cudaTextureType2DLayered = 242;
static constexpr int cudaSurfaceType1D = 1, cudaSurfaceType2D = 2, cudaSurfaceType3D = 3;

template <class T, int kind = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
#ifdef __QUERN_CC__
    constexpr texture(int normal = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                      cudaTextureAddressMode address = cudaAddressModeClamp)
        : textureReference{normal, filter, {address, address, address}, {}, 0}
    {
    }
#endif
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

#endif
