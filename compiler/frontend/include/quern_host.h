/* SPDX-License-Identifier: Apache-2.0
 *
 * What nvcc includes on its own in front of every source. Programs rely on it: they call malloc or
 * sqrt with no header but cuda.h. It comes with cuda_runtime.h, cuda.h, hip_runtime.h and a few
 * standard headers that only programs (not NVRTC sources) include.
 *
 * The C and C++ library is ours as well (std/), whatever the machine has: a header beside the
 * machine's own could bring in the CUDA headers of an SDK, and what a source becomes must not
 * depend on where it was translated. It only declares: host code has to parse, not to run.
 */
#pragma clang system_header
#ifndef QN_STANDIN_HOST
#define QN_STANDIN_HOST

#include <assert.h>
#include <cmath>
#include <cstdlib>
#include <limits.h>
#include <math.h>
#include <quern_host_math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

#endif
