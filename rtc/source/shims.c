/* SPDX-License-Identifier: Apache-2.0
 *
 * Headers that sources include and run-time compilers do not have.
 *
 * NVRTC and hipRTC know threadIdx, math functions and printf without any header, but fail on the
 * #include lines that nvcc and hipcc sources carry. hipRTC has the fixed-width integers built in
 * and NVRTC does not. These texts fill exactly that gap; a header of the same spelling in one of
 * the user's folders comes first. */
#include "rtc/source/shims.h"

#include <string.h>

/* The types as the compilers' targets have them: 64-bit Linux. */
#define STDINT                                                                                     \
    "#pragma once\n"                                                                               \
    "typedef signed char int8_t;\ntypedef short int16_t;\ntypedef int int32_t;\n"                  \
    "typedef long int64_t;\ntypedef unsigned char uint8_t;\ntypedef unsigned short uint16_t;\n"    \
    "typedef unsigned int uint32_t;\ntypedef unsigned long uint64_t;\n"                            \
    "typedef long intptr_t;\ntypedef unsigned long uintptr_t;\n"                                   \
    "typedef long intmax_t;\ntypedef unsigned long uintmax_t;\n"                                   \
    "namespace std { using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;\n"         \
    "using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;\n"                     \
    "using ::intptr_t; using ::uintptr_t; }\n" STDINT_LIMITS
#define STDINT_LIMITS                                                                              \
    "#ifndef INT8_MAX\n"                                                                           \
    "#define INT8_MIN (-128)\n#define INT8_MAX 127\n#define UINT8_MAX 255\n"                       \
    "#define INT16_MIN (-32768)\n#define INT16_MAX 32767\n#define UINT16_MAX 65535\n"              \
    "#define INT32_MIN (-2147483647 - 1)\n#define INT32_MAX 2147483647\n"                          \
    "#define UINT32_MAX 4294967295u\n#define INT64_MIN (-9223372036854775807l - 1)\n"              \
    "#define INT64_MAX 9223372036854775807l\n#define UINT64_MAX 18446744073709551615ul\n"          \
    "#endif\n"
#define LIMITS                                                                                     \
    "#pragma once\n#ifndef INT_MAX\n#define CHAR_BIT 8\n#define SCHAR_MIN (-128)\n"                \
    "#define SCHAR_MAX 127\n#define UCHAR_MAX 255\n#define SHRT_MIN (-32768)\n"                    \
    "#define SHRT_MAX 32767\n#define USHRT_MAX 65535\n#define INT_MIN (-2147483647 - 1)\n"         \
    "#define INT_MAX 2147483647\n#define UINT_MAX 4294967295u\n"                                   \
    "#define LONG_MIN (-9223372036854775807l - 1)\n#define LONG_MAX 9223372036854775807l\n"        \
    "#define ULONG_MAX 18446744073709551615ul\n"                                                   \
    "#define LLONG_MIN (-9223372036854775807ll - 1)\n#define LLONG_MAX 9223372036854775807ll\n"    \
    "#define ULLONG_MAX 18446744073709551615ull\n#endif\n"
#define FLOATS                                                                                     \
    "#pragma once\n#ifndef FLT_MAX\n#define FLT_MAX 3.402823466e+38f\n"                            \
    "#define FLT_MIN 1.175494351e-38f\n#define FLT_EPSILON 1.192092896e-07f\n"                     \
    "#define DBL_MAX 1.7976931348623158e+308\n#define DBL_MIN 2.2250738585072014e-308\n"           \
    "#define DBL_EPSILON 2.2204460492503131e-16\n#endif\n"
#define PI "#ifndef M_PI\n#define M_PI 3.14159265358979323846\n#endif\n"
#define MATH                                                                                       \
    "#pragma once\n#ifndef INFINITY\n#define INFINITY __builtin_huge_valf()\n#endif\n"             \
    "#ifndef NAN\n#define NAN __builtin_nanf(\"\")\n#endif\n" PI
#define MATH_NVRTC                                                                                 \
    "#pragma once\n#ifndef INFINITY\n#define INFINITY __int_as_float(0x7f800000)\n#endif\n"        \
    "#ifndef NAN\n#define NAN __int_as_float(0x7fffffff)\n#endif\n" PI
#define STDDEF                                                                                     \
    "#pragma once\ntypedef decltype(sizeof 0) size_t;\n"                                           \
    "typedef decltype((char *)0 - (char *)0) ptrdiff_t;\n#ifndef NULL\n#define NULL 0\n#endif\n"
#define NOTHING "#pragma once\n"

enum { N = 1 << QN__SHIMS_NVRTC, H = 1 << QN__SHIMS_HIPRTC, C = 1 << QN__SHIMS_CLANG };

static const struct {
    const char *spelling;
    unsigned compilers;
    const char *text;
} shims[] = {
    {"stdint.h", N | C, STDINT},
    {"cstdint", N | C, STDINT},
    {"stdint.h", H, NOTHING STDINT_LIMITS},
    {"cstdint", H, NOTHING STDINT_LIMITS},
    {"limits.h", N | H | C, LIMITS},
    {"climits", N | H | C, LIMITS},
    {"float.h", N | H | C, FLOATS},
    {"cfloat", N | H | C, FLOATS},
    {"math.h", N, MATH_NVRTC},
    {"cmath", N, MATH_NVRTC},
    {"math.h", H | C, MATH},
    {"cmath", H | C, MATH},
    {"math_constants.h", H | C, MATH},
    {"stddef.h", N | H | C, STDDEF},
    {"cstddef", N | H | C, STDDEF},
    {"stdbool.h", N | H | C, NOTHING},
    {"stdio.h", N | H | C, NOTHING},
    {"cstdio", N | H | C, NOTHING},
    {"assert.h", N | H | C, NOTHING},
    {"cassert", N | H | C, NOTHING},
    {"cuda.h", N | H | C, NOTHING},
    {"cuda_runtime.h", N | H | C, NOTHING},
    {"cuda_runtime_api.h", N | H | C, NOTHING},
    {"device_launch_parameters.h", N | H | C, NOTHING},
    {"hip/hip_runtime.h", N | H | C, NOTHING},
    {"hip/hip_runtime_api.h", N | H | C, NOTHING},
    {"hip/hip_fp16.h", H, NOTHING}, /* built in */
    {"cuda_fp16.h", H, NOTHING},
    {"hip/hip_fp16.h", N, "#pragma once\n#include <cuda_fp16.h>\n"},
};

const char *qn__shim_find(enum qn__shims compiler, const char *spelling)
{
    for (size_t i = 0; i < sizeof shims / sizeof shims[0]; i++)
        if (shims[i].compilers & 1u << compiler && strcmp(shims[i].spelling, spelling) == 0)
            return shims[i].text;
    return NULL;
}
