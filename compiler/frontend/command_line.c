/* SPDX-License-Identifier: Apache-2.0
 *
 * clang's command line: the request's options, and what makes of CUDA's language the IR that the
 * passes expect. */
#include "compiler/frontend/command_line.h"

#include "compiler/frontend/header_selection.h"
#include "compiler/frontend/source_files.h"

#include <stdlib.h>
#include <string.h>

static qn_status take_option(struct qn__unit *u, const char *option, bool *pass)
{
    *pass = false;
    if (qn__starts_with(option, "-std=") || qn__starts_with(option, "-D") ||
        qn__starts_with(option, "-U") || qn__equal(option, "-w") || qn__equal(option, "-Wall")) {
        *pass = true;
        return QN_OK;
    }
    const char *const whole = option;
    if (option[0] == '-' && option[1] == '-')
        option++;
    if (qn__equal(option, "-use_fast_math"))
        u->fast_math = true;
    else if (qn__equal(option, "-fmad=false"))
        u->contract = false;
    else if (qn__equal(option, "-fmad=true"))
        u->contract = true;
    else if (qn__equal(option, "-keep-going"))
        u->keep_going = true;
    else if (qn__starts_with(option, "-lines=") &&
             qn__lines_parse(&u->lines, strchr(option, '=') + 1))
        return QN_OK;
    else if (qn__starts_with(option, "-dump-after="))
        u->dump_after = strchr(option, '=') + 1;
    else if (qn__starts_with(option, "-maxrregcount="))
        u->registers_max = (uint32_t)strtoul(strchr(option, '=') + 1, NULL, 10);
    else if (!qn__starts_with(option, "-O") && !qn__equal(option, "-g") &&
             !qn__equal(option, "-device-int128")) /* which NVRTC needs */
        return qn__fail(QN_E_INVALID, "option %s: not one the translator knows", whole);
    return QN_OK;
}

/* One argument: `fmt` with its %s, where it has one, replaced by `value`. */
static void add(struct qn__unit *u, struct qn__command *a, const char *fmt, const char *value)
{
    const char *const at = strstr(fmt, "%s");
    const int before = at ? (int)(at - fmt) : (int)strlen(fmt);
    const char *const text =
        qn__text(u, "%.*s%s%s", before, fmt, at ? value : "", at ? at + 2 : "");
    QN__PUSH(u, a->argv, a->n, a->capacity, qn__arena_strdup(u->arena, text));
}

/* Headers that hold nothing in C++17: a source that includes one means C++20. */
static bool includes_cxx20(struct qn__unit *u)
{
    static const char *const headers[] = {"<concepts>", "<bit>",    "<numbers>",        "<span>",
                                          "<compare>",  "<ranges>", "<source_location>"};
    for (uint32_t f = 0; f < u->request->n_files; f++)
        for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
            const char *const at = strstr(u->request->files[f].text, headers[i]);
            if (at && at - u->request->files[f].text > 8 && memcmp(at - 8, "include ", 8) == 0)
                return true;
        }
    return false;
}

/* Where headers are looked for, in this order: ours, then clang's own, then a toolkit's. */
static void add_folders(struct qn__unit *u, struct qn__command *a, enum qn__headers headers,
                        const char *temp, const char *source)
{
    const bool machine = headers >= QN__MACHINE_HEADERS;
    if (!machine)
        add(u, a, "-nostdlibinc", "");
    add(u, a, "-isystem", "");
    add(u, a, "%s/quern", temp);
    add(u, a, "-isystem", "");
    add(u, a, machine ? "%s/quern/machine" : "%s/quern/std", temp);
    add(u, a, "-I%s", source);
    for (uint32_t i = 0; headers == QN__TOOLKIT_HEADERS && i < u->request->n_toolkit; i++) {
        add(u, a, "-idirafter", "");
        add(u, a, "%s", u->request->toolkit[i]);
    }
}

static void header_first(struct qn__unit *u, struct qn__command *a, const char *temp,
                         const char *header)
{
    add(u, a, "-include", "");
    add(u, a, qn__text(u, "%s/quern/%s", temp, header), "");
}

