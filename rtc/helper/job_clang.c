/* SPDX-License-Identifier: Apache-2.0
 *
 * AMD code objects by clang's own HIP device compile, for architectures that hipRTC does not know
 * and for machines without it. "hipcc" is the same with ROCm's amdclang++.
 *
 * No SDK header is used: hip_prelude.h is the language, AMD's device libraries (ocml.bc, ockl.bc
 * and the small oclc_*.bc that hold one constant each) are the math. Distributions lag behind with
 * the constant that names the architecture; it is one integer, so it is made here where it is
 * missing. Everything happens in a private temporary folder that is also the compiler's working
 * folder, so no path reaches the image.
 */
#include "rtc/helper/job_clang.h"

#include "base/embedded.h"
#include "base/file.h"
#include "rtc/helper/diagnostics.h"
#include "rtc/helper/name_variables.h"
#include "rtc/helper/real_program.h"
#include "rtc/helper/run_program.h"
#include "rtc/job/code_object.h"
#include "rtc/job/locate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct qn__embedded qn__hip_prelude[];

enum { ARGS_MAX = 512, IMAGE_LIMIT_BYTES = 1 << 30 };

struct offline {
    struct qn__arena *arena;
    const struct qn__job *job;
    const char *program, *libraries; /* clang++, folder of ocml.bc */
    char *folder;
    char base[64]; /* architecture without features */
    const char *args[ARGS_MAX];
    int n_args;
    bool failed; /* out of memory for an argument */
};

/* -- what it can make -- */

/* clang's own list of processors. */
static qn_status list_targets(struct qn__job_result *out, struct qn__arena *arena,
                              const char *program)
{
    const char *const args[] = {program, "--target=amdgcn-amd-amdhsa", "-nogpulib",
                                "--print-supported-cpus", NULL};
    struct qn__program_output said;
    QN_TRY(qn__run_program(&said, arena, args, NULL));
    size_t n = 0;
    for (const char *p = said.text; (p = strstr(p, "\tgfx")); p++)
        n++;
    const char **list = QN__ARENA_ARRAY(arena, const char *, n);
    if (!list)
        return qn__fail(QN_E_MEMORY, "no memory for %zu targets", n);
    for (const char *p = said.text; (p = strstr(p, "\tgfx")); p++) {
        const char *name = qn__arena_strndup(arena, p + 1, strcspn(p + 1, " \t\r\n"));
        if (name)
            list[out->n_targets++] = name;
    }
    out->targets = list;
    return out->n_targets
               ? QN_OK
               : qn__fail(QN_E_COMPILER, "%s lists no AMD targets: %.200s", program, said.text);
}

/* The linker that clang finds is part of the compiler, as are the libraries that are linked to
 * every kernel; the small ones hold one constant each, which their names say. */
static qn_status list_files(struct qn__job_result *out, struct qn__arena *arena,
                            const struct qn__located *at)
{
    enum { N = 2 };
    const char *const args[] = {at->files[0], "--target=amdgcn-amd-amdhsa", "-print-prog-name=lld",
                                NULL};
    struct qn__program_output said;
    QN_TRY(qn__run_program(&said, arena, args, NULL));
    const char *const linker = qn__arena_strndup(arena, said.text, strcspn(said.text, "\n"));
    char *const folder = qn__path_dir(at->files[1]);
    const char *const library = folder ? qn__arena_join(arena, folder, "/ockl.bc") : NULL;
    const char **files = QN__ARENA_ARRAY(arena, const char *, N);
    free(folder);
    if (!linker || !library || !files)
        return qn__fail(QN_E_MEMORY, "no memory for a list of files");
    if (linker[0] == '/' && qn__file_exists(linker))
        files[out->n_files++] = linker;
    if (qn__file_exists(library))
        files[out->n_files++] = library;
    out->files = files;
    return qn__real_program(out, arena, at->files[0]);
}

/* "clang 19.1.7 (device libraries of ocml.bc)": the version line's number. */
static qn_status read_version(const char **out, struct qn__arena *arena, const char *name,
                              const char *program)
{
    const char *const args[] = {program, "--version", NULL};
    struct qn__program_output said;
    QN_TRY(qn__run_program(&said, arena, args, NULL));
    const char *p = strstr(said.text, "clang version ");
    if (said.code != 0 || !p)
        return qn__fail(QN_E_COMPILER, "%s --version: ended with code %d: %.200s", program,
                        said.code, said.text);
    p += strlen("clang version ");
    const int n = (int)strspn(p, "0123456789.");
    if (atoi(p) < 17)
        return qn__fail(QN_E_COMPILER, "%s is clang %.*s; 17 or later is needed for AMD targets",
                        program, n, p);
    *out = qn__arena_printf(arena, "%s %.*s", name, n, p);
    return *out ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for a version");
}

