/* SPDX-License-Identifier: Apache-2.0
 *
 * Front end: CUDA/HIP C++ to LLVM IR, by running clang.
 *
 *     <temp>/quern/       our stand-in headers (quern_prelude.h, cuda_runtime.h, std/...)
 *     <temp>/src/.../     the request's files; deep enough for the "../" in their names
 *     <temp>/out.bc, log
 *
 * Nothing else is read: what is installed on a machine, and what clang finds in its environment,
 * must make no difference to a translation.
 *
 * Everything clang says names files below <temp>/src; those prefixes are taken off again, so that
 * diagnostics, __FILE__ and debug information hold the user's names and nothing of the temporary
 * folder.
 *
 * Name expressions become initialised variables after the main file, so the C++ front end itself
 * resolves and instantiates them; lower/find_kernels.c reads the symbols from the initialisers.
 */
#include "compiler/frontend/frontend.h"

#include "base/file.h"
#include "compiler/core/line_text.h"
#include "compiler/frontend/clang.h"
#include "compiler/frontend/header_selection.h"
#include "compiler/frontend/shared_align.h"

#include <llvm-c/BitReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Folders between <temp>/src and the files, so that "../../x.h" stays inside. */
#define DEEP "src/0/1/2/3/4/5/6/7"
enum { DEEP_LEVELS = 8, OUTPUT_LIMIT = 512 << 20 };

static qn_status write_below(const char *folder, const char *name, const char *text, size_t n,
                             const char *tail)
{
    char *const path = qn__path_join(folder, name);
    char *const parent = path ? qn__path_dir(path) : NULL;
    qn_status s = parent ? QN_OK : qn__fail(QN_E_MEMORY, "out of memory");
    if (s == QN_OK && !qn__file_is_dir(parent))
        s = qn__file_make_dirs(parent, 0700);
    if (s == QN_OK) {
        FILE *const f = fopen(path, "we");
        if (!f)
            s = qn__fail_errno("%s", path);
        else {
            fwrite(text, 1, n, f);
            fputs(tail, f);
            if (fclose(f) != 0)
                s = qn__fail_errno("%s", path);
        }
    }
    free(parent);
    free(path);
    return s;
}

/* Relative, and no more "../" than there is room for. */
static qn_status check_name(const char *name)
{
    int depth = DEEP_LEVELS;
    for (const char *p = name; *p; p += strspn(p, "/")) {
        const size_t n = strcspn(p, "/");
        depth += n == 2 && p[0] == '.' && p[1] == '.' ? -1 : n == 1 && p[0] == '.' ? 0 : 1;
        if (depth < 0)
            return qn__fail(QN_E_INVALID, "%s: leads too far up", name);
        p += n;
    }
    return QN_OK;
}

/* Where a request's file lies below <temp>/DEEP: an absolute name loses its first slash. */
static const char *relative_name(const char *name)
{
    return name + strspn(name, "/");
}

/* Is this word in the head of a file? */
static bool mentions(const struct qn__source_file *f, const char *word)
{
    enum { HEAD = 8192 };
    const size_t n = strlen(word), last = f->n < HEAD ? f->n : HEAD;
    for (size_t i = 0; i + n <= last; i++)
        if (memcmp(f->text + i, word, n) == 0)
            return true;
    return false;
}

/* The stand-in for a header of an SDK, which an -I of the request led to; NULL where the file is
 * the user's own. A closure has plain names: "reduce.h", with a number in front where it has two.
 */
static const char *stand_in_for(struct qn__unit *u, const struct qn__source_file *f)
{
    const char *name = qn__path_base(f->name);
    const size_t digits = strspn(name, "0123456789");
    if (digits && name[digits] == '-')
        name += digits + 1;
    if (!mentions(f, "NVIDIA") && !mentions(f, "Advanced Micro Devices"))
        return NULL;
    for (const struct qn__embedded *e = qn__standin_headers; e->name; e++) {
        const char *const base = qn__path_base(e->name);
        if (!qn__equal(base, name) || qn__starts_with(e->name, "std/"))
            continue;
        const char *const folder =
            qn__text(u, "%.*s", base == e->name ? 0 : (int)(base - e->name) - 1, e->name);
        if (mentions(f, folder)) /* cooperative_groups/reduce.h, and not any reduce.h */
            return e->name;
    }
    return NULL;
}

