/* SPDX-License-Identifier: Apache-2.0
 *
 * quern check: run one kernel under Oclgrind, which watches every access to memory.
 *
 * The command runs twice. Outside, it translates the source for plain OpenCL 1.2 and makes further
 * --arg words of what the translation added (dynamic shared memory, module variables); then it
 * starts `oclgrind quern check TRANSLATION.cl KERNEL --arg ...`. Inside, where Oclgrind has
 * preloaded its OpenCL, a .cl file is run through plain buffer objects. So a hand-written .cl file
 * can be checked as well. Two words are of this command only: `local:BYTES`, and `at:hex:...` for a
 * struct that the translation takes the address of. */
#include "base/device_buffers.h"
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/kernel_words.h"
#include "tools/launch_args.h"
#include "tools/plain_opencl.h"
#include "tools/sanitize.h"
#include "tools/source_options.h"
#include "tools/terminal.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <quern/quern.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct values {
    struct qn__source_options source;
    const char *kernel, *grid, *block, *keep, *sanitize;
    struct qn__option_list args;
    uint64_t shared_bytes, max_errors;
    bool quick, no_races, no_uninitialized, json, verbose;
};

static const struct qn__option options[] = {
    QN__SOURCE_ROWS(struct values),
    QN__OPERAND(struct values, kernel, "KERNEL", "its name, or an expression: 'saxpy<float>'"),
    QN__TEXT(struct values, grid, 'g', "grid", "X[,Y[,Z]]", "blocks per axis; default 1"),
    QN__TEXT(struct values, block, 'b', "block", "X[,Y[,Z]]", "threads per axis; default 1"),
    QN__NUMBER(struct values, shared_bytes, 's', "shared", 0, UINT32_MAX, 0,
               "bytes of dynamic shared memory"),
    QN__LIST(struct values, args, 'a', "arg", "ARG", "the kernel's next argument, as for launch"),
    QN__FLAG(struct values, quick, 'q', "quick", "only the first and the last block"),
    QN__FLAG(struct values, no_races, 0, "no-races", "do not look for data races"),
    QN__FLAG(struct values, no_uninitialized, 0, "no-uninitialized",
             "do not look for values that were never set"),
    QN__NUMBER(struct values, max_errors, 0, "max-errors", 1, 100000, 20,
               "stop reporting after this many"),
    QN__TEXT(struct values, keep, 0, "keep", "FILE", "leave the translation there"),
    QN__CHOICE(struct values, sanitize, 0, "sanitize", "address|undefined|thread",
               "run it as C under this sanitizer of clang's, not under Oclgrind"),
    QN__FLAG(struct values, json, 0, "json", "print what was found as JSON"),
    QN__FLAG(struct values, verbose, 'v', "verbose",
             "with --sanitize: and show what the sanitizer says itself"),
};

/* ---- Inside: one .cl file on the preloaded OpenCL ---- */

static qn_status prepare_arg(struct qn__plain_arg *out, struct qn__launch_arg *arg,
                             const char *word)
{
    if (qn__starts_with(word, "local:")) {
        char *end;
        *out = (struct qn__plain_arg){.kind = QN__PLAIN_LOCAL, .n = strtoul(word + 6, &end, 10)};
        return *end || out->n == 0 ? qn__fail(QN_E_INVALID, "%s: no number of bytes", word) : QN_OK;
    }
    const bool is_copy = qn__starts_with(word, "at:");
    QN_TRY(qn__launch_arg_parse(arg, is_copy ? word + 3 : word));
    if (is_copy) {
        void *bytes = malloc(arg->value_bytes + 1);
        if (!bytes)
            return qn__fail(QN_E_MEMORY, "no %zu bytes", arg->value_bytes);
        memcpy(bytes, arg->value, arg->value_bytes);
        *out =
            (struct qn__plain_arg){.kind = QN__PLAIN_BUFFER, .bytes = bytes, .n = arg->value_bytes};
    } else if (arg->form == QN__ARG_NULL) {
        *out = (struct qn__plain_arg){.kind = QN__PLAIN_NULL};
    } else if (arg->form != QN__ARG_BUFFER) {
        *out = (struct qn__plain_arg){
            .kind = QN__PLAIN_VALUE, .bytes = arg->value, .n = arg->value_bytes};
    } else {
        *out = (struct qn__plain_arg){.kind = QN__PLAIN_BUFFER, .n = qn__launch_arg_bytes(arg)};
        if (arg->fill == QN__FILL_POISON) /* left unset, so that reading it is found */
            return QN_OK;
        void *bytes = malloc(out->n);
        if (!bytes)
            return qn__fail(QN_E_MEMORY, "no %zu bytes", out->n);
        out->bytes = bytes;
        return qn__launch_arg_fill(bytes, arg);
    }
    return QN_OK;
}