/* -- files -- */

static qn_status write_file(const struct offline *o, const char *name, const char *text, size_t n)
{
    char *const path = qn__path_join(o->folder, name);
    char *const parent = path && strchr(name, '/') ? qn__path_dir(path) : NULL;
    qn_status s = path ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for a file name");
    if (s == QN_OK && parent)
        s = qn__file_make_dirs(parent, 0700);
    if (s == QN_OK)
        s = qn__file_write_atomic(path, text, n, 0600);
    free(parent);
    free(path);
    return s;
}

/* -- arguments -- */

static void add(struct offline *o, const char *arg)
{
    if (!arg || o->n_args + 1 >= ARGS_MAX) {
        o->failed = true;
        return;
    }
    o->args[o->n_args++] = arg;
    o->args[o->n_args] = NULL;
}

static void add_options(struct offline *o)
{
    const struct qn__job *job = o->job;
    for (uint32_t i = 0; i < job->n_options; i++) {
        const char *option = job->options[i];
        if (strcmp(option, "-use_fast_math") == 0)
            add(o, "-ffast-math");
        else if (strcmp(option, "-fmad=false") == 0)
            add(o, "-ffp-contract=off");
        else if (!qn__starts_with(option, "-maxrregcount=") && /* NVIDIA's registers, not AMD's */
                 strcmp(option, "-keep-going") != 0 &&
                 strcmp(option, "-device-int128") != 0) /* clang needs none */
            add(o, option);
    }
}

static void link_library(struct offline *o, const char *name)
{
    add(o, "-Xclang");
    add(o, "-mlink-builtin-bitcode");
    add(o, "-Xclang");
    add(o, name[0] == '/' ? name : qn__arena_printf(o->arena, "%s/%s.bc", o->libraries, name));
}

/* Waves of 64 up to gfx9, of 32 from gfx10 on. */
static bool has_wave64(const char *base)
{
    return qn__starts_with(base, "gfx6") || qn__starts_with(base, "gfx7") ||
           qn__starts_with(base, "gfx8") || qn__starts_with(base, "gfx9");
}

/* gfx90a: major 9, minor 0, stepping 10, as 1000 * major + 100 * minor + stepping. */
static int isa_version(const char *base)
{
    static const struct {
        const char *name;
        int version;
    } families[] = {{"gfx9-generic", 9000},     {"gfx9-4-generic", 9400},
                    {"gfx10-1-generic", 10100}, {"gfx10-3-generic", 10300},
                    {"gfx11-generic", 11003},   {"gfx12-generic", 12000}};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strcmp(families[i].name, base) == 0)
            return families[i].version;
    const size_t n = strlen(base);
    char digits[3][8] = {"", "", ""};
    if (n < 6 || n > 9)
        return 0;
    snprintf(digits[0], sizeof digits[0], "%.*s", (int)(n - 5), base + 3);
    snprintf(digits[1], sizeof digits[1], "%c", base[n - 2]);
    snprintf(digits[2], sizeof digits[2], "%c", base[n - 1]);
    return (int)(strtol(digits[0], NULL, 10) * 1000 + strtol(digits[1], NULL, 16) * 100 +
                 strtol(digits[2], NULL, 16));
}

static bool is_generic(const struct offline *o)
{
    return qn__ends_with(o->base, "-generic");
}

/* A library of constants that are not installed: the architecture's number and, for generic
 * targets, the code object version that only they need. */
static qn_status make_constants(const char **out, struct offline *o)
{
    const int version = isa_version(o->base);
    if (!version)
        return qn__fail(QN_E_UNSUPPORTED, "%s: no ISA version is known for it", o->base);
    const char *text =
        qn__arena_printf(o->arena, "const __constant int __oclc_ISA_version = %d;\n%s", version,
                         is_generic(o) ? "const __constant int __oclc_ABI_version = 600;\n" : "");
    *out = qn__arena_printf(o->arena, "%s/constants.bc", o->folder);
    if (!text || !*out)
        return qn__fail(QN_E_MEMORY, "no memory for a library");
    QN_TRY(write_file(o, "constants.cl", text, strlen(text)));
    const char *const args[] = {o->program,
                                "-x",
                                "cl",
                                "--target=amdgcn-amd-amdhsa",
                                "-nogpulib",
                                "-Xclang",
                                "-mcode-object-version=none",
                                "-emit-llvm",
                                "-c",
                                "constants.cl",
                                "-o",
                                "constants.bc",
                                NULL};
    struct qn__program_output said;
    QN_TRY(qn__run_program(&said, o->arena, args, o->folder));
    return said.code == 0
               ? QN_OK
               : qn__fail(QN_E_COMPILER, "making the constants of %s: %.300s", o->base, said.text);
}

