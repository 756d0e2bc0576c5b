/* SPDX-License-Identifier: Apache-2.0
 *
 * The sequence of calls; rtc_program.h has the table it goes through. */
#include "rtc/helper/rtc_program.h"

#include "base/file.h"
#include "base/name_expression.h"
#include "base/str.h"
#include "rtc/helper/device_half.h"
#include "rtc/helper/diagnostics.h"
#include "rtc/helper/name_variables.h"

#include <string.h>

enum { RTC_OK = 0, RTC_OUT_OF_MEMORY = 1, RTC_COMPILATION = 6 };

static qn_status fail_call(const struct qn__rtc_calls *c, int code, const char *what)
{
    return qn__fail_code(QN_E_COMPILER, code, "%s: %s: %s", c->name, what, c->error_string(code));
}

/* Both want the address of a variable; the address of a kernel is as good as its name. */
static const char *address_of(struct qn__arena *arena, const struct qn__name_expression *e)
{
    return qn__arena_printf(arena, "%s%s", e->before, e->name);
}

/* hipRTC finds a kernel by the name that its symbol has without parameters: one of several of a
 * name it does not find. */
static bool by_variable(const struct qn__rtc_calls *c, const struct qn__name_expression *e)
{
    return !c->finds_overloads && e->before[0] != '&';
}

/* hipRTC refuses an empty file. */
static const char *text_of(const struct qn__source_file *file)
{
    return file->text[0] ? file->text : "\n";
}

/* The main file, with a variable for each expression that the compiler does not find. */
static qn_status main_text(const char **out, struct qn__arena *arena, const struct qn__job *job,
                           const struct qn__rtc_calls *c)
{
    struct qn__str text = {0};
    *out = text_of(&job->files[0]);
    for (uint32_t i = 0; i < job->n_names; i++) {
        struct qn__name_expression e;
        QN_TRY(qn__name_expression_read(&e, arena, job->names[i]));
        if (!by_variable(c, &e))
            continue;
        if (!text.len)
            qn__str_add(&text, *out);
        qn__name_variable_add(&text, &e, i);
    }
    if (text.len) {
        qn__str_add_char(&text, '\n');
        *out = qn__arena_strdup(arena, text.text);
    }
    const bool failed = text.failed || !*out;
    qn__str_release(&text);
    return failed ? qn__fail(QN_E_MEMORY, "no memory for a source") : QN_OK;
}

static qn_status add_names(void *program, struct qn__arena *arena, const struct qn__job *job,
                           const struct qn__rtc_calls *c)
{
    for (uint32_t i = 0; i < job->n_names; i++) {
        struct qn__name_expression e;
        QN_TRY(qn__name_expression_read(&e, arena, job->names[i]));
        if (by_variable(c, &e))
            continue;
        const char *const name = address_of(arena, &e);
        const int code = name ? c->add_name(program, name) : RTC_OUT_OF_MEMORY;
        if (code != RTC_OK)
            return fail_call(c, code, job->names[i]);
    }
    return QN_OK;
}

static qn_status create(void **program, struct qn__arena *arena, const struct qn__job *job,
                        const struct qn__rtc_calls *c)
{
    const uint32_t n = job->n_files - 1;
    const char **texts = QN__ARENA_ARRAY(arena, const char *, n);
    const char **names = QN__ARENA_ARRAY(arena, const char *, n);
    const char *text;
    if (!texts || !names)
        return qn__fail(QN_E_MEMORY, "no memory for %u headers", n);
    for (uint32_t i = 0; i < n; i++) {
        texts[i] = text_of(&job->files[i + 1]);
        names[i] = job->files[i + 1].name;
    }
    QN_TRY(main_text(&text, arena, job, c));
    const int code = c->create_program(program, text, job->files[0].name, (int)n, texts, names);
    if (code != RTC_OK)
        return fail_call(c, code, "making a program");
    return add_names(*program, arena, job, c);
}

static qn_status read_log(struct qn__job_result *out, struct qn__arena *arena, void *program,
                          const struct qn__rtc_calls *c)
{
    size_t n = 0;
    if (c->get_log_size(program, &n) != RTC_OK || n == 0)
        return QN_OK; /* no log */
    char *log = qn__arena_alloc(arena, n + 1, 1);
    if (!log)
        return qn__fail(QN_E_MEMORY, "no memory for a log of %zu bytes", n);
    if (c->get_log(program, log) == RTC_OK)
        out->raw = log;
    return QN_OK;
}

static qn_status compile(struct qn__job_result *out, struct qn__arena *arena,
                         const struct qn__job *shown, void *program, const struct qn__rtc_calls *c,
                         const char *const *options, int n_options)
{
    struct qn__str text = {0};
    const double start = qn__now_ms();
    const int code = c->compile_program(program, n_options, options);
    out->ms = qn__now_ms() - start;
    QN_TRY(read_log(out, arena, program, c));
    qn__diagnostics_add(&text, shown, out->raw ? out->raw : "", shown->verbose, code != RTC_OK);
    out->diagnostics = text.text ? qn__arena_strdup(arena, text.text) : "";
    qn__str_release(&text);
    const char *first = qn__diagnostics_first(arena, out->diagnostics);
    if (code == RTC_COMPILATION && first[0])
        return qn__fail(QN_E_COMPILE, "%s", first);
    if (code != RTC_OK) /* NVRTC writes no log when it ran out of memory */
        return fail_call(c, code, first[0] ? first : "compiling");
    return QN_OK;
}

