/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of the source as names of OpenCL C. A name that means something else there gets an
 * underscore at its end: words and types, builtins that the text may call, macros, and how the
 * translator's own names begin. Letters that OpenCL C does not have become underscores; declare.c
 * keeps two such names apart. */
#include "compiler/core/legal_names.h"

#include <ctype.h>
#include <string.h>

/* Words, with a blank on both sides of each. */
static const char taken[] =
    " "
    "kernel global local constant private generic pipe half uchar ushort uint ulong uniform "
    "sampler_t event_t size_t read_only write_only read_write restrict inline register auto "
    "dot cross mix clamp step sign length distance normalize select min max abs round degrees "
    "radians barrier vec_step shuffle all any rotate hadd rhadd upsample popcount clz printf "
    "isnan isinf fma mad rsqrt sqrt exp log pow sin cos tan floor ceil trunc rint fabs fmin "
    "fmax fmod hypot bool true false int float double char short long unsigned signed void "
    "const volatile struct union enum typedef for while do if else switch case default break "
    "continue return goto sizeof static extern I INFINITY NAN complex imaginary quad main "
    "exp2 log2 exp10 log10 erf erfc tgamma lgamma remainder ldexp frexp modf sincos cbrt "
    "copysign fdim ilogb logb nan nextafter atan2 asin acos atan sinh cosh tanh asinh acosh "
    "atanh maxmag minmag bitselect smoothstep mem_fence prefetch ptrdiff_t intptr_t uintptr_t "
    "NULL linear nearest mul24 mad24 mad_hi mul_hi mad_sat add_sat sub_sat pown powr rootn "
    "fract remquo expm1 log1p sinpi cospi tanpi isfinite isnormal signbit isequal isless "
    "isgreater isordered ctz shuffle2 INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN ULONG_MAX "
    "CHAR_MAX CHAR_MIN CHAR_BIT UCHAR_MAX SHRT_MAX SHRT_MIN USHRT_MAX MAXFLOAT HUGE_VAL "
    "HUGE_VALF acospi asinpi atanpi atan2pi abs_diff bit_reverse fast_length fast_distance "
    "fast_normalize isnotequal isgreaterequal islessequal islessgreater isunordered lgamma_r "
    "read_mem_fence write_mem_fence wait_group_events enqueue_marker enqueue_kernel "
    "kernel_exec queue_t reserve_id_t SCHAR_MAX SCHAR_MIN FP_ILOGB0 FP_ILOGBNAN MAX_WORK_DIM "
    "typeof asm _Bool _Complex _Imaginary _Generic _Alignas _Alignof _Atomic _Noreturn "
    "_Static_assert _Thread_local threadIdx_x threadIdx_y threadIdx_z blockIdx_x blockIdx_y "
    "blockIdx_z blockDim_x blockDim_y blockDim_z gridDim_x gridDim_y gridDim_z ";

/* What other such names begin with. */
static const char *const beginnings[] = {
    "qn_",          "__",           "get_",        "as_",           "convert_",
    "atomic_",      "atom_",        "native_",     "half_",         "vload",
    "vstore",       "CLK_",         "CL_",         "cl_",           "clk_",
    "M_",           "FLT_",         "DBL_",        "HALF_",         "ATOMIC_",
    "work_group_",  "sub_group_",   "intel_",      "amd_",          "async_work_group_",
    "read_image",   "write_image",  "image1d_",    "image2d_",      "image3d_",
    "memory_order", "memory_scope", "dot_acc_sat", "dot_4x8packed", "bitfield_",
    "clock_read_",  "ndrange_"};

/* "float4", and "bool4", which is reserved. */
static bool is_vector_type(const char *name)
{
    static const char *const bases[] = {"char",  "uchar", "short", "ushort", "int",  "uint", "long",
                                        "ulong", "half",  "float", "double", "bool", "quad"};
    static const char *const counts[] = {"2", "3", "4", "8", "16"};
    const size_t n = strcspn(name, "0123456789");
    bool base = false, count = false;
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        base |= strlen(bases[i]) == n && memcmp(bases[i], name, n) == 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        count |= qn__equal(name + n, counts[i]);
    return base && count;
}

/* "x_table0": a constant table of x (expr_memory.c). */
static bool is_table(const char *name)
{
    static const char mark[] = "_table";
    const size_t n = strlen(name);
    size_t end = n;
    while (end && isdigit((unsigned char)name[end - 1]))
        end--;
    return end < n && end >= strlen(mark) &&
           strncmp(name + end - strlen(mark), mark, strlen(mark)) == 0;
}

static bool is_taken(struct qn__unit *u, const char *name)
{
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (qn__starts_with(name, beginnings[i]))
            return true;
    return is_vector_type(name) || is_table(name) ||
           strstr(taken, qn__text(u, " %s ", name)) != NULL;
}

const char *qn__name_legal(struct qn__unit *u, const char *name)
{
    char *const out = qn__need(u, strlen(name) + 4, 1);
    size_t n = 0;
    if (name[0] == '_' && name[1] == '_') /* two underscores are the implementation's */
        while (*name == '_' && name[1])
            name++;
    if (isdigit((unsigned char)*name))
        out[n++] = '_';
    for (const char *p = name; *p; p++) {
        const bool good = isalnum((unsigned char)*p) || *p == '_';
        if (good)
            out[n++] = *p;
        else if (n && out[n - 1] != '_')
            out[n++] = '_';
    }
    while (n > 1 && out[n - 1] == '_' && !qn__equal(name, out))
        n--;
    out[n] = 0;
    if (!n)
        return "v";
    return is_taken(u, out) ? qn__text(u, "%s_", out) : out;
}