static qn_status write_headers(struct qn__unit *u, const char *temp, bool whole)
{
    const bool *const reached = qn__standins_reached(u, qn__standin_headers, whole);
    char *const headers = qn__path_join(temp, "quern");
    qn_status s = headers ? QN_OK : qn__fail(QN_E_MEMORY, "out of memory");
    for (uint32_t i = 0; s == QN_OK && qn__standin_headers[i].name; i++) {
        const struct qn__embedded *const e = &qn__standin_headers[i];
        if (reached[i] || qn__standin_on_demand(e->name))
            s = write_below(headers, e->name, e->text, reached[i] ? (size_t)(e->end - e->text) : 0,
                            "");
    }
    free(headers);
    return s;
}

static qn_status write_files(struct qn__unit *u, const char *temp, const char *source,
                             const char *names)
{
    qn_status s = write_headers(u, temp, false);
    for (uint32_t i = 0; s == QN_OK && i < u->request->n_files; i++) {
        const struct qn__source_file *const f = &u->request->files[i];
        const char *const ours = i ? stand_in_for(u, f) : NULL;
        s = check_name(relative_name(f->name));
        if (s == QN_OK && ours)
            s = write_below(source, relative_name(f->name), "#include \"", 10,
                            qn__text(u, "%s/quern/%s\"\n", temp, ours));
        else if (s == QN_OK)
            s = write_below(source, relative_name(f->name), qn__shared_align(u, f), f->n,
                            i == 0 ? names : "");
    }
    return s;
}

/* The lines after the main file that make clang resolve the name expressions. A diagnostic about
 * one of them is in a file of that name: the user wrote the expression, not the line around it. */
static const char *name_lines(struct qn__unit *u)
{
    const char *text = "";
    if (u->request->n_names)
        text = "\n";
    for (uint32_t i = 0; i < u->request->n_names; i++) {
        const char *const e = u->request->names[i] + strspn(u->request->names[i], "& ");
        const char *const as = qn__line_directive(u, qn__text(u, "name expression %s", e), 1);
        text = qn__text(u,
                        "%s%s\nextern \"C\" __attribute__((device)) const void *const "
                        "__qn_name_%u = (const void *)(&(\n%s\n%s\n));\n",
                        text, as, (unsigned)i, as, e);
    }
    return text;
}

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
    else if (!qn__starts_with(option, "-O") && !qn__equal(option, "-g"))
        return qn__fail(QN_E_INVALID, "option %s: not one the translator knows", whole);
    return QN_OK;
}

struct arguments {
    char **argv;
    uint32_t n, capacity;
};

/* One argument: `fmt` with its %s, where it has one, replaced by `value`. */
static void add(struct qn__unit *u, struct arguments *a, const char *fmt, const char *value)
{
    const char *const at = strstr(fmt, "%s");
    const int before = at ? (int)(at - fmt) : (int)strlen(fmt);
    const char *const text =
        qn__text(u, "%.*s%s%s", before, fmt, at ? value : "", at ? at + 2 : "");
    QN__PUSH(u, a->argv, a->n, a->capacity, qn__arena_strdup(u->arena, text));
}

