/* SPDX-License-Identifier: Apache-2.0
 *
 * The plain types of textures and surfaces, in C as well as C++.
 */
#pragma clang system_header
#ifndef QN_STANDIN_TEXTURE_TYPES
#define QN_STANDIN_TEXTURE_TYPES

enum cudaTextureAddressMode {
    cudaAddressModeWrap,
    cudaAddressModeClamp,
    cudaAddressModeMirror,
    cudaAddressModeBorder
};
typedef enum cudaTextureAddressMode cudaTextureAddressMode;
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
typedef enum cudaTextureFilterMode cudaTextureFilterMode;
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
typedef enum cudaTextureReadMode cudaTextureReadMode;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
typedef enum cudaSurfaceBoundaryMode cudaSurfaceBoundaryMode;
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone
};
typedef enum cudaChannelFormatKind cudaChannelFormatKind;
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
typedef struct cudaChannelFormatDesc cudaChannelFormatDesc;
struct textureReference {
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
    int sRGB;
};
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

#endif
