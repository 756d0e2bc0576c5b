/* SPDX-License-Identifier: Apache-2.0 */
#include "rtc/helper/device_headers.h"

#include "base/cxx_text.h"
#include "base/file.h"

#include <string.h>

bool qn__device_headers_is_include(const char *line)
{
    line += strspn(line, " \t");
    if (*line++ != '#')
        return false;
    line += strspn(line, " \t");
    return strncmp(line, "include", 7) == 0;
}

static bool is_file_of(const char *folder, const char *below, const char *name)
{
    struct qn__str path = {0};
    qn__str_printf(&path, "%s%s%s", folder, below, name);
    const bool found = path.text && qn__file_exists(path.text);
    qn__str_release(&path);
    return found;
}

static bool is_of_job(const struct qn__job *job, const char *name)
{
    for (uint32_t i = 1; i < job->n_files; i++)
        if (qn__equal(job->files[i].name, name))
            return true;
    return false;
}

/* Libraries that host code calls: their headers want the host's. */
static bool is_of_host_library(const char *name)
{
    static const char *const names[] = {
        "cublas", "cusparse", "cufft", "cusolver_", "cusolverD", "cudnn", "nvtx3/", "nvToolsE",
        "nvml",   "nccl",     "cupti", "cuda_gl_",  "cuda_pro",  "nvrtc", "npp",    "curand.h"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (qn__starts_with(name, names[i]) && !qn__ends_with(name, "Dn.h"))
            return true;
    return false;
}

/* Parts of CUB and Thrust that launch kernels themselves; the rest is for kernels. */
static bool is_of_whole_device(const char *name)
{
    static const char *const names[] = {"functional", "iterator/counting_iterator", "pair",
                                        "tuple"};
    if (!qn__starts_with(name, "thrust/"))
        return qn__starts_with(name, "cub/device/");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (qn__starts_with(name + sizeof "thrust/" - 1, names[i]))
            return false;
    return true;
}

static bool is_of_toolkit(const char *name, const char *include)
{
    return include && !is_of_host_library(name) && !is_of_whole_device(name) &&
           (is_file_of(include, "/", name) || is_file_of(include, "/cccl/", name));
}

/* Headers of the standard library that device code uses: the toolkit has them under cuda/std. */
static bool is_for_devices(const char *name)
{
    static const char *const names[] = {
        "algorithm",  "array",   "bit",      "cfloat",           "climits",
        "cmath",      "complex", "concepts", "limits",           "numeric",
        "functional", "cstddef", "cstdint",  "initializer_list", "iterator",
        "tuple",      "utility", "optional", "type_traits",      "span"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (qn__equal(names[i], name))
            return true;
    return false;
}

static void add_included(struct qn__device_headers *h, const char *name)
{
    enum { MOST = 64 };
    for (uint32_t i = 0; i < h->n_included; i++)
        if (qn__equal(h->included[i], name))
            return;
    if (!h->has_std || !is_file_of(h->include, "/cccl/", name))
        return;
    if (!h->included)
        h->included = QN__ARENA_ARRAY(h->arena, const char *, MOST);
    if (h->included && h->n_included < MOST)
        h->included[h->n_included++] = qn__arena_strndup(h->arena, name, strlen(name));
}

static void add_std(struct qn__device_headers *h, const char *name)
{
    struct qn__str path = {0};
    qn__str_printf(&path, "cuda/std/%s", name);
    if (path.text)
        add_included(h, path.text);
    qn__str_release(&path);
}

bool qn__device_headers_leave_out(struct qn__device_headers *h, char *text)
{
    bool any = false;
    for (char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!qn__device_headers_is_include(line))
            continue;
        char *const end = line + strcspn(line, "\n");
        char *const open = line + strcspn(line, "<\"\n");
        char *const close = *open == '\n' || !*open ? NULL : open + 1 + strcspn(open + 1, ">\"\n");
        if (!close || close >= end || *close == '\n')
            continue;
        const char *const name = qn__arena_strndup(h->arena, open + 1, (size_t)(close - open) - 1);
        if (!name || is_of_job(h->job, name))
            continue;
        const bool is_cub = qn__equal(name, "cub/cub.cuh") && h->has_std;
        if (is_of_toolkit(name, h->include) && !is_cub) {
            h->includes_toolkit = h->has_std;
            continue;
        }
        h->wants_cub |= is_cub;
        if (is_for_devices(name))
            add_std(h, name);
        if (qn__starts_with(name, "cublas") && h->include)
            h->wants_half = true; /* which they bring along */
        any |= is_cub || *open == '<';
        if (!is_cub)
            qn__str_printf(&h->absent, ", %s", name);
        for (char *p = line; p < end; p++)
            *p = ' ';
    }
    return any;
}

bool qn__device_headers_mentions(const char *code, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = code; (p = strstr(p, word)) != NULL; p += n)
        if (p == code || !qn__cxx_text_is_word(p[-1]))
            return true;
    return false;
}

