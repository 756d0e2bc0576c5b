/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads src->defines and src->options from left to right into a small record, then prints the
 * record. Both one and two dashes are taken, "-D NAME" and "-DNAME", and nvcc's long spellings. */
#include "rtc/source/compile_options.h"

#include "base/str.h"
#include "base/translate_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct macro {
    const char *name;
    size_t name_n;
    const char *value; /* NULL: undefined */
};

struct record {
    struct qn__arena *arena;
    char std[16];
    char level;
    enum qn__lines lines;
    const char *dump_after; /* a pass of the translator's, or NULL */
    bool debug, fast_math, no_fmad, wide_integers, keep_going, no_warnings, all_warnings;
    uint32_t registers;
    struct macro *macros;
    uint32_t n_macros;
    const char **dirs;
    uint32_t n_dirs;
};

static qn_status malformed(const char *option, const char *want)
{
    return qn__fail(QN_E_INVALID, "option '%s': %s", option, want);
}

/* The last state of a macro wins. text: NAME, NAME=VALUE; for -U only NAME. */
static qn_status set_macro(struct record *r, const char *text, bool define)
{
    const size_t n =
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    const bool named = n > 0 && !(text[0] >= '0' && text[0] <= '9');
    /* NAME(args)=VALUE is a macro with parameters; compilers take it as it is */
    const size_t end = define && text[n] == '(' ? strcspn(text, ")") + 1 : n;
    if (!named || end > strlen(text) || (text[end] && (!define || text[end] != '=')))
        return qn__fail(QN_E_INVALID, "macro '%s': expected NAME%s", text,
                        define ? " or NAME=VALUE" : "");
    struct macro *m = NULL;
    for (uint32_t i = 0; i < r->n_macros; i++)
        if (r->macros[i].name_n == end && memcmp(r->macros[i].name, text, end) == 0)
            m = &r->macros[i];
    if (!m)
        m = &r->macros[r->n_macros++];
    *m = (struct macro){text, end, define ? (text[end] ? text + end + 1 : "1") : NULL};
    return QN_OK;
}

static bool is_standard(const char *name)
{
    static const char *const known[] = {"c++11", "c++14", "c++17", "c++20", "c++23"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i], name) == 0)
            return true;
    return false;
}

static qn_status read_registers(struct record *r, const char *option, const char *text)
{
    char *end;
    const unsigned long v = strtoul(text, &end, 10);
    if (end == text || *end || v == 0 || v > 255)
        return malformed(option, "expected a number of registers from 1 to 255");
    r->registers = (uint32_t)v;
    return QN_OK;
}

/* Does a compiler write a file beside the image for this option of nvcc's, NVRTC's or clang's? */
static bool writes_files(const char *option)
{
    static const char *const names[] = {"-o",
                                        "-MD",
                                        "-MMD",
                                        "-MF",
                                        "-MJ",
                                        "-save-temps",
                                        "-keep",
                                        "-keep-dir",
                                        "-time",
                                        "-fdevice-time-trace",
                                        "-ftime-trace",
                                        "-pch",
                                        "-create-pch",
                                        "-pch-dir",
                                        "-emit-pch",
                                        "-fsave-optimization-record",
                                        "-foptimization-record-file",
                                        "-serialize-diagnostics",
                                        "-gsplit-dwarf",
                                        "-fstack-usage",
                                        "-ftest-coverage",
                                        "-coverage"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t n = strlen(names[i]);
        if (strncmp(option, names[i], n) == 0 && (!option[n] || option[n] == '='))
            return true;
    }
    return false;
}

/* A cached image would come without the files, and whether there is one is not known here. */
static qn_status refuse(const char *option, const char *o)
{
    if (writes_files(o))
        return malformed(option, "writes files, which no image from a cache or bundle brings "
                                 "along; leave it out (quern compile --raw -o DIR writes what was "
                                 "compiled)");
    return malformed(option, "not known; known are -std=, -O0 to -O3, -g, --use_fast_math, "
                             "--fmad=false, --maxrregcount=N, --device-int128, --keep-going, "
                             "--lines=, -D, -U, -I, -w and -Wall");
}

