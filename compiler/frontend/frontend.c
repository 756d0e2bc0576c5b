/* SPDX-License-Identifier: Apache-2.0
 *
 * Front end: CUDA/HIP C++ to LLVM IR, by running clang in a temporary folder (source_files.c).
 *
 * Nothing but the request's files and our stand-in headers is read: what is installed on a machine,
 * and what clang finds in its environment, must make no difference to a translation. A program has
 * a host half, though, and that may use anything. So where clang finds errors it reads the files
 * again, each time with more around them:
 *
 *     the stand-ins that the files mention
 *     all of them: a name may be put together by the preprocessor
 *     what nvcc includes on its own, and what it takes and clang does not, put right (dialect.c)
 *     the machine's own C and C++ headers in place of ours; the result then depends on them, and
 *         says so (machine_headers)
 *     includes that lead nowhere and host code that still does not parse are left out with a
 *         warning (absent_headers.c, host_code.c)
 *
 * A program of several files is read file by file (source_program.c), and as one where they do not
 * stand alone.
 *
 * Where a kernel that must be there still needs what ours for CUB, Thrust and libcu++ lack, or uses
 * CUB's operations of a block or a warp, and the request knows a CUDA toolkit's folder, all of it
 * is read once more with the toolkit's headers in their place (toolkit.c); the result then depends
 * on those, and says so.
 *
 * Everything clang says names files below <temp>/src; those prefixes are taken off again, so that
 * diagnostics, __FILE__ and debug information hold the user's names and nothing of the temporary
 * folder.
 */
#include "compiler/frontend/frontend.h"

#include "base/file.h"
#include "compiler/frontend/absent_headers.h"
#include "compiler/frontend/clang.h"
#include "compiler/frontend/clang_log.h"
#include "compiler/frontend/command_line.h"
#include "compiler/frontend/constant_shifts.h"
#include "compiler/frontend/dialect.h"
#include "compiler/frontend/host_code.h"
#include "compiler/frontend/machine_headers.h"
#include "compiler/frontend/search_folders.h"
#include "compiler/frontend/source_files.h"
#include "compiler/frontend/source_program.h"
#include "compiler/frontend/toolkit.h"

#include <llvm-c/BitReader.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT_LIMIT = 512 << 20 };

struct frontend {
    struct qn__unit *unit;
    const char *clang, *temp, *source;
    struct qn__host_code host;
    struct qn__dialect dialect;
    const char *before; /* clang's log before device code was left out; NULL: none was */
    const struct qn__clang_error *why_machine; /* what our headers led to; NULL: they suffice */
    bool asks_machine;                         /* its headers were tried */
    bool lacks_library;                        /* it has none */
    struct qn__machine_files folders;          /* where clang looks for them, once that was asked */
    uint32_t n_errors_before;          /* of device code, in files of the program before this one */
    bool reads_toolkit, wants_toolkit; /* its headers of CUB and the like; they would be read */
    const char *why_toolkit;           /* what ours led to; NULL: they suffice */
    const char *why_ours;              /* what its own led to; NULL: none is known */
};

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

/* Where clang refuses what NVIDIA's compiler takes: why it stays refused, once, at the same place.
 */
