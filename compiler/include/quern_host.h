/* SPDX-License-Identifier: Apache-2.0
 *
 * What nvcc includes on its own in front of every source. Programs lean on it: they call malloc or
 * sqrt with no header but cuda.h. It comes with cuda_runtime.h, cuda.h, hip_runtime.h and a few
 * standard headers that only programs (not NVRTC sources) include.
 *
 * The machine's C and C++ library is taken where there is one; where there is none, the small one
 * in std/ is found instead, which the front end adds behind all other folders (-idirafter). It only
 * declares: host code has to parse, not to run.
 */
#pragma clang system_header
#ifndef QN_STANDIN_HOST
#define QN_STANDIN_HOST

#include <assert.h>
#include <cmath>
#include <cstdlib>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

#endif
