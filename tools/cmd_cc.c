/* SPDX-License-Identifier: Apache-2.0
 *
 * quern cc: a program of CUDA or HIP sources, for any device. */
#include "tools/cmd_cc.h"

#include "base/environment.h"
#include "base/file.h"
#include "tools/cc_check.h"
#include "tools/cc_unit.h"
#include "tools/cc_words.h"
#include "tools/commands.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, LOG_LIMIT = 64 << 20 };

static void say_meaningless(const struct qn__cc *cc)
{
    struct qn__str text = {0};
    for (uint32_t i = 0; i < cc->meaningless.n; i++) {
        bool said = false;
        for (uint32_t k = 0; k < i && !said; k++)
            said = qn__equal(cc->meaningless.items[k], cc->meaningless.items[i]);
        if (!said)
            qn__str_printf(&text, " %s", cc->meaningless.items[i]);
    }
    if (text.len)
        fprintf(stderr,
                "quern cc: note: kernels are compiled for the device that runs them; no "
                "meaning here have%s\n",
                text.text);
    qn__str_release(&text);
}

/* nvcc's words for scripts that ask which version it is. */
static int print_version(void)
{
    printf("quern cc %s, a compiler of CUDA and HIP programs for any device\n"
           "serves the CUDA runtime API, release 12.4, V12.4.0\n",
           qn_version());
    return QN__EXIT_GOOD;
}

/* What is made of a source where -o does not say: main.o of main.cu, in the working folder. */
static char *object_name(const char *path, const char *suffix)
{
    const char *const base = qn__path_base(path), *const dot = strrchr(base, '.');
    struct qn__str name = {0};
    qn__str_add_bytes(&name, base, dot ? (size_t)(dot - base) : strlen(base));
    qn__str_add(&name, suffix);
    return qn__str_take(&name);
}

static bool compile_each(struct qn__cc_session *s)
{
    const struct qn__cc *const cc = s->cc;
    bool good = true;
    for (uint32_t i = 0; i < cc->n_inputs; i++) {
        const struct qn__cc_input *const input = &cc->inputs[i];
        if (input->language == QN__CC_OBJECT)
            continue;
        char *const own = cc->step == QN__CC_OBJECTS  ? object_name(input->path, ".o")
                          : cc->step == QN__CC_DEVICE ? object_name(input->path, cc->suffix)
                                                      : NULL;
        const char *const output = cc->output ? cc->output : own;
        good &= cc->step == QN__CC_DEVICE ? qn__cc_write_device(s, input, output)
                                          : qn__cc_compile(s, input, output);
        free(own);
    }
    return good;
}

/* ---- linking ---- */

/* The folder of the runtime library: beside the program (a build tree), or ../lib. NULL after
 * saying that there is none. */
static const char *library_folder(struct qn__cc_list *owned, const char *library)
{
    static const char *const below[] = {"", "/../lib", "/../lib64", "/../lib/x86_64-linux-gnu",
                                        "/../lib/aarch64-linux-gnu"};
    char program[PATH_BYTES];
    if (!qn__path_of_program(program, sizeof program)) {
        qn__complain(0, "cc: where this program lies is not known");
        return NULL;
    }
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        const char *const folder = qn__cc_text(owned, program, below[i]);
        if (qn__file_exists(qn__cc_text(owned, folder, library)))
            return folder;
    }
    qn__complain(0, "cc: no %s beside %s nor in ../lib: make install puts it there", library + 1,
                 program);
    return NULL;
}

static bool add_runtime(struct qn__cc_list *words, struct qn__cc_list *owned,
                        const struct qn__cc *cc)
{
    static const char *const static_words[] = {"-l:libquern-cudart.a",
                                               "-l:libquern.a",
                                               "-lsodium",
                                               "-lxxhash",
                                               "-lzstd",
                                               "-lpthread",
                                               "-ldl",
                                               "-lm"};
    const char *const folder =
        library_folder(owned, cc->is_static ? "/libquern-cudart.a" : "/libquern-cudart.so");
    if (!folder)
        return false;
    qn__cc_add(words, qn__cc_text(owned, "-L", folder));
    for (size_t i = 0; cc->is_static && i < sizeof static_words / sizeof *static_words; i++)
        qn__cc_add(words, static_words[i]);
    if (!cc->is_static) {
        qn__cc_add(words, "-lquern-cudart");
        qn__cc_add(words, qn__cc_text(owned, "-Wl,-rpath,", folder));
        qn__cc_add(words, "-lm");
    }
    return true;
}