static int run_inside(const struct values *v)
{
    const uint32_t n = v->args.n;
    struct qn__plain_arg *args = calloc(n + 1, sizeof *args);
    struct qn__launch_arg *parsed = calloc(n + 1, sizeof *parsed);
    char *text = qn__read_file(NULL, v->source.file);
    uint32_t grid[3], block[3];
    if (!args || !parsed || !text)
        return QN__EXIT_FAILED;
    qn_status status = qn__launch_axes_parse(grid, "grid", v->grid);
    if (status == QN_OK)
        status = qn__launch_axes_parse(block, "block", v->block);
    for (uint32_t i = 0; i < n && status == QN_OK; i++)
        status = prepare_arg(&args[i], &parsed[i], v->args.items[i]);
    /* not optimised: an access whose value is not used is looked at as well, and Oclgrind does not
     * know all that LLVM makes, such as integers of 40 bits */
    if (status == QN_OK)
        status = qn__plain_run(NULL, text, "-cl-std=CL1.2 -cl-opt-disable", v->kernel, grid, block,
                               args, n);
    for (uint32_t i = 0; i < n; i++)
        if (args[i].kind == QN__PLAIN_BUFFER)
            free((void *)(uintptr_t)args[i].bytes);
    free(text);
    free(parsed);
    free(args);
    return status == QN_OK ? QN__EXIT_GOOD : qn__complain_status("check: %s", v->kernel);
}

/* ---- Outside: translate, start oclgrind, read its log ---- */

struct session {
    const struct values *v;
    char folder[32]; /* temporary */
    char *text_path, *log_path;
    struct qn__str words; /* of the command line, each with its terminating 0 */
    const char *kernel;   /* as the translation calls it */
};

static void add_word(struct session *s, const char *word)
{
    qn__str_add_bytes(&s->words, word, strlen(word) + 1);
}

static void add_option(struct session *s, const char *option, const char *value)
{
    if (!value)
        return;
    add_word(s, option);
    add_word(s, value);
}

static char *path_in(const struct session *s, const char *name)
{
    struct qn__str path = {0};
    qn__str_printf(&path, "%s/%s", s->folder, name);
    return qn__str_take(&path);
}

/* A heap of the usual size in one buffer (base/device_buffers.h). */
static bool add_heap(struct session *s)
{
    enum { HEAP_BYTES = 8 << 20, UNITS = HEAP_BYTES / QN__HEAP_UNIT };
    const struct qn__heap head = {.n_units = UNITS};
    const size_t n = sizeof head + UNITS / 8 + HEAP_BYTES;
    struct qn__str word = {0};
    char *const bytes = calloc(n, 1), *const path = path_in(s, QN__HEAP_NAME);
    bool good = bytes && path;
    if (good) {
        memcpy(bytes, &head, sizeof head);
        good = qn__write_file(path, bytes, n);
    }
    qn__str_printf(&word, "inout:u8:%zu:file:%s", n, path ? path : "");
    add_option(s, "--arg", word.text);
    qn__str_release(&word);
    free(bytes);
    free(path);
    return good;
}

/* A module variable as a buffer word; its initial value goes through a file. */
static bool add_global(struct session *s, const json_t *global, size_t index)
{
    const char *hex = json_string_value(json_object_get(global, "initial"));
    const long long size = json_integer_value(json_object_get(global, "size"));
    struct qn__str word = {0};
    bool good = true;
    if (qn__equal(json_string_value(json_object_get(global, "symbol")), QN__HEAP_NAME))
        return add_heap(s);
    qn__str_printf(&word, "inout:u8:%lld", size);
    if (hex) {
        struct qn__str name = {0}, bytes = {0};
        qn__str_printf(&name, "global%zu", index);
        for (; hex[0] && hex[1]; hex += 2) {
            const char digits[3] = {hex[0], hex[1], 0};
            qn__str_add_char(&bytes, (char)strtoul(digits, NULL, 16));
        }
        char *path = path_in(s, name.text);
        good = path && qn__write_file(path, bytes.text, bytes.len);
        qn__str_printf(&word, ":file:%s", path ? path : "");
        free(path);
        qn__str_release(&name);
        qn__str_release(&bytes);
    }
    add_option(s, "--arg", word.text);
    qn__str_release(&word);
    return good;
}