static qn_status command_line(struct qn__unit *u, struct arguments *a, const char *clang,
                              const char *temp, const char *source)
{
    static const char *const fixed[] = {
        "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_70",
        "-Wno-unknown-cuda-version", "-O1", "-funroll-loops", "-fno-discard-value-names",
        "-fno-color-diagnostics",
        /* A CUDA installation must make no difference: clang looks at its version, and allows
         * variadic functions (printf) only where it finds one. Without one it assumes a PTX too old
         * for sm_70, which LLVM 22 refuses. */
        "--cuda-path=/nonexistent", "--cuda-feature=+ptx63", "-Xclang",
        "-fcuda-allow-variadic-functions", "-c", "-emit-llvm", "-DQUERN_TRANSLATE=1",
        "-DQUERN_OPENCL=1",
        /* The machine's headers must make no difference either. */
        "-nostdlibinc", "--no-default-config",
        /* The IR as the front end makes it: our own gentle pipeline follows. Lifetime markers would
         * put a clean-up block after every early return. With noundef, passes would drop the
         * condition of `if (lane < 16) v = x; v = __shfl_sync(mask, v, 0);`. */
        "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-lifetime-markers", "-Xclang",
        "-no-enable-noundef-analysis",
        /* Casts of floats to integers as saturating calls: float_to_int.c. */
        "-fno-strict-float-cast-overflow",
        /* Nothing reads which accesses may alias by their types, or in which order a value's uses
         * were. */
        "-fno-strict-aliasing", "-Xclang", "-no-emit-llvm-uselists",
        /* types, field names and positions for the printer; -g is a host option in CUDA mode */
        "-Xclang", "-debug-info-kind=limited", "-Xclang", "-dwarf-version=4"};
    add(u, a, "%s", clang);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        add(u, a, fixed[i], "");
    add(u, a, "-DQUERN_WAVE_WIDTH=%s", qn__text(u, "%u", u->profile->wave));
    add(u, a, "-DQUERN_WAVE=%s", qn__text(u, "%u", u->profile->wave));
    if (qn__profile_can(u->profile, QN__CAN_ptx) || qn__profile_can(u->profile, QN__CAN_warp))
        add(u, a, "-DQUERN_HAS_SHUFFLE=1", "");
    if (qn__profile_can(u->profile, QN__CAN_ptx))
        add(u, a, "-DQUERN_HAS_PTX=1", "");
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
    if (u->fast_math)
        add(u, a, "-D__USE_FAST_MATH__=1", "");
    add(u, a, "-ffile-prefix-map=%s/=", source);
    add(u, a, "-isystem", "");
    add(u, a, "%s/quern", temp);
    add(u, a, "-isystem", "");
    add(u, a, "%s/quern/std", temp);
    add(u, a, "-I%s", source);
    add(u, a, "-include", "");
    add(u, a, "%s/quern/" QN__PRELUDE, temp);
    add(u, a, "-o", "");
    add(u, a, "%s/out.bc", temp);
    add(u, a, qn__text(u, "%s/%s", source, relative_name(u->request->files[0].name)), "");
    QN__PUSH(u, a->argv, a->n, a->capacity, NULL);
    return QN_OK;
}

/* clang's log in the user's names, without its closing count. */
static void keep_log(struct qn__unit *u, const char *raw, const char *temp, const char *source)
{
    const size_t n_source = strlen(source), n_temp = strlen(temp);
    for (const char *line = raw; *line;) {
        const size_t n = strcspn(line, "\n");
        const char *const end = line + n;
        const bool count =
            memchr(line, ' ', n) &&
            (strstr(line, " generated when compiling for") || strstr(line, " generated.")) &&
            line[0] >= '0' && line[0] <= '9' && !memchr(line, '|', n);
        while (!count && line < end) {
            if (strncmp(line, source, n_source) == 0 && line[n_source] == '/')
                line += n_source + 1;
            else if (strncmp(line, temp, n_temp) == 0)
                line += n_temp + 1;
            else
                qn__str_add_char(&u->diagnostics, *line++);
        }
        if (!count)
            qn__str_add_char(&u->diagnostics, '\n');
        line = end + (*end == '\n');
    }
}

