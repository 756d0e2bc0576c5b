/* SPDX-License-Identifier: Apache-2.0
 *
 * Complex numbers, under HIP's names.
 */
#pragma clang system_header
#ifndef QN_STANDIN_HIP_COMPLEX_H
#define QN_STANDIN_HIP_COMPLEX_H

#include <cuComplex.h>

typedef cuFloatComplex hipFloatComplex;
typedef cuDoubleComplex hipDoubleComplex;
typedef cuComplex hipComplex;
#define hipCrealf             cuCrealf
#define hipCimagf             cuCimagf
#define hipConjf              cuConjf
#define hipCaddf              cuCaddf
#define hipCsubf              cuCsubf
#define hipCmulf              cuCmulf
#define hipCdivf              cuCdivf
#define hipCabsf              cuCabsf
#define hipCfmaf              cuCfmaf
#define hipCreal              cuCreal
#define hipCimag              cuCimag
#define hipConj               cuConj
#define hipCadd               cuCadd
#define hipCsub               cuCsub
#define hipCmul               cuCmul
#define hipCdiv               cuCdiv
#define hipCabs               cuCabs
#define hipCfma               cuCfma
#define make_hipFloatComplex  make_cuFloatComplex
#define make_hipDoubleComplex make_cuDoubleComplex
#define make_hipComplex       make_cuComplex

#endif