/* Oclgrind's OpenCL has buffers only. */
static bool check_pointers(const struct session *s, const json_t *kernel)
{
    if (json_is_true(json_object_get(kernel, "has_indirect_pointers"))) {
        qn__complain(
            0,
            "check: %s follows addresses that it finds in memory: Oclgrind's OpenCL has no "
            "shared virtual memory, so these cannot be checked",
            s->v->kernel);
        return false;
    }
    return true;
}

/* The user's words, marked where the translation (`parameters`, or NULL) wants an address. */
static void add_args(struct session *s, const json_t *parameters)
{
    struct qn__str word = {0};
    for (uint32_t i = 0; i < s->v->args.n; i++) {
        const json_t *p = json_array_get(parameters, i);
        qn__str_printf(&word, "%s%s", json_is_true(json_object_get(p, "in_buffer")) ? "at:" : "",
                       s->v->args.items[i]);
        add_option(s, "--arg", word.text);
        qn__str_clear(&word);
    }
    qn__str_release(&word);
}

/* The words for what the translation added after the source's own arguments. */
static bool add_hidden(struct session *s, const json_t *root, const json_t *kernel)
{
    struct qn__str local = {0};
    size_t i;
    const json_t *hidden;
    bool good = true;
    json_array_foreach(json_object_get(kernel, "hidden"), i, hidden)
    {
        const json_t *index = json_object_get(hidden, "index");
        if (index) {
            const size_t n = (size_t)json_integer_value(index);
            good &= add_global(s, json_array_get(json_object_get(root, "globals"), n), n);
            continue;
        }
        if (!s->v->shared_bytes) {
            qn__complain(0, "check: %s uses dynamic shared memory: say how much with --shared",
                         s->v->kernel);
            good = false;
        }
        qn__str_printf(&local, "local:%llu", (unsigned long long)s->v->shared_bytes);
        add_option(s, "--arg", local.text);
        qn__str_clear(&local);
    }
    qn__str_release(&local);
    return good;
}

static bool translate(struct session *s, qn_translation *out)
{
    const char **names = calloc(s->v->source.names.n + 1, sizeof *names);
    qn_source src;
    qn_log log = {0};
    if (!names)
        return false;
    qn__source_fill(&src, &s->v->source);
    for (uint32_t i = 0; i < src.n_names; i++)
        names[i] = src.names[i];
    if (strpbrk(s->v->kernel, "<:")) /* only what is named is instantiated */
        names[src.n_names++] = s->v->kernel;
    src.names = names;
    const qn_status status = qn_translate(out, &src, "portable:race_check+", NULL, &log);
    if (status != QN_OK)
        qn__complain_build("check", s->v->source.file, status, &log, false);
    free(names);
    qn_log_release(&log);
    return status == QN_OK;
}

static bool make_text(struct session *s)
{
    qn_translation t = {0};
    json_error_t error;
    bool good = translate(s, &t);
    json_t *root = good ? json_loads(t.reflect, 0, &error) : NULL;
    const json_t *kernel =
        root ? qn__kernel_of_reflection(json_object_get(root, "kernels"), "check", s->v->kernel)
             : NULL;
    good = kernel && qn__kernel_takes(kernel, "check", s->v->kernel, &s->v->args) &&
           check_pointers(s, kernel) && qn__write_file(s->text_path, t.text, strlen(t.text)) &&
           (!s->v->keep || qn__write_file(s->v->keep, t.text, strlen(t.text)));
    if (good) {
        add_word(s, json_string_value(json_object_get(kernel, "name")));
        add_args(s, json_object_get(kernel, "arguments"));
        good = add_hidden(s, root, kernel);
    }
    json_decref(root);
    qn_translation_release(&t);
    return good;
}

