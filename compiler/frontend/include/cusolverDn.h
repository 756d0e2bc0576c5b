/* SPDX-License-Identifier: Apache-2.0
 *
 * cuSOLVER as far as programs with kernels in the same file call it: host code has to parse. */
#pragma clang system_header
#ifndef QN_STANDIN_CUSOLVER
#define QN_STANDIN_CUSOLVER

#include <cublas_v2.h>
#include <cusolver_common.h>

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
QN__HOST_CALL(cusolverStatus_t, cusolverDnCreate);
QN__HOST_CALL(cusolverStatus_t, cusolverDnDestroy);
QN__HOST_CALL(cusolverStatus_t, cusolverDnSetStream);
QN__HOST_CALL(cusolverStatus_t, cusolverDnGetStream);
/* for example cusolverDnSgetrf and its cusolverDnSgetrf_bufferSize */
#define QN__SOLVER1(name)                                                                          \
    QN__HOST_CALL(cusolverStatus_t, cusolverDn##name);                                             \
    QN__HOST_CALL(cusolverStatus_t, cusolverDn##name##_bufferSize)
#define QN__SOLVER(name)                                                                           \
    QN__SOLVER1(S##name);                                                                          \
    QN__SOLVER1(D##name);                                                                          \
    QN__SOLVER1(C##name);                                                                          \
    QN__SOLVER1(Z##name)
QN__SOLVER(getrf);
QN__SOLVER(getrs);
QN__SOLVER(geqrf);
QN__SOLVER(gesvd);
QN__SOLVER(gesvdj);
QN__SOLVER(potrf);
QN__SOLVER(potrs);
QN__SOLVER(potri);
QN__SOLVER1(Ssyevd);
QN__SOLVER1(Dsyevd);
QN__SOLVER1(Ssyevj);
QN__SOLVER1(Dsyevj);
QN__SOLVER1(Cheevd);
QN__SOLVER1(Zheevd);
#undef QN__SOLVER
#undef QN__SOLVER1

#endif