/* The library with __oclc_ISA_version: the installed one, else one made now. */
static qn_status find_isa_library(const char **out, struct offline *o)
{
    const char *suffix = o->base + strlen("gfx");
    *out = qn__arena_printf(o->arena, "%s/oclc_isa_version_%s.bc", o->libraries, suffix);
    return *out && !is_generic(o) && qn__file_exists(*out) ? QN_OK : make_constants(out, o);
}

static qn_status add_libraries(struct offline *o)
{
    const char *isa;
    const bool fast = qn__job_has(o->job, "-use_fast_math");
    QN_TRY(find_isa_library(&isa, o));
    link_library(o, "ocml");
    link_library(o, "ockl");
    link_library(o, "oclc_daz_opt_off");
    link_library(o, fast ? "oclc_unsafe_math_on" : "oclc_unsafe_math_off");
    link_library(o, fast ? "oclc_finite_only_on" : "oclc_finite_only_off");
    link_library(o, "oclc_correctly_rounded_sqrt_on");
    link_library(o, has_wave64(o->base) ? "oclc_wavefrontsize64_on" : "oclc_wavefrontsize64_off");
    if (!is_generic(o))
        link_library(o, "oclc_abi_version_500");
    link_library(o, isa);
    return QN_OK;
}

static qn_status make_arguments(struct offline *o)
{
    static const char *const fixed[] = {"-x",
                                        "hip",
                                        "--cuda-device-only",
                                        "--no-gpu-bundle-output",
                                        "-nogpuinc",
                                        "-nogpulib",
                                        "-nostdinc",
                                        "-nostdinc++",
                                        "-fuse-cuid=none",
                                        "-fdebug-compilation-dir=.",
                                        "-fdeclspec",
                                        "--no-default-config",
                                        "-fno-color-diagnostics",
                                        "-fno-diagnostics-show-line-numbers",
                                        "-Wno-unused-command-line-argument",
                                        "-include",
                                        "hip_prelude.h",
                                        "-I",
                                        "."};
    add(o, o->program);
    add(o, qn__arena_printf(o->arena, "--offload-arch=%s", o->job->arch));
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        add(o, fixed[i]);
    if (is_generic(o))
        add(o, "-mcode-object-version=6");
    add_options(o);
    QN_TRY(add_libraries(o));
    add(o, o->job->files[0].name);
    add(o, "-o");
    add(o, "image.co");
    return o->failed ? qn__fail(QN_E_LIMIT, "%s: too many options for clang", o->job->files[0].name)
                     : QN_OK;
}

/* The source, and after it one pointer per name expression. */
static qn_status write_sources(const struct offline *o)
{
    const struct qn__job *job = o->job;
    const struct qn__embedded *prelude = &qn__hip_prelude[0];
    struct qn__str main = {0};
    QN_TRY(write_file(o, "hip_prelude.h", prelude->text, (size_t)(prelude->end - prelude->text)));
    for (uint32_t i = 1; i < job->n_files; i++)
        QN_TRY(write_file(o, job->files[i].name, job->files[i].text, job->files[i].n));
    qn__str_add_bytes(&main, job->files[0].text, job->files[0].n);
    for (uint32_t i = 0; i < job->n_names; i++) {
        struct qn__name_expression e;
        QN_TRY(qn__name_expression_read(&e, o->arena, job->names[i]));
        qn__name_variable_add(&main, &e, i);
    }
    if (job->n_names)
        qn__str_add_char(&main, '\n');
    qn_status s = qn__str_check(&main);
    if (s == QN_OK)
        s = write_file(o, job->files[0].name, main.text, main.len);
    qn__str_release(&main);
    return s;
}

static qn_status read_image(struct qn__job_result *out, const struct offline *o)
{
    char *path = qn__path_join(o->folder, "image.co"), *bytes = NULL;
    size_t n = 0;
    const qn_status s = path ? qn__file_read(&bytes, &n, path, IMAGE_LIMIT_BYTES)
                             : qn__fail(QN_E_MEMORY, "no memory for a file name");
    free(path);
    if (s == QN_E_IO)
        return qn__fail(QN_E_COMPILER, "%s ended without an error and wrote no image", o->program);
    QN_TRY(s);
    out->bytes = qn__arena_memdup(o->arena, bytes, n);
    out->n = n;
    free(bytes);
    const char **lowered = QN__ARENA_ARRAY(o->arena, const char *, o->job->n_names);
    if (!out->bytes || !lowered)
        return qn__fail(QN_E_MEMORY, "no memory for an image of %zu bytes", n);
    for (uint32_t i = 0; i < o->job->n_names; i++)
        lowered[i] = qn__name_variable_symbol(o->arena, out->bytes, n, i);
    return qn__job_reflect(out, o->arena, o->job, lowered);
}