static int start(struct session *s)
{
    uint32_t n = 0;
    for (size_t i = 0; i < s->words.len; i++)
        n += s->words.text[i] == 0;
    char **argv = calloc(n + 1, sizeof *argv);
    if (!argv || qn__str_check(&s->words) != QN_OK)
        return qn__complain(QN__EXIT_FAILED, "out of memory");
    char *p = s->words.text;
    for (uint32_t i = 0; i < n; i++, p += strlen(p) + 1)
        argv[i] = p;
    pid_t child;
    int status = 0;
    const int code = posix_spawnp(&child, argv[0], NULL, NULL, argv, environ);
    free(argv);
    if (code)
        return qn__complain(QN__EXIT_FAILED,
                            "check: oclgrind: %s: install it (Debian and Ubuntu: apt install "
                            "oclgrind)",
                            strerror(code));
    while (waitpid(child, &status, 0) == -1 && errno == EINTR)
        continue;
    if (WIFSIGNALED(status))
        return qn__complain(QN__EXIT_FAILED, "check: oclgrind ended with signal %d",
                            WTERMSIG(status));
    return WEXITSTATUS(status);
}

/* Oclgrind's reports are paragraphs: what it is, then the kernel, the place, the source line. */
static json_t *reports_of(const char *log)
{
    json_t *found = json_array();
    struct qn__str text = {0};
    for (const char *line = log; *line;) {
        const size_t n = strcspn(line, "\n");
        if (strspn(line, "\t ") < n)
            qn__str_printf(&text, "%s%.*s", text.len ? "\n" : "", (int)n, line);
        line += n + (line[n] == '\n');
        if (text.len && (n == 0 || !*line)) {
            if (!qn__starts_with(text.text, "Oclgrind: ")) /* how many there were */
                json_array_append_new(found,
                                      json_pack("{s:o}", "text", qn__json_string(text.text)));
            qn__str_clear(&text);
        }
    }
    qn__str_release(&text);
    return found;
}

/* Print the log; it is empty when nothing was found. */
static int report(const struct session *s)
{
    char *log = qn__read_file(NULL, s->log_path);
    if (!log)
        return QN__EXIT_FAILED;
    uint32_t n = 0; /* each report is a paragraph with the kernel's name */
    for (const char *p = log; (p = strstr(p, "\tKernel:")) != NULL; p++)
        n++;
    const bool is_clean = log[0] == 0;
    int status = is_clean ? QN__EXIT_GOOD : QN__EXIT_FAILED;
    if (s->v->json) {
        if (qn__json_print(json_pack("{s:o, s:s, s:o}", "kernel", qn__json_string(s->v->kernel),
                                     "sanitizer", "oclgrind", "found", reports_of(log))) !=
            QN__EXIT_GOOD)
            status = QN__EXIT_FAILED;
    } else if (is_clean) {
        printf("%s: nothing found\n", s->v->kernel);
    } else {
        fputs(log, stdout);
        printf("%s: %u reports (lines are those of the translation; --keep FILE shows it)\n",
               s->v->kernel, n);
    }
    free(log);
    return status;
}

static void add_command(struct session *s, const char *self)
{
    char number[24];
    snprintf(number, sizeof number, "%llu", (unsigned long long)s->v->max_errors);
    add_word(s, "oclgrind");
    if (!s->v->no_races)
        add_word(s, "--data-races");
    if (!s->v->no_uninitialized)
        add_word(s, "--uninitialized");
    if (s->v->quick)
        add_word(s, "--quick");
    add_option(s, "--max-errors", number);
    add_option(s, "--log", s->log_path);
    add_word(s, self);
    add_word(s, "check");
    add_option(s, "--grid", s->v->grid);
    add_option(s, "--block", s->v->block);
}

static int run_outside(struct session *s)
{
    char self[4096];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return qn__complain(QN__EXIT_FAILED, "check: /proc/self/exe: %s", strerror(errno));
    self[n] = 0;
    add_command(s, self);
    if (qn__ends_with(s->v->source.file, ".cl")) {
        add_word(s, s->v->source.file);
        add_word(s, s->v->kernel);
        add_args(s, NULL);
    } else {
        add_word(s, s->text_path);
        if (!make_text(s))
            return QN__EXIT_FAILED;
    }
    const int status = start(s);
    return status == QN__EXIT_GOOD ? report(s) : status;
}

static void remove_folder(const struct session *s)
{
    DIR *dir = opendir(s->folder);
    for (const struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        char *path = path_in(s, e->d_name);
        unlink(path ? path : ""); /* "." and ".." refuse */
        free(path);
    }
    if (dir)
        closedir(dir);
    rmdir(s->folder);
}

/* ---- As C, under a sanitizer ---- */

