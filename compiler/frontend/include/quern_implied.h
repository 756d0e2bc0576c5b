/* SPDX-License-Identifier: Apache-2.0
 *
 * What nvcc includes in front of every source, for those that rely on it: included where a source
 * does not parse without (compiler/frontend/frontend.c). */
#pragma clang system_header
#ifndef QN_STANDIN_IMPLIED
#define QN_STANDIN_IMPLIED

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

#endif