/* The functions of CUDA's and HIP's that the linker did not find, each once. */
static void say_unserved(struct qn__cc_session *s, const char *log)
{
    static const char mark[] = "undefined reference to `";
    for (const char *p = log; (p = strstr(p, mark)) != NULL;) {
        p += sizeof mark - 1;
        size_t n = strcspn(p, "'(<");
        for (size_t i = 0; i < n; i++) /* of a template, behind the type of its result */
            if (p[i] == ' ') {
                p += i + 1;
                n -= i + 1;
                i = 0;
            }
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)n, p);
        const bool theirs = !strncmp(name, "cuda", 4) || !strncmp(name, "hip", 3) ||
                            !strncmp(name, "cu", 2) || !strncmp(name, "nv", 2);
        if (theirs && !qn__is_listed(s->unserved.items, s->unserved.n, name)) {
            qn__complain(0, "cc: %s is not served by Quern's runtime (docs/runtime-api.md)", name);
            qn__cc_text(&s->unserved, name, "");
        }
    }
}

/* How the program can be linked again, as CMake looks for it in what nvcc shows: with `-v` it takes
 * the linker and the architecture from these lines, the last of them, and links by itself. */
static void show_link(const struct qn__cc *cc, char *const *objects, const char *output)
{
    struct qn__cc_list owned = {0};
    const char *const folder =
        library_folder(&owned, cc->is_static ? "/libquern-cudart.a" : "/libquern-cudart.so");
    const char *const path = qn__getenv("PATH");
    if (folder) {
        fprintf(stderr, "#$ PATH=%s\n#$ ARCH=-arch compute_70\n#$ LIBRARIES=-L%s\n",
                path ? path : "", folder);
        fprintf(stderr, "#$ %s", cc->name);
        uint32_t input = 0;
        for (uint32_t i = 0; i < cc->linker.n; i++) {
            while (input < cc->n_inputs && cc->inputs[input].at < i)
                input++;
            fprintf(stderr, " %s", cc->linker.items[i] ? cc->linker.items[i] : objects[input]);
        }
        fprintf(stderr, " -L%s -o %s\n", folder, output);
    }
    qn__cc_texts_release(&owned);
}

static bool link_program(struct qn__cc_session *s, char *const *objects, const char *output)
{
    const struct qn__cc *const cc = s->cc;
    struct qn__cc_list words = {0}, owned = {0};
    const char *const log = qn__cc_text(&owned, s->temp, "/link.log");
    qn__cc_add(&words, cc->host_compiler ? cc->host_compiler : s->clang);
    if (!cc->host_compiler)
        qn__cc_add(&words, "--driver-mode=g++");
    if (cc->shared)
        qn__cc_add(&words, "-shared");
    uint32_t input = 0;
    for (uint32_t i = 0; i < cc->linker.n; i++) {
        while (input < cc->n_inputs && cc->inputs[input].at < i)
            input++;
        const char *const word = cc->linker.items[i] ? cc->linker.items[i] : objects[input];
        qn__cc_add(&words, cc->host_compiler ? word : qn__cc_clang_word(s, word));
    }
    const bool found = add_runtime(&words, &owned, cc);
    qn__cc_add(&words, "-o");
    qn__cc_add(&words, output);
    const bool good = found && qn__cc_run(cc, &words, log) == 0;
    if (good && cc->verbose && cc->name)
        show_link(cc, objects, output);
    char *text = NULL;
    size_t n;
    if (found && !cc->dry_run && qn__file_read(&text, &n, log, LOG_LIMIT) == QN_OK) {
        fputs(text, stderr);
        say_unserved(s, text);
    }
    free(text);
    qn__cc_texts_release(&owned);
    free(words.items);
    return good;
}

static bool build_program(struct qn__cc_session *s, const char *output)
{
    const struct qn__cc *const cc = s->cc;
    char **const objects = calloc(cc->n_inputs + 1, sizeof *objects);
    bool good = objects != NULL;
    for (uint32_t i = 0; good && i < cc->n_inputs; i++) {
        char name[32];
        if (cc->inputs[i].language == QN__CC_OBJECT)
            continue;
        snprintf(name, sizeof name, "object%u.o", (unsigned)i);
        objects[i] = qn__path_join(s->temp, name);
        good = objects[i] && qn__cc_compile(s, &cc->inputs[i], objects[i]);
    }
    good = good && link_program(s, objects, output);
    for (uint32_t i = 0; objects && i < cc->n_inputs; i++)
        free(objects[i]);
    free(objects);
    return good;
}

/* Builds the program to throw it away, and each device half by itself. */
static bool check_program(struct qn__cc_session *s)
{
    char *const program = qn__path_join(s->temp, "program");
    const bool good = program && build_program(s, program);
    free(program);
    return qn__cc_check_report(s, good);
}

