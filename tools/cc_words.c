/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading words for `quern cc` by the table cc_options.def. */
#include "tools/cc_words.h"

#include "base/file.h"
#include "base/str.h"
#include "tools/commands.h"
#include "tools/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum form { ALONE, VALUE, JOINED, OPTIONAL, PREFIX };
enum action {
    HOST,
    DEVICE,
    BOTH,
    LINKER,
    COMPILE_AND_LINK,
    NOTHING,
    QUIET,
    OUTPUT,
    OBJECTS,
    RELOCATABLE_OBJECTS,
    PREPROCESS,
    DEVICE_HALF,
    LIST_FILES,
    LANGUAGE,
    SHARED,
    FILE_OF_WORDS,
    DEFINE,
    UNDEFINE,
    INCLUDE,
    FORCED,
    STANDARD,
    FAST,
    RDC,
    RDC_ON,
    HOST_COMPILER,
    HOST_WORDS,
    HOST_PAIR,
    LINKER_WORDS,
    LIBRARY,
    CUDART,
    DEFAULT_STREAM,
    VERBOSE,
    DRY_RUN,
    VERSION,
    DIALECT,
    TARGET,
    CHECK,
    JSON,
};
static const struct row {
    const char *name;
    enum form form;
    enum action action;
    const char *to;
} rows[] = {
#define QN_CC(name, form, action, to) {name, form, action, to},
#include "tools/cc_options.def"
#undef QN_CC
};

/* Libraries that ours serves, or that have no meaning without NVIDIA's driver. */
static const char *const served[] = {
    "cudart",        "cudart_static", "cudadevrt",    "cuda",           "culibos", "amdhip64",
    "hip_hcc",       "nvToolsExt",    "cublas",       "cublas_static",  "hipblas", "curand",
    "curand_static", "nvrtc",         "nvrtc_static", "nvrtc-builtins", "hiprtc"};

void qn__cc_add(struct qn__cc_list *list, const char *item)
{
    const char **const grown = realloc(list->items, (list->n + (size_t)1) * sizeof *grown);
    if (!grown) {
        qn__complain(0, "cc: out of memory");
        exit(QN__EXIT_FAILED);
    }
    list->items = grown;
    list->items[list->n++] = item;
}

/* A text that lives as long as the command line. */
static const char *keep(struct qn__cc *cc, const char *a, const char *b)
{
    struct qn__str text = {0};
    qn__str_add(&text, a);
    qn__str_add(&text, b);
    char *const kept = qn__str_take(&text);
    qn__cc_add(&cc->owned, kept ? kept : "");
    return cc->owned.items[cc->owned.n - 1];
}

struct words {
    struct qn__cc *cc;
    enum qn__cc_language language; /* of -x */
    bool failed;
};

static void wrong(struct words *w, const char *format, const char *what)
{
    if (!w->failed)
        qn__complain(0, format, what); /* the formats are ours */
    w->failed = true;
}

/* ---- files ---- */

static enum qn__cc_language language_of(const char *path)
{
    static const struct {
        const char *suffix;
        enum qn__cc_language language;
    } suffixes[] = {{".cu", QN__CC_KERNELS}, {".hip", QN__CC_KERNELS}, {".cpp", QN__CC_CXX},
                    {".cc", QN__CC_CXX},     {".cxx", QN__CC_CXX},     {".C", QN__CC_CXX},
                    {".c++", QN__CC_CXX},    {".c", QN__CC_C},         {".o", QN__CC_OBJECT},
                    {".a", QN__CC_OBJECT},   {".so", QN__CC_OBJECT},   {".obj", QN__CC_OBJECT},
                    {".lo", QN__CC_OBJECT}};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (qn__ends_with(path, suffixes[i].suffix))
            return suffixes[i].language;
    return strstr(path, ".so.") ? QN__CC_OBJECT : QN__CC_NONE;
}

static void add_file(struct words *w, const char *path)
{
    struct qn__cc *const cc = w->cc;
    enum qn__cc_language language = w->language ? w->language : language_of(path);
    if (language == QN__CC_CXX && cc->hip) /* hipcc takes kernels from any C++ file */
        language = QN__CC_KERNELS;
    if (language == QN__CC_NONE) {
        wrong(w, "cc: %s: not a source, object or library by its name (-x cu says it is)", path);
        return;
    }
    struct qn__cc_input *const grown =
        realloc(cc->inputs, (cc->n_inputs + (size_t)1) * sizeof *grown);
    if (!grown) {
        wrong(w, "cc: %s: out of memory", path);
        return;
    }
    cc->inputs = grown;
    cc->inputs[cc->n_inputs++] = (struct qn__cc_input){path, language, cc->linker.n};
    qn__cc_add(&cc->linker, language == QN__CC_OBJECT ? path : NULL);
}

/* ---- options ---- */