static int run_sanitizer(const struct values *v)
{
    struct qn__sanitize s = {.command = "check",
                             .source = &v->source,
                             .kernel = v->kernel,
                             .kind = v->sanitize,
                             .shared_bytes = v->shared_bytes,
                             .words = &v->args,
                             .keep = v->keep,
                             .verbose = v->verbose};
    int status = QN__EXIT_FAILED;
    if (v->quick || v->no_races || v->no_uninitialized)
        return qn__complain(QN__EXIT_USAGE,
                            "check: --quick, --no-races and --no-uninitialized are Oclgrind's and "
                            "not for --sanitize");
    if (qn__ends_with(v->source.file, ".cl"))
        return qn__complain(QN__EXIT_USAGE, "check: --sanitize takes kernel source in the CUDA "
                                            "dialect; Oclgrind runs .cl files");
    if (qn__launch_axes_parse(s.grid, "grid", v->grid) != QN_OK ||
        qn__launch_axes_parse(s.block, "block", v->block) != QN_OK) {
        qn__complain_status("check");
        return QN__EXIT_USAGE;
    }
    if (qn__sanitize_run(&s)) {
        status = json_array_size(s.found) ? QN__EXIT_FAILED : QN__EXIT_GOOD;
        if (!v->json)
            qn__sanitize_print(&s);
        else if (qn__json_print(json_pack("{s:o, s:s, s:O}", "kernel", qn__json_string(v->kernel),
                                          "sanitizer", v->sanitize, "found", s.found)) !=
                 QN__EXIT_GOOD)
            status = QN__EXIT_FAILED;
    }
    qn__sanitize_release(&s);
    return status;
}

static int run(const void *values)
{
    if (((const struct values *)values)->sanitize)
        return run_sanitizer(values);
    struct session s = {.v = values, .folder = "/tmp/quern-check-XXXXXX"};
    if (qn__plain_is_here())
        return run_inside(values);
    if (!mkdtemp(s.folder))
        return qn__complain(QN__EXIT_FAILED, "check: %s: %s", s.folder, strerror(errno));
    s.text_path = path_in(&s, "kernel.cl");
    s.log_path = path_in(&s, "log");
    const int status = s.text_path && s.log_path ? run_outside(&s)
                                                 : qn__complain(QN__EXIT_FAILED, "out of memory");
    remove_folder(&s);
    qn__str_release(&s.words);
    free(s.text_path);
    free(s.log_path);
    return status;
}

const struct qn__command qn__cmd_check = {
    .name = "check",
    .brief = "look for memory errors and data races in one kernel, no GPU needed",
    .about =
        "Translate FILE (kernel source; a .cl file is taken as it is), run KERNEL once under "
        "Oclgrind, and print what it finds: reads and writes outside of a buffer or of shared "
        "memory, data races between threads, barriers that not all threads reach, and uses of "
        "values that were never set (buffers given as out: without FILL hold none). Arguments as "
        "for `quern launch`; local:BYTES is a __local pointer of a .cl file. Oclgrind interprets "
        "every thread, so use small sizes. The exit status is 1 when something was found.\n"
        "\n"
        "With --sanitize the kernel becomes C (quern translate --to c) and machine code, and runs "
        "under one of clang's sanitizers in a program of its own; lines are those of FILE:\n"
        "\n"
        "  address    accesses outside of a buffer (each is exactly as large as said), of a "
        "__shared__, __device__ or local array, and of memory that was freed\n"
        "  undefined  misaligned and null addresses, indices beyond an array's type, and what else "
        "C leaves undefined\n"
        "  thread     data races between blocks and between threads of one block; each thread is "
        "one of the system\n"
        "\n"
        "Oclgrind (without --sanitize) alone finds values that were never set and barriers that "
        "not all threads reach, runs .cl files, and sees races in one block at a time. The "
        "sanitizers are faster, follow addresses found in memory, and name the line of the "
        "source. They need clang's runtime (Debian and Ubuntu: apt install libclang-rt-19-dev). "
        "QUERN_WATCHDOG=SECONDS ends a kernel that does not.",
    .sample =
        "check saxpy.cu saxpy -g 2 -b 32 -a inout:f32:64:ramp -a in:f32:64 -a f32:0.5 -a i32:64\n"
        "check reduce.cu 'sum<float>' -b 64 -s 256 -a out:f32:1 -a in:f32:100:rand -a i32:100\n"
        "check reduce.cu 'sum<float>' -b 64 -s 256 -a out:f32:1 -a in:f32:100 -a i32:100 "
        "--sanitize thread",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