/* ---- the command ---- */

static int run(struct qn__cc *cc, int argc, char *const *argv)
{
    struct qn__cc_session s;
    int status = qn__cc_words_read(cc, argc, argv);
    if (status != QN__EXIT_GOOD || cc->version) {
        qn__cc_words_release(cc);
        return status == QN__EXIT_GOOD ? print_version() : status;
    }
    say_meaningless(cc);
    bool good = qn__cc_session_open(&s, cc);
    if (good) {
        if (cc->step == QN__CC_CHECK)
            good = check_program(&s);
        else if (cc->step == QN__CC_LINK)
            good = build_program(&s, cc->output ? cc->output : "a.out");
        else
            good = compile_each(&s);
    }
    qn__cc_session_close(&s);
    qn__cc_words_release(cc);
    return good ? QN__EXIT_GOOD : QN__EXIT_FAILED;
}

int qn__cc_as(const char *name, int argc, char *const *argv)
{
    const char *const base = qn__path_base(name);
    struct qn__cc cc = {.hip = qn__equal(base, "hipcc"),
                        .name = qn__equal(base, "quern") ? NULL : name};
    return run(&cc, argc, argv);
}

static int run_words(int argc, char *const *argv)
{
    return qn__cc_as("quern", argc, argv);
}

/* For help, the man page and completion; cc_words.c reads them, and more. */
struct values {
    const char *output, *dialect, *std, *compiler, *cudart;
    struct qn__option_list files, targets, defines, includes, libraries, folders;
    bool objects, fatbin, check, json, verbose, shared;
};
static const struct qn__option options[] = {
    {.kind = QN__OPTION_OPERANDS,
     .value = "FILE",
     .offset = offsetof(struct values, files),
     .help = "sources (.cu, .hip, .cpp, .c), objects and libraries"},
    QN__TEXT(struct values, output, 'o', "output-file", "FILE", "what is written; default a.out"),
    QN__FLAG(struct values, objects, 'c', "compile", "an object of each source, no program"),
    QN__FLAG(struct values, fatbin, 0, "fatbin",
             "the kernels of each source in a file for cuModuleLoad(); -ptx and -cubin the same"),
    QN__LIST(struct values, defines, 'D', "define-macro", "NAME[=VALUE]", "define a macro"),
    QN__LIST(struct values, includes, 'I', "include-path", "DIR",
             "search this folder for #include"),
    QN__LIST(struct values, folders, 'L', "library-path", "DIR",
             "search this folder for libraries"),
    QN__LIST(struct values, libraries, 'l', "library", "NAME",
             "link with this library; CUDA's own are served"),
    QN__TEXT(struct values, std, 0, "std", "c++NN", "of both halves; default c++17"),
    QN__CHOICE(struct values, dialect, 0, "dialect", "cuda|hip",
               "hip: every C++ file may have kernels"),
    QN__LIST(struct values, targets, 0, "target", "TARGET",
             "put a finished image for it into the program as well, as quern compile makes it"),
    QN__CHOICE(struct values, cudart, 0, "cudart", "shared|static",
               "how the runtime library is linked; default shared"),
    QN__TEXT(
        struct values, compiler, 0, "ccbin", "PROGRAM",
        "compiler of files without kernels, and linker; default g++ or gcc, and clang to link"),
    QN__FLAG(struct values, shared, 0, "shared", "make a shared library"),
    QN__FLAG(struct values, check, 0, "check",
             "build nothing; say what the program needs and this machine lacks"),
    QN__FLAG(struct values, json, 0, "json", "with --check: print JSON"),
    QN__FLAG(struct values, verbose, 'v', "verbose", "show the commands that are run"),
};

const struct qn__command qn__cmd_cc = {
    .name = "cc",
    .brief = "build a whole CUDA or HIP program that runs on any device",
    .about =
        "The host half is compiled by clang; the device half stays in the program as source, with "
        "every file that it includes, and is compiled for the device when the program first needs "
        "it, through the kernel cache. QUERN_DEVICE chooses the device when the program runs.\n\n"
        "nvcc's and hipcc's options are taken; those that mean nothing here are named once. Under "
        "the name nvcc or hipcc (a link to quern) it is that compiler. docs/cc.md has the rest, "
        "docs/runtime-api.md what of the CUDA runtime is served; a call that is not is an error of "
        "the linker that names it.",
    .sample = "cc app.cu -o app\n"
              "cc -O2 -std=c++20 -Iinclude main.cu kernels.cu host.cpp -o app\n"
              "cc --check app.cu",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run_words = run_words,
};