static void set_language(struct words *w, const char *value)
{
    if (!strcmp(value, "cu") || !strcmp(value, "cuda") || !strcmp(value, "hip"))
        w->language = QN__CC_KERNELS;
    else if (!strcmp(value, "c++"))
        w->language = QN__CC_CXX;
    else if (!strcmp(value, "c"))
        w->language = QN__CC_C;
    else if (!strcmp(value, "none"))
        w->language = QN__CC_NONE;
    else
        wrong(w, "cc: -x %s: not cu, hip, c++, c or none", value);
}

/* "-a,-b" and "-a -b": nvcc takes both for several words. */
static void add_words(struct words *w, struct qn__cc_list *to, const char *value, const char *front)
{
    char *const copy = (char *)(uintptr_t)keep(w->cc, value, "");
    const char *const ends = strncmp(value, "-Wl,", 4) == 0 ? " " : ", ";
    for (char *p = strtok(copy, ends); p; p = strtok(NULL, ends)) {
        if (front)
            qn__cc_add(to, front);
        qn__cc_add(to, p);
    }
}

static void add_library(struct words *w, const char *name)
{
    for (size_t i = 0; i < sizeof served / sizeof *served; i++)
        if (!strcmp(name, served[i]))
            return;
    qn__cc_add(&w->cc->linker, keep(w->cc, "-l", name));
}

static void read_words(struct words *w, int argc, char *const *argv);

/* Words of a file, between blanks and in quotes. */
static void read_file(struct words *w, const char *path)
{
    char *bytes, **words = NULL;
    size_t n;
    int count = 0;
    if (qn__file_read(&bytes, &n, path, 1 << 20) != QN_OK) {
        qn__complain_status("cc");
        w->failed = true;
        return;
    }
    qn__cc_add(&w->cc->owned, bytes);
    for (char *p = bytes; *p;) {
        p += strspn(p, " \t\r\n");
        const bool quoted = *p == '"' || *p == '\'';
        char *const end = quoted ? strchr(p + 1, *p) : p + strcspn(p, " \t\r\n");
        if (!*p || !end)
            break;
        char **const grown = realloc(words, (count + (size_t)1) * sizeof *grown);
        if (!grown)
            break;
        words = grown;
        words[count++] = p + quoted;
        p = *end ? end + 1 : end;
        *end = 0;
    }
    read_words(w, count, words);
    free(words);
}

static void set_rdc(struct words *w, const char *value)
{
    if (!strcmp(value, "true"))
        w->cc->relocatable = true;
    else if (strcmp(value, "false") != 0)
        wrong(w, "cc: -rdc=%s: neither true nor false", value);
}

static void choose(struct words *w, bool *to, const char *value, const char *yes, const char *no,
                   const char *complaint)
{
    *to = !strcmp(value, yes);
    if (!*to && strcmp(value, no) != 0)
        wrong(w, complaint, value);
}

/* `whole` is the option as it was written. */
static void act(struct words *w, const struct row *r, const char *whole, const char *value)
{
    struct qn__cc *const cc = w->cc;
    const char *const text =
        r->to && r->action != DEVICE_HALF ? keep(cc, r->to, value ? value : "") : whole;
    switch (r->action) {
    case HOST: qn__cc_add(&cc->host, text); break;
    case DEVICE: qn__cc_add(&cc->device, text); break;
    case BOTH:
        qn__cc_add(&cc->host, text);
        qn__cc_add(&cc->device, text);
        break;
    case LINKER: qn__cc_add(&cc->linker, text); break;
    case COMPILE_AND_LINK:
        qn__cc_add(&cc->host, text);
        qn__cc_add(&cc->linker, text);
        break;
    case NOTHING: qn__cc_add(&cc->meaningless, whole); break;
    case QUIET: break;
    case OUTPUT: cc->output = value; break;
    case OBJECTS: cc->step = QN__CC_OBJECTS; break;
    case RELOCATABLE_OBJECTS:
        cc->step = QN__CC_OBJECTS;
        cc->relocatable = true;
        break;
    case PREPROCESS: cc->step = QN__CC_PREPROCESS; break;
    case DEVICE_HALF:
        cc->step = QN__CC_DEVICE;
        cc->suffix = r->to;
        break;
    case LIST_FILES:
        cc->step = QN__CC_PREPROCESS;
        qn__cc_add(&cc->host, whole);
        break;
    case LANGUAGE: set_language(w, value); break;
    case SHARED: cc->shared = true; break;
    case FILE_OF_WORDS: read_file(w, value); break;
    case DEFINE: qn__cc_add(&cc->defines, value); break;
    case UNDEFINE:
        qn__cc_add(&cc->host, keep(cc, "-U", value));
        qn__cc_add(&cc->device, keep(cc, "-U", value));
        break;
    case INCLUDE: qn__cc_add(&cc->includes, value); break;
    case FORCED: qn__cc_add(&cc->forced, value); break;
    case STANDARD: cc->std = value; break;
    case FAST:
        qn__cc_add(&cc->host, whole);
        qn__cc_add(&cc->device, "--use_fast_math");
        break;
    case RDC: set_rdc(w, value); break;
    case RDC_ON: cc->relocatable = true; break;
    case HOST_COMPILER: cc->host_compiler = value; break;
    case HOST_WORDS: add_words(w, &cc->host, value, NULL); break;
    case HOST_PAIR:
        qn__cc_add(&cc->host, r->to);
        qn__cc_add(&cc->host, value);
        break;
    case LINKER_WORDS: add_words(w, &cc->linker, value, "-Xlinker"); break;
    case LIBRARY: add_library(w, value); break;
    case CUDART:
        if (!strcmp(value, "none"))
            wrong(w, "cc: -cudart=%s: the program needs a runtime; shared or static", value);
        else
            choose(w, &cc->is_static, value, "static", "shared",
                   "cc: -cudart=%s: neither shared nor static");
        break;
    case DEFAULT_STREAM:
        if (strcmp(value, "legacy") != 0)
            wrong(w, "cc: --default-stream=%s: only legacy is served", value);
        break;
    case VERBOSE: cc->verbose = true; break;
    case DRY_RUN: cc->verbose = cc->dry_run = true; break;
    case VERSION: cc->version = true; break;
    case DIALECT:
        choose(w, &cc->hip, value, "hip", "cuda", "cc: --dialect %s: neither cuda nor hip");
        break;
    case TARGET: qn__cc_add(&cc->targets, value); break;
    case CHECK: cc->step = QN__CC_CHECK; break;
    case JSON: cc->json = true; break;
    }
}

