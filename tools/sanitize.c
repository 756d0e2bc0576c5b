/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of work: translate to C with #line directives; look at the arguments; compile the text
 * with checks to kernel.so and the runner with the sanitizer's runtime; write the job and what is
 * in the buffers; run; read the reports, which name addresses of machine code, and find their lines
 * in kernel.so's table of lines. All of it in a folder that goes afterwards. */
#define _GNU_SOURCE
#include "tools/sanitize.h"

#include "base/dwarf_lines.h"
#include "base/environment.h"
#include "base/file.h"
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/kernel_words.h"
#include "tools/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <quern/quern.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The runner travels in the program. */
__asm__(".pushsection .rodata\n"
        "qn__kernel_runner: .incbin \"tools/kernel_runner.inc\"\n"
        ".byte 0\n"
        ".popsection");
extern const char qn__kernel_runner[];

/* Where each work-item is a thread: in front of the text (quern_c.h says what these are). */
static const char as_threads[] =
    "struct qn_item { unsigned long x, y, z, i; };\n"
    "extern _Thread_local struct qn_item qn_item;\n"
    "void qn_thread_barrier(void);\n"
    "void qn_thread_warp_barrier(void);\n"
    "void qn_thread_grid_barrier(void);\n"
    "void qn_thread_share(void *array, unsigned long bytes, int whole);\n"
    "#define QN_ITEMS \\\n"
    "    for (unsigned long qn_x = qn_item.x, qn_y = qn_item.y, qn_z = qn_item.z, \\\n"
    "                       qn_i = qn_item.i, qn_once = 1; qn_once; qn_once = 0)\n"
    "#define qn_first qn_item.i\n"
    "#define QN_BARRIER qn_thread_barrier()\n"
    "#define QN_WARP_BARRIER qn_thread_warp_barrier()\n"
    "#define QN_GRID_BARRIER qn_thread_grid_barrier()\n"
    "#define QN_WARP(a) qn_thread_share(a, sizeof *(a), 0)\n"
    "#define QN_BLOCK(a) (qn_thread_barrier(), qn_thread_share(a, sizeof *(a), 1))\n"
    "#define QN_ALL(a) (qn_thread_share(a, sizeof *(a), 1), (a))\n"
    "#line 1 \"kernel.c\"\n";

struct work {
    struct qn__sanitize *s;
    char *folder;
    const char *clang;
    struct qn__str name; /* of the kernel in the text */
    bool has_fence;
};

static bool complain_memory(const struct work *w)
{
    return qn__complain(0, "%s: out of memory", w->s->command);
}

static char *in_folder(const struct work *w, const char *name)
{
    return qn__path_join(w->folder, name);
}

static bool write_in(const struct work *w, const char *name, const void *bytes, size_t n)
{
    char *const path = in_folder(w, name);
    const bool good = path ? qn__write_file(path, bytes, n) : complain_memory(w);
    free(path);
    return good;
}

/* "" where there is none. */
static char *read_in(const struct work *w, const char *name, size_t *n)
{
    char *const path = in_folder(w, name);
    char *const text = path && access(path, R_OK) == 0 ? qn__read_file(n, path) : NULL;
    free(path);
    return text ? text : calloc(1, 1);
}

/* ---- programs ---- */

/* In the folder; what it says goes to a file there. Its exit status, 128 + signal, or -errno. */
static int run_program(const struct work *w, const char *const *args, const char *log,
                       bool keeps_stdout)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    union { /* posix_spawn takes char *const[] and does not write through it */
        const char *const *in;
        char *const *out;
    } argv = {args};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, w->folder);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (keeps_stdout)
        posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    else
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (!keeps_stdout)
        posix_spawn_file_actions_adddup2(&actions, 1, 2);
    fflush(stdout);
    const int code = posix_spawnp(&child, args[0], &actions, NULL, argv.out, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code)
        return -code;
    while (waitpid(child, &status, 0) == -1 && errno == EINTR)
        continue;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The compiler that is there; the translator's where that is said. */
static bool find_clang(struct work *w)
{
    static const char *const names[] = {"clang-19", "clang-20", "clang-18", "clang"};
    w->clang = qn__getenv("QUERN_CLANG");
    for (size_t i = 0; !w->clang && i < sizeof names / sizeof *names; i++) {
        const char *const args[] = {names[i], "--version", NULL};
        if (run_program(w, args, "clang.log", false) == 0)
            w->clang = names[i];
    }
    return w->clang || qn__complain(0,
                                    "%s: --sanitize needs clang: install it (Debian and Ubuntu: "
                                    "apt install clang-19 libclang-rt-19-dev)",
                                    w->s->command);
}