/* cub/cub.cuh brings the operations of a whole device along, which are the host's: instead those
 * headers of it whose class is named, BlockReduce of block/block_reduce.cuh. */
static void want_cub(struct qn__device_headers *h, const char *code)
{
    static const char *const names[] = {"block_adjacent_difference",
                                        "block_discontinuity",
                                        "block_exchange",
                                        "block_histogram",
                                        "block_load",
                                        "block_merge_sort",
                                        "block_radix_rank",
                                        "block_radix_sort",
                                        "block_reduce",
                                        "block_run_length_decode",
                                        "block_scan",
                                        "block_shuffle",
                                        "block_store",
                                        "warp_exchange",
                                        "warp_load",
                                        "warp_merge_sort",
                                        "warp_reduce",
                                        "warp_scan",
                                        "warp_store",
                                        "thread_load",
                                        "thread_reduce",
                                        "thread_scan",
                                        "thread_search",
                                        "thread_store"};
    add_included(h, "cub/util_type.cuh");
    add_included(h, "cub/thread/thread_operators.cuh");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[64];
        size_t n = 0;
        for (const char *p = names[i]; *p; p++)
            if (*p != '_')
                name[n++] = p == names[i] || p[-1] == '_' ? (char)(*p - 'a' + 'A') : *p;
        name[n] = 0;
        if (!qn__device_headers_mentions(code, name))
            continue;
        struct qn__str path = {0};
        qn__str_printf(&path, "cub/%.*s/%s.cuh", (int)strcspn(names[i], "_"), names[i], names[i]);
        if (path.text)
            add_included(h, path.text);
        qn__str_release(&path);
    }
}