/* -- one compile -- */

/* An error of the linker's own, in whatever name it has ("lld", "ld.lld-14"); what is wrong with
 * the source is a symbol that is missing or there twice. */
static bool is_of_linker(const char *line)
{
    static const char error[] = ": error: ";
    const char *const at = strstr(line, error), *const name = strstr(line, "lld");
    return at && name && name < at && strcspn(line, "\n") > (size_t)(at - line) &&
           strcspn(line, " ") > (size_t)(name - line) &&
           !qn__starts_with(at + sizeof error - 1, "undefined ") &&
           !qn__starts_with(at + sizeof error - 1, "duplicate ");
}

/* What is wrong with the linker, NULL where it is not the linker. clang runs the lld beside it,
 * else one from PATH of whatever version; an older one does not know clang's options, or the
 * target. */
static const char *linker_trouble(const char *log)
{
    if (strstr(log, "unable to execute command") && strstr(log, "lld"))
        return "cannot run one";
    for (const char *line = log; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (is_of_linker(line))
            return "found another version's";
    return NULL;
}

static qn_status explain_failure(struct qn__job_result *out, const struct offline *o, int code)
{
    const char *first = qn__diagnostics_first(o->arena, out->diagnostics);
    const char *lld = linker_trouble(out->raw);
    if (lld)
        return qn__fail(QN_E_COMPILER,
                        "%s needs the linker lld of its own version and %s: %.200s (on Debian and "
                        "Ubuntu: apt install lld-%d)",
                        o->program, lld, first, atoi(out->compiler + strcspn(out->compiler, " ")));
    return strstr(out->diagnostics, ": error: ")
               ? qn__fail(QN_E_COMPILE, "%s", first)
               : qn__fail(QN_E_COMPILER, "%s ended with code %d: %.300s", o->program, code, first);
}

static qn_status compile_in_folder(struct qn__job_result *out, struct offline *o)
{
    QN_TRY(write_sources(o));
    QN_TRY(make_arguments(o));
    struct qn__program_output said;
    const double start = qn__now_ms();
    QN_TRY(qn__run_program(&said, o->arena, o->args, o->folder));
    out->ms = qn__now_ms() - start;
    out->raw = said.text;
    struct qn__str text = {0};
    qn__diagnostics_add(&text, o->job, said.text, o->job->verbose, said.code != 0);
    out->diagnostics = text.text ? qn__arena_strdup(o->arena, text.text) : "";
    qn__str_release(&text);
    return said.code == 0 ? read_image(out, o) : explain_failure(out, o, said.code);
}

static qn_status compile(struct qn__job_result *out, struct qn__arena *arena,
                         const struct qn__job *job, const struct qn__located *at)
{
    struct offline *o = QN__ARENA_NEW(arena, struct offline);
    char *libraries = qn__path_dir(at->files[1]);
    qn_status s = o && libraries ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for a compile");
    if (s == QN_OK) {
        *o = (struct offline){.arena = arena,
                              .job = job,
                              .program = at->files[0],
                              .libraries = qn__arena_strdup(arena, libraries)};
        snprintf(o->base, sizeof o->base, "%.*s", (int)strcspn(job->arch, ":"), job->arch);
        s = qn__temp_dir_create(&o->folder);
    }
    free(libraries);
    if (s != QN_OK)
        return s;
    s = compile_in_folder(out, o);
    struct qn__message message;
    if (s != QN_OK)
        qn__message_save(&message);
    qn__temp_dir_remove(o->folder);
    free(o->folder);
    if (s != QN_OK)
        qn__message_restore(&message);
    return s;
}

static qn_status identify(struct qn__job_result *out, struct qn__arena *arena,
                          const struct qn__located *at)
{
    QN_TRY(list_targets(out, arena, at->files[0]));
    return list_files(out, arena, at);
}

void qn__job_run_clang(struct qn__job_result *out, struct qn__arena *arena,
                       const struct qn__job *job)
{
    *out = (struct qn__job_result){.compiler = "", .reflection = {.build_options = ""}};
    struct qn__located at;
    qn__locate(&at, arena, job->compiler);
    qn_status s = at.found ? read_version(&out->compiler, arena, job->compiler, at.files[0])
                           : qn__fail(QN_E_COMPILER, "%s", at.reason);
    if (s == QN_OK) {
        out->where = at.files[0];
        s = job->kind == QN__JOB_IDENTITY ? identify(out, arena, &at)
                                          : compile(out, arena, job, &at);
    }
    qn__job_end(out, arena, s);
}
