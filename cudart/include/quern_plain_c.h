/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime API in C: no default arguments, no overloads. */
#pragma GCC system_header
#ifndef QN_PLAIN_C
#define QN_PLAIN_C

typedef struct dim3 {
    unsigned int x, y, z;
} dim3;
#include <quern_runtime_types.h>

#define QN_CALL(group, result, name, parameters, note) extern result name parameters;
#include <cudart/calls.def>
#undef QN_CALL
#define cudaEventCreate(event)                   cudaEventCreateWithFlags(event, cudaEventDefault)
#define cudaGraphInstantiate(exec, graph, flags) cudaGraphInstantiateWithFlags(exec, graph, flags)

#endif