/* Fits the row, which has no dashes? Two stand in front of words, not of letters. *value: what is
 * joined to it, or NULL. */
static bool fits(const struct row *r, const char *word, const char **value)
{
    const bool two_dashes = word[1] == '-';
    const size_t n = strlen(r->name);
    *value = NULL;
    if (two_dashes && (r->form == PREFIX || n == 1))
        return false;
    word += 1 + two_dashes;
    if (strncmp(word, r->name, n) != 0)
        return false;
    const char *const rest = word + n;
    if (*rest == 0)
        return true;
    if (r->form == PREFIX)
        return true;
    if (*rest == '=' && r->form != ALONE) {
        *value = rest + 1;
        return true;
    }
    *value = rest;
    return r->form == JOINED;
}

static void read_words(struct words *w, int argc, char *const *argv)
{
    for (int i = 0; i < argc && !w->failed; i++) {
        const char *const word = argv[i];
        if (word[0] == '@') {
            read_file(w, word + 1);
            continue;
        }
        if (word[0] != '-' || !word[1]) {
            add_file(w, word);
            continue;
        }
        const char *value;
        const struct row *found = NULL;
        for (size_t r = 0; r < sizeof rows / sizeof *rows && !found; r++)
            if (fits(&rows[r], word, &value))
                found = &rows[r];
        if (!found) {
            wrong(w,
                  "cc: %s: no such option ('quern help cc' lists them; -Xcompiler passes one on)",
                  word);
            return;
        }
        if (!value && (found->form == VALUE || found->form == JOINED)) {
            if (i + 1 == argc) {
                wrong(w, "cc: %s needs a value", word);
                return;
            }
            value = argv[++i];
        }
        act(w, found, word, value);
    }
}

/* The dialect decides how files are taken, wherever it stands. */
static bool is_hip(int argc, char *const *argv)
{
    for (int i = 0; i < argc; i++)
        if (!strcmp(argv[i], "--dialect=hip") || !strcmp(argv[i], "-dialect=hip") ||
            ((!strcmp(argv[i], "--dialect") || !strcmp(argv[i], "-dialect")) && i + 1 < argc &&
             !strcmp(argv[i + 1], "hip")))
            return true;
    return false;
}

int qn__cc_words_read(struct qn__cc *out, int argc, char *const *argv)
{
    struct words w = {.cc = out};
    out->hip = out->hip || is_hip(argc, argv);
    read_words(&w, argc, argv);
    qn__cc_add(&out->defines, "__QUERN_CC__"); /* the stand-in headers define what has to run */
    if (!w.failed && !out->version && out->n_inputs == 0)
        wrong(&w, "%s", "cc: no files to compile or link");
    if (!w.failed && out->output && out->step != QN__CC_LINK && out->n_inputs > 1)
        wrong(&w, "cc: -o %s with several files and no program to link", out->output);
    if (!w.failed && out->json && out->step != QN__CC_CHECK)
        wrong(&w, "%s", "cc: --json goes with --check alone");
    return w.failed ? QN__EXIT_USAGE : QN__EXIT_GOOD;
}

void qn__cc_words_release(struct qn__cc *cc)
{
    struct qn__cc_list *const lists[] = {&cc->targets, &cc->defines,    &cc->includes,
                                         &cc->forced,  &cc->device,     &cc->host,
                                         &cc->linker,  &cc->meaningless};
    for (uint32_t i = 0; i < cc->owned.n; i++)
        free((char *)(uintptr_t)cc->owned.items[i]);
    free(cc->owned.items);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        free(lists[i]->items);
    free(cc->inputs);
}
