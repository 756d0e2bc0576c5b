/* SPDX-License-Identifier: Apache-2.0
 *
 * One function for each of the loader's, made from opencl_dispatch.def: find the table that the
 * object begins with, and call the function at that place. Only clGetPlatformIDs() is not of any
 * driver: it lists what qn__opencl_dispatch_add() was given. */
#include "runtime/opencl/opencl_dispatch.h"

#include <string.h>

static cl_platform_id platforms[QN__ICD_PLATFORMS_MAX];
static cl_uint n_platforms;

bool qn__opencl_dispatch_add(cl_platform_id platform)
{
    if (n_platforms == QN__ICD_PLATFORMS_MAX)
        return false;
    platforms[n_platforms++] = platform;
    return true;
}

static cl_int dispatch_GetPlatformIDs(cl_uint capacity, cl_platform_id *out, cl_uint *n)
{
    for (cl_uint i = 0; out && i < capacity && i < n_platforms; i++)
        out[i] = platforms[i];
    if (n)
        *n = n_platforms;
    return n_platforms ? CL_SUCCESS : CL_PLATFORM_NOT_FOUND_KHR;
}

/* *function becomes number `place` of the table at the beginning of the object. */
static void find(void *function, const void *object, size_t place)
{
    const char *table;
    memcpy(&table, object, sizeof table);
    memcpy(function, table + place * sizeof(void *), sizeof(void *));
}

#define QN_ROW(place, name, ret, parameters, object, arguments)                                    \
    static ret dispatch_##name parameters                                                          \
    {                                                                                              \
        ret(*function) parameters;                                                                 \
        find(&function, object, place);                                                            \
        return function arguments;                                                                 \
    }
#define QN_ROW_VOID(place, name, parameters, object, arguments)                                    \
    static void dispatch_##name parameters                                                         \
    {                                                                                              \
        void(*function) parameters;                                                                \
        find(&function, object, place);                                                            \
        function arguments;                                                                        \
    }
#include "runtime/opencl/opencl_dispatch.def"
#undef QN_ROW
#undef QN_ROW_VOID

const struct qn__opencl_driver qn__opencl_dispatch = {
#define QN_SYM(name, symbol, ret, args) .name = dispatch_##name,
#define QN_OPT                          QN_SYM
#include "runtime/opencl/opencl.sym"
#undef QN_SYM
#undef QN_OPT
};
