/* SPDX-License-Identifier: Apache-2.0
 *
 * The host half of a file with kernels goes through clang as HIP code, whatever its dialect: that
 * has managed variables and handles of kernels. clang puts the device half, as
 * cudart/carried_program.h has it, where another compiler puts a binary for the GPU. Files without
 * kernels are left to the host's compiler. */
#include "tools/cc_unit.h"

#include "base/embedded.h"
#include "base/environment.h"
#include "base/file.h"
#include "tools/cc_device.h"
#include "tools/commands.h"
#include "tools/terminal.h"

#include <fcntl.h>
#include <quern/quern.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

/* ---- session ---- */

static bool write_table(const struct qn__embedded *table, const char *folder)
{
    for (; table->name; table++) {
        char *const path = qn__path_join(folder, table->name);
        char *const dir = path ? qn__path_dir(path) : NULL;
        if ((strncmp(table->name, "std/", 4) == 0 && strcmp(table->name, "std/omp.h") != 0) ||
            strncmp(table->name, "machine/", 8) == 0) {
            free(dir); /* in place of the machine's own, which the host half is read with */
            free(path);
            continue;
        }
        FILE *const f = dir && qn__file_make_dirs(dir, 0700) == QN_OK ? fopen(path, "w") : NULL;
        const size_t n = (size_t)(table->end - table->text);
        bool good = f && fwrite(table->text, 1, n, f) == n;
        good = f && fclose(f) == 0 && good;
        free(dir);
        free(path);
        if (!good)
            return qn__complain(0, "cc: %s: cannot write the headers", folder), false;
    }
    return true;
}

static const char *find_clang(void)
{
    static const char *const names[] = {"clang-19", "clang-18", "clang-20", "clang"};
    const char *const wanted = qn__getenv("QUERN_CLANG");
    if (wanted && *wanted)
        return qn__find_program(wanted, "name it with its folder in QUERN_CLANG");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *const found =
            qn__find_program(names[i], "name it with its folder in QUERN_CLANG");
        if (found)
            return found;
    }
    return NULL;
}

static bool wants_openmp(const struct qn__cc *cc)
{
    for (uint32_t i = 0; i < cc->host.n; i++)
        if (qn__equal(cc->host.items[i], "-fopenmp"))
            return true;
    return false;
}

/* Has clang its header? It comes with the library. */
static bool has_openmp(struct qn__cc_session *s)
{
    const struct qn__cc quiet = {0};
    struct qn__cc_list words = {0}, owned = {0};
    const char *const probe = qn__cc_text(&owned, s->temp, "/openmp.cpp");
    static const char *const fixed[] = {"-fopenmp", "-fsyntax-only", "-x", "c++"};
    qn__cc_add(&words, s->clang);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        qn__cc_add(&words, fixed[i]);
    qn__cc_add(&words, probe);
    const bool found = qn__file_write_atomic(probe, "#include <omp.h>\n", 17, 0600) == QN_OK &&
                       qn__cc_run(&quiet, &words, qn__cc_text(&owned, s->temp, "/openmp.log")) == 0;
    free(words.items);
    qn__cc_texts_release(&owned);
    return found;
}

const char *qn__cc_clang_word(const struct qn__cc_session *s, const char *word)
{
    return s->lacks_openmp && qn__equal(word, "-fopenmp") ? "-fopenmp=libgomp" : word;
}

bool qn__cc_session_open(struct qn__cc_session *s, const struct qn__cc *cc)
{
    static const char how[] = "name it with its folder in -ccbin";
    *s = (struct qn__cc_session){.cc = cc, .clang = find_clang()};
    if (!cc->host_compiler) {
        s->gcc = qn__find_program("gcc", how);
        s->gxx = qn__find_program("g++", how);
    }
    if (!s->clang)
        return qn__complain(0, "cc: no clang in PATH: install clang-19, or set QUERN_CLANG"), false;
    if (qn__temp_dir_create(&s->temp) != QN_OK)
        return qn__complain_status("cc"), false;
    s->headers = qn__path_join(s->temp, "headers");
    if (!s->headers || !write_table(qn__standin_headers, s->headers) ||
        !write_table(qn__cudart_headers, s->headers))
        return false;
    s->lacks_openmp = wants_openmp(cc) && !has_openmp(s);
    if (s->lacks_openmp)
        fputs("quern cc: note: clang has no OpenMP here (libomp-dev): what it compiles runs on one "
              "thread\n",
              stderr);
    return true;
}

void qn__cc_session_close(struct qn__cc_session *s)
{
    if (s->temp)
        qn__temp_dir_remove(s->temp);
    qn__cc_texts_release(&s->unserved);
    free(s->temp);
    free(s->headers);
    free((char *)(uintptr_t)s->clang);
    free((char *)(uintptr_t)s->gcc);
    free((char *)(uintptr_t)s->gxx);
}

/* ---- running ---- */