/* "19" of "clang version 19.1.7" */
static int clang_version(const struct work *w)
{
    const char *const args[] = {w->clang, "--version", NULL};
    (void)run_program(w, args, "version.log", false);
    char *const said = read_in(w, "version.log", NULL);
    const char *const at = said ? strstr(said, "version ") : NULL;
    const int version = at ? atoi(at + strlen("version ")) : 0;
    free(said);
    return version;
}

static bool complain_compiler(const struct work *w, const char *what, int status)
{
    char *const said = read_in(w, "build.log", NULL);
    const char *error = said ? strstr(said, "error: ") : NULL;
    const int version = clang_version(w);
    error = error ? error : said ? said : "";
    if (status < 0)
        qn__complain(0, "%s: %s: %s", w->s->command, w->clang, strerror(-status));
    else if (said && strstr(said, "libclang_rt"))
        qn__complain(0,
                     "%s: %s has no runtime of the %s sanitizer here: install it (Debian and "
                     "Ubuntu: apt install libclang-rt-%d-dev)",
                     w->s->command, w->clang, w->s->kind, version ? version : 19);
    else
        qn__complain(0, "%s: %s does not %s: %.*s", w->s->command, w->clang, what,
                     (int)strcspn(error, "\n"), error);
    free(said);
    return false;
}

/* ---- the text ---- */

static bool translate(const struct work *w, qn_translation *out)
{
    const struct qn__source_options *const o = w->s->source;
    const char **const names = calloc(o->names.n + 1, sizeof *names);
    const char **const options = calloc(o->options.n + 1, sizeof *options);
    qn_source src;
    qn_log log = {0};
    if (!names || !options) {
        free(names);
        free(options);
        return complain_memory(w);
    }
    qn__source_fill(&src, o);
    for (uint32_t i = 0; i < src.n_names; i++)
        names[i] = src.names[i];
    for (uint32_t i = 0; i < src.n_options; i++)
        options[i] = src.options[i];
    if (strpbrk(w->s->kernel, "<:(")) /* only what is named is instantiated */
        names[src.n_names++] = w->s->kernel;
    options[src.n_options++] = "--lines=directives";
    src.names = names;
    src.options = options;
    const qn_status status = qn_translate(out, &src, "cpu", NULL, &log);
    if (status != QN_OK)
        qn__complain_build(w->s->command, o->file, status, &log, false);
    free(names);
    free(options);
    qn_log_release(&log);
    return status == QN_OK;
}

static bool write_text(struct work *w, const char *text)
{
    struct qn__str all = {0};
    if (w->s->keep && !qn__write_file(w->s->keep, text, strlen(text)))
        return false;
    if (strcmp(w->s->kind, "thread") == 0)
        qn__str_add(&all, as_threads);
    qn__str_add(&all, text);
    w->has_fence = strstr(text, "mem_fence()") != NULL;
    const bool good = all.failed ? complain_memory(w) : write_in(w, "kernel.c", all.text, all.len);
    qn__str_release(&all);
    return good && write_in(w, "runner.c", qn__kernel_runner, strlen(qn__kernel_runner));
}

static bool make_text(struct work *w)
{
    struct qn__sanitize *const s = w->s;
    qn_translation t = {0};
    json_error_t error;
    bool good = translate(w, &t);
    json_t *const root = good ? json_loads(t.reflect, 0, &error) : NULL;
    const json_t *const kernel =
        root ? qn__kernel_of_reflection(json_object_get(root, "kernels"), s->command, s->kernel)
             : NULL;
    good = kernel && qn__kernel_takes(kernel, s->command, s->kernel, s->words) &&
           write_text(w, t.text);
    if (good)
        qn__str_add(&w->name, json_string_value(json_object_get(kernel, "name")));
    json_decref(root);
    qn_translation_release(&t);
    return good;
}

/* ---- building ---- */

enum { ARGS_MAX = 48 };