/* In every command. */
static const char *const fixed[] = {
    "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_70",
    "-Wno-unknown-cuda-version", "-O1", "-funroll-loops", "-fno-discard-value-names",
    "-fno-color-diagnostics",
    /* NVIDIA's compiler warns of what is narrowed in braces, and takes `register`. */
    "-Wno-error=c++11-narrowing", "-Wno-register",
    /* A CUDA installation must make no difference: clang looks at its version, and allows
     * variadic functions (printf) only where it finds one. Without one it assumes a PTX too old
     * for sm_70, which LLVM 22 refuses. */
    "--cuda-path=/nonexistent", "--cuda-feature=+ptx63", "-Xclang",
    "-fcuda-allow-variadic-functions", "-c", "-emit-llvm", "-DQUERN_TRANSLATE=1",
    "-DQUERN_OPENCL=1", "--no-default-config",
    /* The IR as the front end makes it: our own gentle pipeline follows. Lifetime markers would
     * put a clean-up block after every early return. With noundef, passes would drop the
     * condition of `if (lane < 16) v = x; v = __shfl_sync(mask, v, 0);`. */
    "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-lifetime-markers", "-Xclang",
    "-no-enable-noundef-analysis",
    /* Casts of floats to integers as saturating calls: float_to_int.c. */
    "-fno-strict-float-cast-overflow",
    /* A function that ends without a return gives anything; its caller goes on. */
    "-fno-strict-return",
    /* Nothing reads which accesses may alias by their types, or in which order a value's uses
     * were. */
    "-fno-strict-aliasing", "-Xclang", "-no-emit-llvm-uselists",
    /* types, field names and positions for the printer; -g is a host option in CUDA mode */
    "-Xclang", "-debug-info-kind=limited", "-Xclang", "-dwarf-version=4"};

qn_status qn__command_line(struct qn__unit *u, struct qn__command *a, const char *clang,
                           enum qn__headers headers, const char *header,
                           const struct qn__dialect *dialect, const char *temp, const char *source)
{
    *a = (struct qn__command){0};
    add(u, a, "%s", clang);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        add(u, a, fixed[i], "");
    add(u, a, "-DQUERN_WAVE_WIDTH=%s", qn__text(u, "%u", u->profile->wave));
    add(u, a, "-DQUERN_WAVE=%s", qn__text(u, "%u", u->profile->wave));
    if (qn__profile_can(u->profile, QN__CAN_ptx) || qn__profile_can(u->profile, QN__CAN_warp))
        add(u, a, "-DQUERN_HAS_SHUFFLE=1", "");
    if (qn__profile_can(u->profile, QN__CAN_ptx))
        add(u, a, "-DQUERN_HAS_PTX=1", "");
    if (qn__profile_can(u->profile, QN__CAN_loops))
        add(u, a, "-DQUERN_C=1", "");
    bool has_std = false;
    for (uint32_t i = 0; i < u->request->n_options; i++) {
        bool pass;
        QN_TRY(take_option(u, u->request->options[i], &pass));
        if (pass)
            add(u, a, "%s", u->request->options[i]);
        has_std |= qn__starts_with(u->request->options[i], "-std=");
    }
    if (!has_std)
        add(u, a, "-std=c++17", "");
    if (headers != QN__OUR_HEADERS && includes_cxx20(u))
        add(u, a, "-std=c++20", ""); /* the last one counts */
    if (dialect->allows_jumps) {     /* as Microsoft's compiler does, and NVIDIA's */
        add(u, a, "-Xclang", "");
        add(u, a, "-fms-compatibility", "");
        add(u, a, "-Xclang", "");
        add(u, a, "-fms-compatibility-version=19.33", "");
        add(u, a, "-Wno-microsoft", "");
    }
    if (dialect->delays_templates)
        add(u, a, "-fdelayed-template-parsing", "");
    if (dialect->asks_shifts) { /* and of the sums that are written then it says nothing */
        add(u, a, "-Werror=shift-count-overflow", "");
        add(u, a, "-Wno-shift-op-parentheses", "");
    }
    if (u->fast_math)
        add(u, a, "-D__USE_FAST_MATH__=1", "");
    add(u, a, "-ffile-prefix-map=%s/=", source);
    add_folders(u, a, headers, temp, source);
    header_first(u, a, temp, QN__PRELUDE);
    if (headers == QN__OUR_HEADERS_AS_NVCC)
        header_first(u, a, temp, "quern_implied.h");
    const bool machine = headers >= QN__MACHINE_HEADERS;
    if (machine) {
        header_first(u, a, temp, "quern_host.h"); /* as nvcc does */
        header_first(u, a, temp, "machine/quern_guards.h");
    }
    if (headers == QN__TOOLKIT_HEADERS)
        header_first(u, a, temp, "machine/quern_cccl.h");
    if (header)
        header_first(u, a, temp, header);
    if (header || machine)
        add(u, a, "-ferror-limit=0", "");
    if (machine) {
        add(u, a, "-fcx-limited-range", ""); /* no calls of a library for complex numbers */
        add(u, a, "-MD", "");
        add(u, a, "-MF%s/" QN__FILES_READ, temp);
    }
    add(u, a, "-o", "");
    add(u, a, "%s/out.bc", temp);
    add(u, a, qn__text(u, "%s/%s", source, qn__source_name(u->request->files[0].name)), "");
    QN__PUSH(u, a->argv, a->n, a->capacity, NULL);
    return QN_OK;
}