/* Where clang refuses what NVIDIA's compiler takes: why it stays refused, at the same place. */
static void add_reason(struct qn__unit *u)
{
    const char *const at = u->diagnostics.text
                               ? strstr(u->diagnostics.text, ": error: reference to __global__")
                               : NULL;
    if (!at)
        return;
    const char *line = at;
    while (line > u->diagnostics.text && line[-1] != '\n')
        line--;
    qn__str_add(&u->diagnostics,
                qn__text(u,
                         "%.*s: note: OpenCL kernels cannot launch kernels: launch this one from "
                         "the host, after the first, or call its body as a __device__ function\n",
                         (int)(at - line), line));
}

static const char *first_error(struct qn__unit *u)
{
    const char *const at = u->diagnostics.text ? strstr(u->diagnostics.text, "error: ") : NULL;
    if (!at)
        return "clang refuses the source";
    const char *line = at;
    while (line > u->diagnostics.text && line[-1] != '\n')
        line--;
    return qn__text(u, "%.*s", (int)strcspn(line, "\n"), line);
}

static qn_status parse_module(struct qn__unit *u, LLVMMemoryBufferRef buffer)
{
    const LLVMBool failed = LLVMParseBitcodeInContext2(u->context, buffer, &u->module);
    LLVMDisposeMemoryBuffer(buffer);
    if (failed)
        return qn__fail(QN_E_COMPILER,
                        "LLVM %s cannot read this clang's output: use clang-%d (QUERN_CLANG)",
                        LLVM_VERSION_STRING, LLVM_VERSION_MAJOR);
    u->layout = LLVMGetModuleDataLayout(u->module);
    return QN_OK;
}

static qn_status read_module(struct qn__unit *u, const char *path)
{
    LLVMMemoryBufferRef buffer;
    char *why = NULL;
    if (!LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &why))
        return parse_module(u, buffer);
    const qn_status s = qn__fail(QN_E_COMPILER, "clang made no output: %s", why ? why : path);
    LLVMDisposeMessage(why);
    return s;
}

static qn_status compile(struct qn__unit *u, const char *temp, const char *clang)
{
    const char *const source = qn__text(u, "%s/" DEEP, temp);
    struct arguments a = {0};
    QN_TRY(write_files(u, temp, source, name_lines(u)));
    QN_TRY(command_line(u, &a, clang, temp, source));
    const char *const log = qn__text(u, "%s/log", temp);
    int code;
    QN_TRY(qn__clang_run(&code, a.argv, log));
    if (code == 1) { /* again with everything declared: there may be no mistake then */
        QN_TRY(write_headers(u, temp, true));
        QN_TRY(qn__clang_run(&code, a.argv, log));
    }
    char *raw = NULL;
    size_t n;
    QN_TRY(qn__file_read(&raw, &n, log, OUTPUT_LIMIT));
    u->result->raw = qn__arena_strndup(u->arena, raw, n);
    free(raw);
    if (!u->result->raw)
        return qn__fail(QN_E_MEMORY, "out of memory");
    keep_log(u, u->result->raw, temp, source);
    add_reason(u);
    if (code >= 128 || (code != 0 && !strstr(u->result->raw, "error: ")))
        return qn__fail(QN_E_COMPILER, "%s: exit status %d: %.200s", clang, code, u->result->raw);
    if (code != 0)
        return qn__fail(QN_E_COMPILE, "%s", first_error(u));
    return read_module(u, qn__text(u, "%s/out.bc", temp));
}

qn_status qn__frontend(struct qn__unit *u)
{
    const char *clang;
    char *temp = NULL;
    if (u->request->bitcode)
        return parse_module(u, LLVMCreateMemoryBufferWithMemoryRangeCopy(
                                   u->request->bitcode, u->request->bitcode_bytes, "bitcode"));
    QN_TRY(qn__clang_find(&clang, u->arena, u->request->clang));
    QN_TRY(qn__temp_dir_create(&temp));
    u->temp_dir = temp; /* translate.c removes it, also after a longjmp */
    return compile(u, temp, clang);
}