/* Instrumented, with lines; the meaning is that of rtc/helper/cpu_compile.c. */
static bool compile_kernel(const struct work *w)
{
    static const char *const fixed[] = {"-std=gnu11",
                                        "-O1",
                                        "-fno-omit-frame-pointer",
                                        "-fPIC",
                                        "-shared",
                                        "-fvisibility=hidden",
                                        "-fwrapv",
                                        "-fno-strict-aliasing",
                                        "-fno-delete-null-pointer-checks",
                                        "-fsigned-char",
                                        "-fno-math-errno",
                                        "-fno-trapping-math",
                                        "-ffp-contract=on",
                                        "-w",
                                        "-gdwarf-4",
                                        "-gline-tables-only",
                                        "-gz=none",
                                        "-march=native",
                                        "-fno-color-diagnostics",
                                        "kernel.c",
                                        "-o",
                                        "kernel.so"};
    const char *args[ARGS_MAX];
    size_t n = 0;
    const bool is_address = strcmp(w->s->kind, "address") == 0;
    args[n++] = w->clang;
    /* an array inside of a struct is the other's matter: its neighbour may be used */
    args[n++] = is_address                             ? "-fsanitize=address,bounds"
                : strcmp(w->s->kind, "undefined") == 0 ? "-fsanitize=undefined"
                                                       : "-fsanitize=thread";
    if (is_address) { /* calls have lines, which the code around the checks lacks */
        args[n++] = "-fsanitize-recover=address";
        args[n++] = "-mllvm";
        args[n++] = "-asan-instrumentation-with-call-threshold=0";
    } else { /* indices are unsigned numbers that may wrap */
        args[n++] = "-fno-sanitize=pointer-overflow";
    }
    if (w->has_fence) { /* fences are not seen: atomic operations order what is around them */
        args[n++] = "-U__ATOMIC_RELAXED";
        args[n++] = "-D__ATOMIC_RELAXED=__ATOMIC_SEQ_CST";
    }
    memcpy(args + n, fixed, sizeof fixed);
    args[n + sizeof fixed / sizeof *fixed] = NULL;
    const int status = run_program(w, args, "build.log", false);
    return status == 0 || complain_compiler(w, "compile the C that was made of the kernel", status);
}

/* Without checks of its own: it does what the kernel must not. */
static bool compile_runner(const struct work *w)
{
    struct qn__str kind = {0};
    const char *const to_object[] = {w->clang, "-std=gnu11", "-O1", "-fno-builtin", "-fPIE", "-w",
                                     "-c",     "runner.c",   "-o",  "runner.o",     NULL};
    int status = run_program(w, to_object, "build.log", false);
    if (status != 0)
        return complain_compiler(w, "compile the program that runs the kernel", status);
    qn__str_printf(&kind, "-fsanitize=%s", w->s->kind);
    const char *const to_program[] = {w->clang,    kind.text, "-pie",   "-rdynamic",
                                      "runner.o",  "-o",      "runner", "-ldl",
                                      "-lpthread", "-lm",     NULL};
    status = run_program(w, to_program, "build.log", false);
    qn__str_release(&kind);
    return status == 0 || complain_compiler(w, "link the program that runs the kernel", status);
}

/* ---- the job ---- */

static bool add_buffer(const struct work *w, struct qn__str *job, uint32_t i)
{
    const struct qn__launch_arg *const arg = &w->s->args[i];
    const uint64_t n = qn__launch_arg_bytes(arg);
    struct qn__str name = {0};
    unsigned char *const bytes = malloc(n ? n : 1);
    qn__str_printf(&name, "arg%u", i);
    bool good = bytes && name.text;
    if (!good)
        complain_memory(w);
    else if (qn__launch_arg_fill(bytes, arg) != QN_OK)
        good = qn__complain_status("%s: argument %u", w->s->command, i) == QN__EXIT_GOOD;
    else
        good = write_in(w, name.text, bytes, n);
    qn__str_printf(job, "buffer %llu arg%u\n", (unsigned long long)n, i);
    free(bytes);
    qn__str_release(&name);
    return good;
}

static bool write_job(const struct work *w)
{
    const struct qn__sanitize *const s = w->s;
    struct qn__str job = {0};
    bool good = true;
    qn__str_printf(&job, "kernel %s\ngrid %u %u %u\nblock %u %u %u\nshared %llu\nheap %llu\n",
                   w->name.text, s->grid[0], s->grid[1], s->grid[2], s->block[0], s->block[1],
                   s->block[2], (unsigned long long)s->shared_bytes,
                   (unsigned long long)(s->heap_bytes ? s->heap_bytes : QN_HEAP_BYTES_DEFAULT));
    for (uint32_t i = 0; i < s->words->n && good; i++) {
        const struct qn__launch_arg *const arg = &s->args[i];
        if (arg->form == QN__ARG_NULL) {
            qn__str_add(&job, "null\n");
        } else if (arg->form == QN__ARG_BUFFER) {
            good = add_buffer(w, &job, i);
        } else {
            qn__str_add(&job, "value ");
            for (size_t k = 0; k < arg->value_bytes; k++)
                qn__str_printf(&job, "%02x", arg->value[k]);
            qn__str_add_char(&job, '\n');
        }
    }
    good = good && (job.failed ? complain_memory(w) : write_in(w, "job", job.text, job.len));
    qn__str_release(&job);
    return good;
}

