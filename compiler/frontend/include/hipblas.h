/* SPDX-License-Identifier: Apache-2.0
 *
 * hipBLAS by its older place. */
#pragma GCC system_header
#include <hipblas/hipblas.h>