static void show(const struct qn__cc_list *words)
{
    for (uint32_t i = 0; i < words->n; i++)
        fprintf(stderr, "%s%s", i ? " " : "#$ ", words->items[i]);
    fputc('\n', stderr);
}

int qn__cc_run(const struct qn__cc *cc, const struct qn__cc_list *words, const char *log)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    if (cc->verbose)
        show(words);
    if (cc->dry_run)
        return 0;
    struct qn__cc_list argv = {0};
    for (uint32_t i = 0; i < words->n; i++)
        qn__cc_add(&argv, words->items[i]);
    qn__cc_add(&argv, NULL);
    fflush(stdout);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return 127;
    if (log)
        posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int failed = posix_spawnp(&child, words->items[0], &actions, NULL,
                                    (char *const *)(uintptr_t)argv.items, environ);
    posix_spawn_file_actions_destroy(&actions);
    free(argv.items);
    if (failed)
        return qn__complain(127, "cc: %s: %s", words->items[0], strerror(failed));
    while (waitpid(child, &status, 0) < 0)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- the host half ---- */

/* -D__CUDA_ARCH__=800 is for kernels; host code that saw it would take itself for one. */
static bool is_for_kernels(const char *define)
{
    return qn__starts_with(define, "__CUDA_ARCH__");
}

static void add_pair(struct qn__cc_list *words, const char *a, const char *b)
{
    qn__cc_add(words, a);
    qn__cc_add(words, b);
}

const char *qn__cc_text(struct qn__cc_list *owned, const char *front, const char *back)
{
    struct qn__str t = {0};
    qn__str_add(&t, front);
    qn__str_add(&t, back);
    char *const taken = qn__str_take(&t);
    qn__cc_add(owned, taken ? taken : "");
    return owned->items[owned->n - 1];
}

void qn__cc_texts_release(struct qn__cc_list *owned)
{
    for (uint32_t i = 0; i < owned->n; i++)
        free((char *)(uintptr_t)owned->items[i]);
    free(owned->items);
}

/* What makes clang read CUDA as NVIDIA's compiler does. */
static const char *const kernels_words[] = {"--cuda-host-only",
                                            "-nogpuinc",
                                            "-nogpulib",
                                            "--rocm-path=/nonexistent",
                                            "--no-default-config",
                                            "-Wno-c++11-narrowing",
                                            "-Wno-register",
                                            "-Wno-reserved-user-defined-literal",
                                            "-Wno-unused-command-line-argument",
                                            "-Wno-unused-value",
                                            "-Wno-unused-result",
                                            "-Wno-format-security"};