/* ---- running ---- */

/* Reports are ours: the sanitizers go on after the first, and leave signals to the runner. */
static void set_options(void)
{
    static const char options[] =
        "halt_on_error=0:exitcode=0:detect_leaks=0:abort_on_error=0:handle_segv=0:handle_sigbus=0:"
        "handle_sigfpe=0:handle_sigill=0:symbolize=0:report_thread_leaks=0:print_stacktrace=0";
    setenv("ASAN_OPTIONS", options, 1);
    setenv("UBSAN_OPTIONS", options, 1);
    setenv("TSAN_OPTIONS", options, 1);
}

static bool run_kernel(const struct work *w)
{
    const char *const limit = qn__getenv("QUERN_WATCHDOG");
    char *const seconds = strdup(limit ? limit : "0");
    char *const program = in_folder(w, "runner");
    const char *const args[] = {"timeout", seconds, program, "./kernel.so", "job", "reports", NULL};
    const bool is_limited = seconds && atof(seconds) > 0;
    set_options();
    const int status =
        program ? run_program(w, is_limited ? args : args + 2, "run.log", true) : -ENOMEM;
    char *const said = read_in(w, "run.log", NULL);
    enum { BY_SIGNAL = 4, TIMED_OUT = 124 };
    bool good = status == 0 || status == BY_SIGNAL;
    if (w->s->verbose && said)
        fputs(said, stderr);
    if (is_limited && status == TIMED_OUT)
        qn__complain(0, "%s: %s did not end within %s s (QUERN_WATCHDOG)", w->s->command,
                     w->s->kernel, seconds);
    else if (!good)
        qn__complain(0, "%s: %s: the program that runs it ended with status %d: %s", w->s->command,
                     w->s->kernel, status,
                     status < 0 ? strerror(-status)
                     : said     ? said
                                : "");
    free(said);
    free(program);
    free(seconds);
    return good;
}

/* ---- what was found ---- */

struct lines {
    struct qn__arena arena;
    struct qn__line_rows rows;
};

static void find_line(const struct lines *l, const char *place, const char **file, uint32_t *line)
{
    const uint64_t at = strtoull(place, NULL, 16);
    *file = "";
    *line = 0;
    for (size_t i = 0; i < l->rows.n && l->rows.rows[i].address <= at; i++) {
        *line = l->rows.rows[i].line;
        *file = *line ? l->rows.files[l->rows.rows[i].file] : "";
    }
}

enum { FIELDS = 10 };

/* In place; how many there are. */
static uint32_t split(char *fields[FIELDS], char *line)
{
    uint32_t n = 0;
    for (char *p = line; p && n < FIELDS; n++)
        fields[n] = strsep(&p, "\t");
    return n;
}

static void add_found(json_t *list, const char *kind, const char *file, uint32_t line,
                      const char *text)
{
    json_t *const o = json_pack("{s:s, s:o, s:i, s:o}", "kind", kind, "file", qn__json_string(file),
                                "line", (int)line, "text", qn__json_string(text));
    json_array_append_new(list, o);
}

static void add_access(json_t *list, const struct lines *l, char **f)
{
    struct qn__str text = {0};
    const char *file;
    uint32_t line;
    const bool by_signal = strcmp(f[6], "signal") == 0;
    find_line(l, f[1], &file, &line);
    if (by_signal)
        qn__str_printf(&text, "%s at %s, where nothing is", f[2], f[4]);
    else
        qn__str_printf(&text, "%s of %s bytes: %s", f[2], f[3], f[4]);
    qn__str_printf(&text, ", block %s", f[5]);
    if (!by_signal)
        qn__str_printf(&text, " (%s)", f[6]);
    add_found(list, "access", file, line, text.text ? text.text : "");
    qn__str_release(&text);
}

static void add_race(json_t *list, const struct lines *l, char **f)
{
    struct qn__str text = {0};
    const char *file, *other;
    uint32_t line, other_line;
    find_line(l, f[1], &file, &line);
    find_line(l, f[5], &other, &other_line);
    qn__str_printf(&text, "data race: %s of %s bytes by %s, and %s of %s bytes at %s:%u by %s: %s",
                   f[2], f[3], f[4], f[6], f[7], other, (unsigned)other_line, f[8], f[9]);
    add_found(list, "race", file, line, text.text ? text.text : "");
    qn__str_release(&text);
}