void qn__device_headers_want(struct qn__device_headers *h, const char *code)
{
    static const char *const rows[][2] = {
        {"numeric_limits", "limits"},      {"is_same", "type_traits"},
        {"enable_if", "type_traits"},      {"conditional", "type_traits"},
        {"std::pair", "utility"},          {"std::swap", "utility"},
        {"std::min", "__algorithm/min.h"}, {"std::max", "__algorithm/max.h"},
        {"std::tuple", "tuple"},           {"std::array", "array"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (qn__device_headers_mentions(code, rows[i][0]))
            add_std(h, rows[i][1]);
    if (h->wants_cub)
        want_cub(h, code);
}

/* What programs have from the headers of the system and use without naming them. */
static const char prelude[] =
    "namespace cuda { namespace std {} }\nnamespace std { using namespace cuda::std; }\n"
    "typedef unsigned char uchar;\ntypedef unsigned short ushort;\ntypedef unsigned int uint;\n"
    "typedef unsigned long ulong;\n"
    "#ifndef __CUDACC_RTC__\n#ifndef __managed__\n#define __managed__ __attribute__((managed))\n"
    "#endif\n#else\n" /* the other has these built in */
    "typedef signed char int8_t;\ntypedef short int16_t;\ntypedef int int32_t;\n"
    "typedef long int64_t;\ntypedef unsigned char uint8_t;\ntypedef unsigned short uint16_t;\n"
    "typedef unsigned int uint32_t;\ntypedef unsigned long uint64_t;\n"
    "typedef long intptr_t;\ntypedef unsigned long uintptr_t;\n"
    "typedef long intmax_t;\ntypedef unsigned long uintmax_t;\n"
    "#endif\n";

static const char limits[] =
    "#ifdef __CUDACC_RTC__\n"
    "#ifndef UINT_MAX\n#define CHAR_BIT 8\n#define SCHAR_MIN (-128)\n#define SCHAR_MAX 127\n"
    "#define UCHAR_MAX 255\n#define SHRT_MIN (-32768)\n#define SHRT_MAX 32767\n"
    "#define USHRT_MAX 65535\n#define INT_MIN (-2147483647 - 1)\n#define INT_MAX 2147483647\n"
    "#define UINT_MAX 4294967295u\n#define LONG_MIN (-9223372036854775807l - 1)\n"
    "#define LONG_MAX 9223372036854775807l\n#define ULONG_MAX 18446744073709551615ul\n"
    "#define LLONG_MIN (-9223372036854775807ll - 1)\n#define LLONG_MAX 9223372036854775807ll\n"
    "#define ULLONG_MAX 18446744073709551615ull\n#endif\n"
    "#ifndef INFINITY\n#define INFINITY __int_as_float(0x7f800000)\n#endif\n"
    "#ifndef NAN\n#define NAN __int_as_float(0x7fffffff)\n#endif\n#endif\n"
    "#ifndef M_PI\n#define M_PI 3.14159265358979323846\n#endif\n";

/* The toolkit takes long long for 64 bits, and the host's compiler long, as kernels' symbols say:
 * its own types get other names, and its libraries the host's. */
static const char *const wide_types[] = {"int64_t",   "uint64_t", "intptr_t",
                                         "uintptr_t", "intmax_t", "uintmax_t"};

static void add_toolkit_headers(struct qn__str *text, const struct qn__device_headers *h)
{
    for (size_t i = 0; h->has_std && i < sizeof wide_types / sizeof *wide_types; i++)
        qn__str_printf(text, "#define %s __qn_toolkit_%s\n", wide_types[i], wide_types[i]);
    if (h->has_std)
        qn__str_add(text, "#include <cuda/std/cstdint>\n");
    for (size_t i = 0; h->has_std && i < sizeof wide_types / sizeof *wide_types; i++)
        qn__str_printf(text, "#undef %s\n", wide_types[i]);
    if (h->has_std)
        qn__str_add(text,
                    "#ifdef _LIBCUDACXX_BEGIN_NAMESPACE_STD\n_LIBCUDACXX_BEGIN_NAMESPACE_STD\n"
                    "#else\n_CCCL_BEGIN_NAMESPACE_CUDA_STD\n#endif\n");
    for (size_t i = 0; h->has_std && i < sizeof wide_types / sizeof *wide_types; i++)
        qn__str_printf(text, "using ::%s;\n", wide_types[i]);
    if (h->has_std)
        qn__str_add(text, "#ifdef _LIBCUDACXX_END_NAMESPACE_STD\n_LIBCUDACXX_END_NAMESPACE_STD\n"
                          "#else\n_CCCL_END_NAMESPACE_CUDA_STD\n#endif\n");
    if (h->wants_half)
        qn__str_add(text, "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n");
    for (uint32_t k = 0; k < h->n_included; k++)
        qn__str_printf(text, "#include <%s>\n", h->included[k]);
}

void qn__device_headers_add(struct qn__str *out, const struct qn__device_headers *h, bool uses_std)
{
    qn__str_add(out, prelude);
    if (h->includes_toolkit || h->wants_half || h->wants_cub || (h->n_included && uses_std))
        add_toolkit_headers(out, h);
    qn__str_add(out, limits);
}

struct qn__device_headers qn__device_headers(struct qn__arena *arena, const struct qn__job *job,
                                             const char *include)
{
    return (struct qn__device_headers){
        .arena = arena,
        .job = job,
        .include = include,
        .has_std = include && is_file_of(include, "/cccl/cuda/std/", "cstdint"),
    };
}