static void add_kernels_words(struct qn__cc_list *words, struct qn__cc_list *owned,
                              const struct qn__cc_session *s, const char *device_half)
{
    for (size_t i = 0; i < sizeof kernels_words / sizeof *kernels_words; i++)
        qn__cc_add(words, kernels_words[i]);
    if (!s->cc->hip) {
        qn__cc_add(words, "-U__HIP__");
        qn__cc_add(words, "-U__HIPCC__");
    }
    add_pair(words, "-isystem", qn__cc_text(owned, s->headers, "/both"));
    add_pair(words, "-isystem", s->headers);
    static const char *const first[] = {"quern_prelude.h", "quern_host.h", "quern_host_run.h",
                                        "quern_cc.h"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        add_pair(words, "-include",
                 qn__cc_text(owned, qn__cc_text(owned, s->headers, "/"), first[i]));
    add_pair(words, "-Xclang", "-fcuda-include-gpubinary");
    add_pair(words, "-Xclang", device_half);
}

static bool is_optimised(const struct qn__cc *cc)
{
    for (uint32_t i = 0; i < cc->host.n; i++)
        if (qn__starts_with(cc->host.items[i], "-O"))
            return true;
    return false;
}

static const char *compiler_of(const struct qn__cc_session *s, enum qn__cc_language language)
{
    const char *const own = language == QN__CC_C ? s->gcc : s->gxx;
    if (language == QN__CC_KERNELS)
        return s->clang;
    if (s->cc->host_compiler)
        return s->cc->host_compiler;
    return own ? own : s->clang;
}

static void add_common_words(struct qn__cc_list *words, struct qn__cc_list *owned,
                             const struct qn__cc_session *s, const struct qn__cc_input *input)
{
    const struct qn__cc *const cc = s->cc;
    const bool kernels = input->language == QN__CC_KERNELS;
    const char *const std = cc->std ? cc->std : "c++17";
    if (input->language != QN__CC_C)
        qn__cc_add(words, qn__cc_text(owned, "-std=", std));
    for (uint32_t i = 0; i < cc->defines.n; i++)
        if (!is_for_kernels(cc->defines.items[i]))
            qn__cc_add(words, qn__cc_text(owned, "-D", cc->defines.items[i]));
    for (uint32_t i = 0; i < cc->forced.n; i++)
        add_pair(words, "-include", cc->forced.items[i]);
    for (uint32_t i = 0; i < cc->includes.n; i++)
        if (!qn__cc_is_toolkit(cc->includes.items[i]))
            qn__cc_add(words, qn__cc_text(owned, "-I", cc->includes.items[i]));
    if (!kernels) {
        const char *const headers = qn__cc_text(owned, "-I", s->headers);
        qn__cc_add(words, qn__cc_text(owned, headers, "/plain"));
        qn__cc_add(words, headers);
    }
    const bool by_clang = compiler_of(s, input->language) == s->clang;
    if (by_clang && s->lacks_openmp)
        add_pair(words, "-isystem", qn__cc_text(owned, s->headers, "/std"));
    for (uint32_t i = 0; i < cc->host.n; i++)
        qn__cc_add(words, by_clang ? qn__cc_clang_word(s, cc->host.items[i]) : cc->host.items[i]);
    if (kernels && !is_optimised(cc))
        /* the headers are full of functions that inline; signed numbers wrap as they do with -O0 */
        add_pair(words, "-O1", "-fwrapv");
    qn__cc_add(words, "-fPIC");
}

/* What clang, or the host's compiler, is told; id and device_half are a file's with kernels. */
static void add_words(struct qn__cc_list *words, struct qn__cc_list *owned,
                      const struct qn__cc_session *s, const struct qn__cc_input *input,
                      const char *step, const char *id, const char *device_half)
{
    const bool kernels = input->language == QN__CC_KERNELS;
    qn__cc_add(words, compiler_of(s, input->language));
    qn__cc_add(words, step);
    add_pair(words, "-x", kernels ? "hip" : input->language == QN__CC_C ? "c" : "c++");
    if (kernels) {
        add_kernels_words(words, owned, s, device_half);
        add_pair(words, "-Xclang", qn__cc_text(owned, "-cuid=", id));
    }
    add_common_words(words, owned, s, input);
    qn__cc_add(words, input->path);
}

/* Assembler of the host half, without its device half. */
static bool write_assembler(struct qn__cc_session *s, const struct qn__cc_input *input,
                            const char *output)
{
    struct qn__cc_list words = {0}, owned = {0};
    const char *const empty = qn__cc_text(&owned, s->temp, "/empty");
    add_words(&words, &owned, s, input, "-S", "0", empty);
    add_pair(&words, "-o", output);
    const bool good =
        qn__file_write_atomic(empty, "", 0, 0600) == QN_OK && qn__cc_run(s->cc, &words, NULL) == 0;
    qn__cc_texts_release(&owned);
    free(words.items);
    return good;
}

/* What becomes of the device half, in a file of its own. */
static bool write_half(char id[QN__HASH_HEX], struct qn__cc_session *s,
                       const struct qn__cc_input *input, const char *path)
{
    struct qn__cc_list owned = {0};
    const char *const assembler =
        qn__cc_needs_names(s->cc) && !s->cc->dry_run ? qn__cc_text(&owned, path, ".s") : NULL;
    const bool good = (!assembler || write_assembler(s, input, assembler)) &&
                      qn__cc_write_device_half(id, s, input, path, assembler);
    qn__cc_texts_release(&owned);
    return good;
}

bool qn__cc_write_device(struct qn__cc_session *s, const struct qn__cc_input *input,
                         const char *output)
{
    struct qn__cc_list words = {0}, owned = {0};
    const char *const empty = qn__cc_text(&owned, s->temp, "/empty");
    char id[QN__HASH_HEX];
    if (input->language != QN__CC_KERNELS)
        return qn__complain(0, "cc: %s: no source of kernels by its name (-x cu says it is)",
                            input->path),
               false;
    add_words(&words, &owned, s, input, "-fsyntax-only", "0", empty); /* finds its mistakes */
    const bool good = qn__file_write_atomic(empty, "", 0, 0600) == QN_OK &&
                      qn__cc_run(s->cc, &words, NULL) == 0 &&
                      (s->cc->dry_run || write_half(id, s, input, output));
    qn__cc_texts_release(&owned);
    free(words.items);
    return good;
}

bool qn__cc_compile(struct qn__cc_session *s, const struct qn__cc_input *input, const char *output)
{
    const struct qn__cc *const cc = s->cc;
    struct qn__cc_list words = {0}, owned = {0};
    char number[24];
    snprintf(number, sizeof number, "/half%u", (unsigned)s->n_files++);
    const char *const device_half = qn__cc_text(&owned, s->temp, number);
    char id[QN__HASH_HEX];
    bool good = input->language != QN__CC_KERNELS || write_half(id, s, input, device_half);
    add_words(&words, &owned, s, input, cc->step == QN__CC_PREPROCESS ? "-E" : "-c", id,
              device_half);
    if (output)
        add_pair(&words, "-o", output);
    good = good && qn__cc_run(cc, &words, NULL) == 0;
    qn__cc_texts_release(&owned);
    free(words.items);
    return good;
}