/* "file.cu:12" */
static void add_stated(json_t *list, const char *kind, char **f)
{
    struct qn__str text = {0};
    char *const colon = strrchr(f[1], ':');
    const uint32_t line = colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
    if (colon)
        *colon = 0;
    qn__str_printf(&text, "%s%s, block %s",
                   strcmp(kind, "failed") ? "" : "assertion failed: ", f[2], f[3]);
    add_found(list, kind, f[1], line, text.text ? text.text : "");
    qn__str_release(&text);
}

static bool read_reports(const struct work *w)
{
    struct lines l = {0};
    size_t n = 0, loaded;
    char *const object = read_in(w, "kernel.so", &n);
    char *const text = read_in(w, "reports", NULL);
    json_t *const list = w->s->found = json_array();
    bool good = object && text && list;
    if (!good)
        complain_memory(w);
    else if (qn__line_rows_of_elf(&l.rows, &loaded, &l.arena, object, n, "kernel.c") != QN_OK)
        good = qn__complain_status("%s: %s", w->s->command, w->s->kernel) == QN__EXIT_GOOD;
    for (char *rest = text; good && rest && *rest;) {
        char *fields[FIELDS] = {0};
        const uint32_t n_fields = split(fields, strsep(&rest, "\n"));
        if (n_fields == 7 && strcmp(fields[0], "access") == 0)
            add_access(list, &l, fields);
        else if (n_fields == 10 && strcmp(fields[0], "race") == 0)
            add_race(list, &l, fields);
        else if (n_fields == 4)
            add_stated(list, strcmp(fields[0], "failed") == 0 ? "failed" : "undefined", fields);
    }
    qn__arena_release(&l.arena);
    free(object);
    free(text);
    return good;
}

static bool read_outputs(const struct work *w)
{
    struct qn__sanitize *const s = w->s;
    for (uint32_t i = 0; i < s->words->n; i++) {
        struct qn__str name = {0};
        size_t n = 0;
        if (s->args[i].form != QN__ARG_BUFFER || !s->args[i].is_output)
            continue;
        qn__str_printf(&name, "arg%u", i);
        s->outputs[i] = (unsigned char *)read_in(w, name.text ? name.text : "", &n);
        qn__str_release(&name);
        if (!s->outputs[i] || n != qn__launch_arg_bytes(&s->args[i]))
            return qn__complain(0, "%s: argument %u was not kept", s->command, i);
    }
    return true;
}

static bool parse_words(struct qn__sanitize *s)
{
    s->args = calloc(s->words->n + 1, sizeof *s->args);
    s->outputs = calloc(s->words->n + 1, sizeof *s->outputs);
    if (!s->args || !s->outputs)
        return qn__complain(0, "%s: out of memory", s->command);
    for (uint32_t i = 0; i < s->words->n; i++)
        if (qn__launch_arg_parse(&s->args[i], s->words->items[i]) != QN_OK)
            return qn__complain_status("%s: --arg %s", s->command, s->words->items[i]) ==
                   QN__EXIT_GOOD;
    return true;
}

bool qn__sanitize_run(struct qn__sanitize *s)
{
    struct work w = {.s = s};
    if (!parse_words(s))
        return false;
    if (qn__temp_dir_create(&w.folder) != QN_OK)
        return qn__complain_status("%s", s->command) == QN__EXIT_GOOD;
    const bool good = find_clang(&w) && make_text(&w) && compile_kernel(&w) && compile_runner(&w) &&
                      write_job(&w) && run_kernel(&w) && read_reports(&w) && read_outputs(&w);
    qn__temp_dir_remove(w.folder);
    free(w.folder);
    qn__str_release(&w.name);
    return good;
}

void qn__sanitize_print(const struct qn__sanitize *s)
{
    size_t i;
    const json_t *o;
    json_array_foreach(s->found, i, o)
    {
        const char *const file = json_string_value(json_object_get(o, "file"));
        if (*file)
            printf("%s:%d: ", file, (int)json_integer_value(json_object_get(o, "line")));
        printf("%s\n", json_string_value(json_object_get(o, "text")));
    }
    const size_t n = json_array_size(s->found);
    if (n)
        printf("%s: %zu found by the %s sanitizer\n", s->kernel, n, s->kind);
    else
        printf("%s: nothing found\n", s->kernel);
}

void qn__sanitize_release(struct qn__sanitize *s)
{
    for (uint32_t i = 0; s->outputs && i < s->words->n; i++)
        free(s->outputs[i]);
    free(s->outputs);
    free(s->args);
    json_decref(s->found);
}