static void add_reasons(struct qn__unit *u)
{
    const char *notes = "";
    const char *line = u->diagnostics.text ? u->diagnostics.text : "";
    for (; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const int n = (int)strcspn(line, "\n");
        const char *const error = strstr(line, ": error: ");
        const char *const reason =
            error && error < line + n ? qn__clang_error_reason(qn__text(u, "%.*s", n, line)) : NULL;
        if (reason && !strstr(notes, reason))
            notes = qn__text(u, "%s%.*s: note: %s\n", notes, (int)(error - line), line, reason);
    }
    qn__str_add(&u->diagnostics, notes);
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

/* One run of clang. */
struct attempt {
    enum qn__headers headers;
    int code;
    const char *log;
    struct qn__clang_error *errors;
    uint32_t n_errors;
};

static qn_status attempt(struct frontend *fe, struct attempt *out, enum qn__headers headers,
                         const char *header)
{
    struct qn__unit *const u = fe->unit;
    struct qn__command command;
    const char *const log = qn__text(u, "%s/log", fe->temp);
    char *raw = NULL;
    size_t n;
    *out = (struct attempt){.headers = headers};
    QN_TRY(qn__command_line(u, &command, fe->clang, headers, header, &fe->dialect, fe->temp,
                            fe->source));
    QN_TRY(qn__clang_run(&out->code, command.argv, log));
    QN_TRY(qn__file_read(&raw, &n, log, OUTPUT_LIMIT));
    out->log = qn__arena_strndup(u->arena, raw, n);
    free(raw);
    if (!out->log)
        return qn__fail(QN_E_MEMORY, "out of memory");
    out->errors = qn__clang_errors(u, out->log, fe->source, &out->n_errors);
    if (out->code >= 128 || (out->code != 0 && out->n_errors == 0))
        return qn__fail(QN_E_COMPILER, "%s: exit status %d: %.200s", fe->clang, out->code,
                        out->log);
    return QN_OK;
}

static bool misses_header(const struct attempt *a)
{
    for (uint32_t i = 0; i < a->n_errors; i++)
        if (qn__is_absent_header(&a->errors[i]))
            return true;
    return false;
}

static bool stops_at_include(const struct attempt *a)
{
    for (uint32_t i = 0; i < a->n_errors; i++)
        if (a->errors[i].by_include)
            return true;
    return misses_header(a);
}

/* Fewer errors are better, unless clang gave up early. */
static bool is_better(const struct attempt *a, const struct attempt *than)
{
    const bool misses[2] = {misses_header(a), misses_header(than)};
    return misses[0] == misses[1] ? a->n_errors < than->n_errors : misses[1];
}

/* Once more, after files were changed. */
static qn_status attempt_again(struct frontend *fe, struct attempt *out, enum qn__headers headers,
                               const char *header)
{
    for (uint32_t i = 0; i < fe->unit->request->n_files; i++)
        if (fe->host.files[i].changed)
            QN_TRY(qn__write_source(fe->unit, i, &fe->host.files[i], fe->source));
    return attempt(fe, out, headers, header);
}

/* What keeps all of the code: includes that lead nowhere go, and NVIDIA's dialect is written as
 * clang takes it. `changed`: there is some of that in these errors. */
static qn_status repair(struct frontend *fe, bool *changed, const struct attempt *a)
{
    struct qn__unit *const u = fe->unit;
    if (misses_header(a) && !fe->folders.n_folders)
        QN_TRY(qn__search_folders(&fe->folders, u->arena, fe->clang, fe->temp));
    *changed = qn__absent_header_leave_out(u, &fe->host, &fe->folders, a->errors, a->n_errors) ||
               qn__dialect_rewrite(u, &fe->dialect, fe->host.files, a->errors, a->n_errors);
    return QN_OK;
}

/* With what NVIDIA's compiler takes and clang does not written as clang takes it. `again`: once
 * more even if nothing was. */
static qn_status attempt_rewritten(struct frontend *fe, struct attempt *a, enum qn__headers headers,
                                   bool again)
{
    for (int i = 0; a->code != 0; i++) { /* qn__dialect_rewrite() comes to an end */
        const bool changed =
            qn__dialect_rewrite(fe->unit, &fe->dialect, fe->host.files, a->errors, a->n_errors);
        if (!changed && (i > 0 || !again))
            break;
        QN_TRY(attempt_again(fe, a, headers, NULL));
    }
    return QN_OK;
}

/* As NVIDIA's compiler reads it: also with what it includes on its own. */
static qn_status try_as_nvcc(struct frontend *fe, struct attempt *best)
{
    struct attempt a = *best;
    QN_TRY(qn__write_headers(fe->unit, fe->temp, QN__STANDINS_ALL));
    QN_TRY(attempt_rewritten(fe, &a, QN__OUR_HEADERS_AS_NVCC, !misses_header(&a)));
    if (a.code == 0 || fe->dialect.allows_jumps || is_better(&a, best))
        *best = a;
    return QN_OK;
}

/* With the machine's headers, if the files include any; `best` stays where that leads no further.
 * An include that leads nowhere in them leads nowhere in ours either. */
static qn_status try_machine(struct frontend *fe, struct attempt *best)
{
    struct attempt a;
    bool changed = true;
    if (!qn__includes_library(fe->unit))
        return QN_OK;
    fe->asks_machine = true;
    QN_TRY(qn__write_headers(fe->unit, fe->temp, QN__STANDINS_ALL));
    QN_TRY(attempt(fe, &a, QN__MACHINE_HEADERS, NULL));
    fe->lacks_library =
        misses_header(&a) && a.errors[a.n_errors - 1].file == fe->unit->request->n_files;
    while (changed && a.code != 0) {
        QN_TRY(repair(fe, &changed, &a));
        if (changed)
            QN_TRY(attempt_again(fe, &a, QN__MACHINE_HEADERS, NULL));
    }
    if (!fe->lacks_library && is_better(&a, best)) {
        fe->why_machine = best->errors;
        *best = a;
    }
    return QN_OK;
}

/* Without a kernel all of a source is host code, and leaving it out would leave nothing. */
static bool has_kernel(const struct frontend *fe)
{
    for (uint32_t i = 0; i < fe->unit->request->n_files; i++)
        if (strstr(fe->host.files[i].text, "__global__"))
            return true;
    return false;
}

/* Host code with errors goes, until none is left. The errors of `first` are what is reported where
 * that does not lead to the end: those that clang meets once it is past the includes. */
static qn_status try_without_host_code(struct frontend *fe, struct attempt *first)
{
    struct qn__unit *const u = fe->unit;
    struct attempt a = *first;
    if (a.headers != QN__TOOLKIT_HEADERS)
        QN_TRY(qn__write_headers(u, fe->temp, QN__STANDINS_ALL));
    fe->host.takes_device_code = u->keep_going || u->request->n_names > 0;
    while (a.code != 0) {
        bool changed;
        QN_TRY(repair(fe, &changed, &a));
        if (!changed &&
            (misses_header(&a) || !qn__host_code_leave_out(u, &fe->host, a.errors, a.n_errors)))
            break;
        QN_TRY(attempt_again(fe, &a, first->headers, QN__LEFT_OUT_HEADER));
        if (stops_at_include(first))
            *first = a;
    }
    if (a.code == 0) {
        fe->before = u->n_device_errors ? first->log : NULL;
        *first = a;
    }
    return QN_OK;
}

static qn_status attempts(struct frontend *fe, struct attempt *best)
{
    struct qn__unit *const u = fe->unit;
    QN_TRY(qn__write_sources(u, fe->host.files, fe->temp, fe->source));
    QN_TRY(qn__write_headers(u, fe->temp, QN__STANDINS_MENTIONED));
    QN_TRY(attempt(fe, best, QN__OUR_HEADERS, NULL));
    if (best->code != 0 && !misses_header(best)) {
        QN_TRY(qn__write_headers(u, fe->temp, QN__STANDINS_INCLUDED));
        QN_TRY(attempt(fe, best, QN__OUR_HEADERS, NULL));
    }
    if (best->code != 0)
        QN_TRY(try_as_nvcc(fe, best));
    if (best->code != 0)
        QN_TRY(try_machine(fe, best));
    return best->code != 0 && has_kernel(fe) ? try_without_host_code(fe, best) : QN_OK;
}

/* ---- with a toolkit's headers ---- */

/* The files as they are before host code is left out, or device code. */
static qn_status read_with_toolkit(struct frontend *with, struct attempt *out)
{
    struct qn__unit *const u = with->unit;
    QN_TRY(qn__write_sources(u, with->host.files, with->temp, with->source));
    QN_TRY(qn__write_sources_for_toolkit(u, with->host.files, with->source));
    QN_TRY(qn__write_headers(u, with->temp, QN__STANDINS_BUT_TOOLKIT));
    QN_TRY(attempt(with, out, QN__TOOLKIT_HEADERS, NULL));
    QN_TRY(attempt_rewritten(with, out, QN__TOOLKIT_HEADERS, false));
    return out->code != 0 && has_kernel(with) ? try_without_host_code(with, out) : QN_OK;
}

/* `best` stays where that leads no further, and the reason is noted. */
static qn_status try_toolkit(struct frontend *fe, struct attempt *best, const char *place,
                             const char *why)
{
    struct qn__unit *const u = fe->unit;
    struct frontend with = {.unit = u,
                            .clang = fe->clang,
                            .temp = fe->temp,
                            .source = fe->source,
                            .asks_machine = true,
                            .n_errors_before = fe->n_errors_before};
    struct attempt a;
    const uint32_t n_errors = u->n_device_errors;
    const char **const errors = QN__NEED_ARRAY(u, const char *, n_errors + 1);
    with.reads_toolkit = true;
    with.why_toolkit = why;
    with.host.files = QN__NEED_ARRAY(u, struct qn__host_file, u->request->n_files);
    for (uint32_t i = fe->n_errors_before; i < n_errors; i++)
        errors[i] = u->device_errors[i];
    u->n_device_errors = fe->n_errors_before;
    QN_TRY(read_with_toolkit(&with, &a));
    if (a.code == 0) {
        *fe = with;
        *best = a;
        if (u->module)
            LLVMDisposeModule(u->module);
        u->module = NULL;
        return read_module(u, qn__text(u, "%s/out.bc", fe->temp));
    }
    u->n_device_errors = fe->n_errors_before;
    for (uint32_t i = fe->n_errors_before; i < n_errors; i++)
        QN__PUSH(u, u->device_errors, u->n_device_errors, u->device_errors_capacity, errors[i]);
    fe->asks_machine = true;
    fe->why_ours = a.errors[0].message;
    if (!fe->wants_toolkit)
        qn__toolkit_note_failure(u, place, fe->why_ours);
    qn__absent_headers_note(u, &with.host);
    return QN_OK;
}

/* After all that could be done without one. */
static qn_status ask_toolkit(struct frontend *fe, struct attempt *best)
{
    struct qn__unit *const u = fe->unit;
    const char *const place = qn__toolkit_place(u);
    const char *const why =
        best->code != 0 ? best->errors[0].message : "code of a kernel that does not compile";
    enum qn__toolkit_use use = QN__TOOLKIT_NEEDED;
    if (place && best->code == 0)
        use = qn__toolkit_use(u);
    if (!place || use == QN__TOOLKIT_UNUSED)
        return QN_OK;
    fe->wants_toolkit = use == QN__TOOLKIT_PREFERRED;
    u->result->machine.asks_toolkit = true;
    return u->request->n_toolkit
               ? try_toolkit(fe, best, place, use == QN__TOOLKIT_NEEDED ? why : NULL)
               : QN_OK;
}

/* Once more, with the shifts that clang gives no value written as what it does not fold. Where that
 * leads no further all stays as it is, and clang has warned of them. */
static qn_status keep_shifts(struct frontend *fe, struct attempt *best)
{
    struct qn__unit *const u = fe->unit;
    const struct frontend before = *fe;
    const char *const header = fe->host.n_rounds ? QN__LEFT_OUT_HEADER : NULL;
    struct attempt a;
    fe->host.files = QN__NEED_ARRAY(u, struct qn__host_file, u->request->n_files);
    memcpy(fe->host.files, before.host.files, u->request->n_files * sizeof *fe->host.files);
    fe->dialect.asks_shifts = true;
    QN_TRY(attempt(fe, &a, best->headers, header));
    while (a.code != 0 &&
           qn__dialect_rewrite(u, &fe->dialect, fe->host.files, a.errors, a.n_errors))
        QN_TRY(attempt_again(fe, &a, best->headers, header));
    if (a.code != 0) {
        *fe = before;
        return QN_OK;
    }
    *best = a;
    LLVMDisposeModule(u->module);
    u->module = NULL;
    return read_module(u, qn__text(u, "%s/out.bc", fe->temp));
}

static bool is_silent(struct qn__unit *u)
{
    for (uint32_t i = 0; i < u->request->n_options; i++)
        if (qn__equal(u->request->options[i], "-w"))
            return true;
    return false;
}

static void say_what_was_done(struct frontend *fe)
{
    if (fe->reads_toolkit)
        qn__toolkit_warn(fe->unit, fe->why_toolkit);
    else if (fe->wants_toolkit)
        qn__toolkit_note_ours(fe->unit, fe->why_ours);
    if (fe->why_machine)
        qn__machine_headers_note(fe->unit, fe->why_machine->message, fe->why_machine->where);
    qn__dialect_warn(fe->unit, &fe->dialect);
    qn__host_code_warn(fe->unit, &fe->host);
}

/* With the reasons that clang cannot know. */
static qn_status refuse(struct frontend *fe)
{
    struct qn__unit *const u = fe->unit;
    const char *const error = first_error(u);
    const char *const cause = qn__absent_headers_note(u, &fe->host);
    if (fe->lacks_library)
        qn__str_printf(
            &u->diagnostics,
            "%s:1:1: note: clang finds no C++ library on this machine (libstdc++-dev), whose "
            "headers would be read where Quern's do not suffice\n",
            u->request->files[0].name);
    return cause && !strstr(error, cause) ? qn__fail(QN_E_COMPILE, "%s; %s", error, cause)
                                          : qn__fail(QN_E_COMPILE, "%s", error);
}

/* The files of the request, as one source. */
static qn_status compile(struct frontend *fe)
{
    struct qn__unit *const u = fe->unit;
    struct attempt best;
    fe->host.files = QN__NEED_ARRAY(u, struct qn__host_file, u->request->n_files);
    fe->n_errors_before = u->n_device_errors;
    QN_TRY(attempts(fe, &best));
    if (best.code == 0)
        QN_TRY(read_module(u, qn__text(u, "%s/out.bc", fe->temp)));
    QN_TRY(ask_toolkit(fe, &best));
    if (best.code == 0 && qn__loses_shift(u->module))
        QN_TRY(keep_shifts(fe, &best));
    if (fe->before) {
        keep_log(u, fe->before, fe->temp, fe->source);
        add_reasons(u);
        u->device_log = qn__text(u, "%s%s", u->device_log ? u->device_log : "",
                                 u->diagnostics.text ? u->diagnostics.text : "");
        qn__str_clear(&u->diagnostics);
    }
    u->result->raw =
        (char *)(uintptr_t)qn__text(u, "%s%s", u->result->raw ? u->result->raw : "", best.log);
    if (best.code == 0 && !is_silent(u))
        say_what_was_done(fe);
    keep_log(u, best.log, fe->temp, fe->source);
    add_reasons(u);
    if (best.code != 0)
        return refuse(fe);
    if (fe->asks_machine) /* what it has decided the result, whether it was of use or not */
        QN_TRY(qn__machine_headers(u, fe->clang, fe->temp, best.headers >= QN__MACHINE_HEADERS));
    if (best.headers == QN__TOOLKIT_HEADERS || u->result->machine.n_toolkit > 0)
        qn__toolkit_was_read(u);
    return QN_OK;
}

/* Each file of a program by itself. Where that does not lead to the end, nothing is left of it. */
static qn_status compile_apart(const struct frontend *as, struct qn__translate_request *files,
                               uint32_t n)
{
    struct qn__unit *const u = as->unit;
    const struct qn__translate_request *const whole = u->request;
    qn_status s = QN_OK;
    for (uint32_t i = 0; s == QN_OK && i < n; i++) {
        struct frontend fe = *as;
        LLVMModuleRef program = u->module;
        u->module = NULL;
        u->request = &files[i];
        s = compile(&fe);
        if (s == QN_OK)
            s = qn__program_add(u, program);
        else if (program)
            LLVMDisposeModule(program);
    }
    u->request = whole;
    if (s == QN_OK)
        return QN_OK;
    if (u->module)
        LLVMDisposeModule(u->module);
    u->module = NULL;
    u->result->raw = NULL;
    u->result->machine = (struct qn__machine_files){0};
    u->device_log = NULL;
    u->n_device_errors = 0;
    qn__str_clear(&u->diagnostics);
    return s;
}

qn_status qn__frontend(struct qn__unit *u)
{
    struct frontend fe = {.unit = u};
    uint32_t n_files;
    char *temp = NULL;
    if (u->request->bitcode)
        return parse_module(u, LLVMCreateMemoryBufferWithMemoryRangeCopy(
                                   u->request->bitcode, u->request->bitcode_bytes, "bitcode"));
    QN_TRY(qn__clang_find(&fe.clang, u->arena, u->request->clang));
    QN_TRY(qn__temp_dir_create(&temp));
    u->temp_dir = temp; /* translate.c removes it, also after a longjmp */
    fe.temp = temp;
    fe.source = qn__text(u, "%s/" QN__SOURCE_FOLDER, temp);
    struct qn__translate_request *const files = qn__program_files(u, &n_files);
    return n_files && compile_apart(&fe, files, n_files) == QN_OK ? QN_OK : compile(&fe);
}
