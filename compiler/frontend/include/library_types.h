/* SPDX-License-Identifier: Apache-2.0
 *
 * The element types that NVIDIA's host libraries name. */
#pragma clang system_header
#ifndef QN_STANDIN_LIBRARY_TYPES
#define QN_STANDIN_LIBRARY_TYPES

enum cudaDataType {
    CUDA_R_32F = 0,
    CUDA_R_64F = 1,
    CUDA_R_16F = 2,
    CUDA_R_8I = 3,
    CUDA_C_32F = 4,
    CUDA_C_64F = 5,
    CUDA_C_16F = 6,
    CUDA_R_8U = 8,
    CUDA_R_32I = 10,
    CUDA_R_16BF = 14,
    CUDA_R_8F_E4M3 = 28,
    CUDA_R_8F_E5M2 = 29
};
typedef enum cudaDataType cudaDataType_t;
#ifndef __cplusplus
typedef enum cudaDataType cudaDataType;
#endif
typedef enum cudaDataType cublasDataType_t;
enum libraryPropertyType { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL };

/* A host function of a vendor's library: calls of it have to parse, no more. */
#define QN__HOST_CALL(result, name) template <class... Arguments> result name(const Arguments &...)

#endif