/* One option; *used is how many words it took. next: the word after it, or NULL. */
static qn_status read_option(struct record *r, const char *option, const char *next, uint32_t *used)
{
    const char *o = option;
    *used = 1;
    if (o[0] == '-' && o[1] == '-')
        o++;
    if (qn__starts_with(o, "-D") || qn__starts_with(o, "-U") || qn__starts_with(o, "-I")) {
        const char *text = o[2] ? o + 2 : next;
        if (!text || !text[0])
            return malformed(option, "expected a value");
        *used = o[2] ? 1 : 2;
        if (o[1] != 'I')
            return set_macro(r, text, o[1] == 'D');
        r->dirs[r->n_dirs++] = text;
        return QN_OK;
    }
    if (qn__starts_with(o, "-std=")) {
        if (!is_standard(o + 5))
            return malformed(option, "expected -std=c++11, 14, 17, 20 or 23");
        memcpy(r->std, o + 5, strlen(o + 5) + 1);
    } else if (o[0] == '-' && o[1] == 'O' && o[2] >= '0' && o[2] <= '3' && !o[3]) {
        r->level = o[2];
    } else if (strcmp(o, "-g") == 0 || strcmp(o, "-lineinfo") == 0) {
        r->debug = true;
    } else if (strcmp(o, "-use_fast_math") == 0 || strcmp(o, "-ffast-math") == 0) {
        r->fast_math = true;
    } else if (strcmp(o, "-fmad=false") == 0 || strcmp(o, "-fmad=true") == 0) {
        r->no_fmad = o[6] == 'f';
    } else if (strcmp(o, "-device-int128") == 0) {
        r->wide_integers = true;
    } else if (qn__starts_with(o, "-maxrregcount=")) {
        return read_registers(r, option, o + 14);
    } else if (strcmp(o, "-keep-going") == 0) {
        r->keep_going = true;
    } else if (qn__starts_with(o, "-lines=")) {
        return qn__lines_parse(&r->lines, o + 7)
                   ? QN_OK
                   : qn__fail(QN_E_INVALID, "option '%s': expected --lines=%s", option,
                              qn__lines_words + 1);
    } else if (qn__starts_with(o, "-dump-after=")) {
        r->dump_after = o + 12;
    } else if (strcmp(o, "-w") == 0) {
        r->no_warnings = true;
    } else if (strcmp(o, "-Wall") == 0) {
        r->all_warnings = true;
    } else {
        return refuse(option, o);
    }
    return QN_OK;
}

/* -- printing the record -- */

static int by_name(const void *a, const void *b)
{
    const struct macro *x = a, *y = b;
    const size_t n = x->name_n < y->name_n ? x->name_n : y->name_n;
    const int order = memcmp(x->name, y->name, n);
    return order ? order : (x->name_n > y->name_n) - (x->name_n < y->name_n);
}

static qn_status print_record(struct qn__compile_options *out, struct record *r)
{
    struct qn__arena *a = r->arena;
    const char **list = QN__ARENA_ARRAY(a, const char *, (size_t)r->n_macros + 11);
    uint32_t n = 0;
    bool ok = list != NULL;
    if (ok) {
        list[n++] = qn__arena_join(a, "-std=", r->std);
        list[n++] = qn__arena_join(a, "-O", (const char[]){r->level, 0});
        if (r->debug)
            list[n++] = "-g";
        if (r->fast_math)
            list[n++] = "-use_fast_math";
        if (r->no_fmad)
            list[n++] = "-fmad=false";
        if (r->wide_integers)
            list[n++] = "-device-int128";
        if (r->keep_going)
            list[n++] = "-keep-going";
        if (r->no_warnings || r->all_warnings)
            list[n++] = r->no_warnings ? "-w" : "-Wall";
        if (r->lines != 0)
            list[n++] = qn__arena_join(a, "-lines=", qn__lines_word(r->lines));
        if (r->dump_after)
            list[n++] = qn__arena_join(a, "-dump-after=", r->dump_after);
        if (r->registers)
            list[n++] = qn__arena_printf(a, "-maxrregcount=%u", r->registers);
        qsort(r->macros, r->n_macros, sizeof *r->macros, by_name);
        for (uint32_t i = 0; i < r->n_macros; i++) {
            const struct macro *m = &r->macros[i];
            list[n++] = m->value
                            ? qn__arena_printf(a, "-D%.*s=%s", (int)m->name_n, m->name, m->value)
                            : qn__arena_printf(a, "-U%.*s", (int)m->name_n, m->name);
        }
    }
    for (uint32_t i = 0; ok && i < n; i++)
        ok = list[i] != NULL;
    if (!ok)
        return qn__fail(QN_E_MEMORY, "no memory for compiler options");
    out->shaping = list;
    out->n_shaping = n;
    out->dumps = r->dump_after != NULL;
    out->include_dirs = r->dirs;
    out->n_include_dirs = r->n_dirs;
    return QN_OK;
}

qn_status qn__compile_options_read(struct qn__compile_options *out, struct qn__arena *arena,
                                   const qn_source *src)
{
    *out = (struct qn__compile_options){0};
    struct record r = {
        .arena = arena,
        .std = "c++17",
        .level = '3',
        .macros = QN__ARENA_ARRAY(arena, struct macro, (size_t)src->n_defines + src->n_options),
        .dirs = QN__ARENA_ARRAY(arena, const char *, (size_t)src->n_include_dirs + src->n_options),
    };
    if (!r.macros || !r.dirs)
        return qn__fail(QN_E_MEMORY, "no memory for compiler options");
    for (uint32_t i = 0; i < src->n_include_dirs; i++)
        r.dirs[r.n_dirs++] = src->include_dirs[i];
    for (uint32_t i = 0; i < src->n_defines; i++)
        QN_TRY(set_macro(&r, src->defines[i], true));
    for (uint32_t i = 0, used; i < src->n_options; i += used)
        QN_TRY(read_option(&r, src->options[i], i + 1 < src->n_options ? src->options[i + 1] : NULL,
                           &used));
    return print_record(out, &r);
}