static qn_status read_image(struct qn__job_result *out, struct qn__arena *arena, void *program,
                            const struct qn__rtc_calls *c)
{
    size_t n = 0;
    int code = c->get_size(program, &n);
    if (code != RTC_OK || n == 0)
        return fail_call(c, code, "asking for the image");
    char *bytes = qn__arena_alloc(arena, n + 1, 1);
    if (!bytes)
        return qn__fail(QN_E_MEMORY, "no memory for an image of %zu bytes", n);
    code = c->get(program, bytes);
    if (code != RTC_OK)
        return fail_call(c, code, "reading the image");
    out->bytes = bytes;
    out->n = n;
    return QN_OK;
}

static qn_status find_names(struct qn__job_result *out, struct qn__arena *arena,
                            const struct qn__job *job, void *program, const struct qn__rtc_calls *c)
{
    const char **lowered = QN__ARENA_ARRAY(arena, const char *, job->n_names);
    if (!lowered)
        return qn__fail(QN_E_MEMORY, "no memory for %u names", job->n_names);
    for (uint32_t i = 0; i < job->n_names; i++) {
        const char *symbol = NULL; /* belongs to the program */
        struct qn__name_expression e;
        QN_TRY(qn__name_expression_read(&e, arena, job->names[i]));
        if (by_variable(c, &e)) {
            lowered[i] = qn__name_variable_symbol(arena, out->bytes, out->n, i);
            continue;
        }
        const char *const name = address_of(arena, &e);
        if (name && c->get_lowered_name(program, name, &symbol) == RTC_OK && symbol)
            lowered[i] = qn__arena_strdup(arena, symbol);
    }
    return qn__job_reflect(out, arena, job, lowered);
}

/* shown: the job with the texts that the user knows. */
static qn_status run(struct qn__job_result *out, struct qn__arena *arena, const struct qn__job *job,
                     const struct qn__job *shown, const struct qn__rtc_calls *calls,
                     const char *const *options, int n_options)
{
    void *program = NULL;
    qn_status s = create(&program, arena, job, calls);
    if (s == QN_OK)
        s = compile(out, arena, shown, program, calls, options, n_options);
    if (s == QN_OK)
        s = read_image(out, arena, program, calls);
    if (s == QN_OK)
        s = find_names(out, arena, job, program, calls);
    if (program)
        calls->destroy_program(&program);
    return s;
}

static qn_status fail_first(struct qn__arena *arena, const struct qn__job_result *first)
{
    return qn__fail(QN_E_COMPILE, "%s", qn__diagnostics_first(arena, first->diagnostics));
}

/* The device half of a whole program, without what the compiler cannot read. */
static qn_status run_half(struct qn__job_result *out, struct qn__arena *arena,
                          struct qn__device_half *half, const struct qn__job *job,
                          const struct qn__rtc_calls *calls, const char *const *options,
                          int n_options)
{
    struct qn__job part;
    const struct qn__job_result first = *out;
    const char **const with = QN__ARENA_ARRAY(arena, const char *, (size_t)n_options + 1);
    if (!with)
        return qn__fail(QN_E_MEMORY, "no memory for options");
    for (int i = 0; i < n_options; i++)
        with[i] = options[i];
    if (calls->unmarked_is_device)
        with[n_options++] = calls->unmarked_is_device;
    for (;;) {
        QN_TRY(qn__device_half_part(&part, half));
        const qn_status s = run(out, arena, &part, job, calls, with, n_options);
        if (s == QN_E_COMPILE && qn__device_half_leave_out(half, out->diagnostics))
            continue;
        if (s != QN_OK && !qn__device_half_is_program(half)) {
            *out = first;
            return fail_first(arena, &first);
        }
        struct qn__str text = {0};
        qn__device_half_say(&text, half, s != QN_OK);
        qn__str_add(&text, out->diagnostics ? out->diagnostics : "");
        out->diagnostics = text.text ? qn__arena_strdup(arena, text.text) : out->diagnostics;
        qn__str_release(&text);
        return s;
    }
}

static qn_status run_device_half(struct qn__job_result *out, struct qn__arena *arena,
                                 const struct qn__job *job, const struct qn__rtc_calls *calls,
                                 const char *const *options, int n_options)
{
    struct qn__device_half *half;
    QN_TRY(qn__device_half_create(&half, arena, job, calls->include));
    if (!half)
        return fail_first(arena, out);
    const qn_status s = run_half(out, arena, half, job, calls, options, n_options);
    qn__device_half_release(half);
    return s;
}

qn_status qn__rtc_program_run(struct qn__job_result *out, struct qn__arena *arena,
                              const struct qn__job *job, const struct qn__rtc_calls *calls,
                              const char *const *options, int n_options)
{
    const qn_status s = run(out, arena, job, job, calls, options, n_options);
    return s == QN_E_COMPILE ? run_device_half(out, arena, job, calls, options, n_options) : s;
}
