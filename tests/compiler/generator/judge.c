/* SPDX-License-Identifier: Apache-2.0
 *
 * The second opinion on a text. */
#include "tests/compiler/generator/judge.h"

#include <errno.h>
#include <jansson.h>
#include <quern/quern.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { RIGHT = 0, WRONG = 1, CANNOT = 3, MOST_HIDDEN = 8 };

/* ---- In the other process ---- */

static unsigned char *bytes_of_hex(const char *hex, size_t n)
{
    unsigned char *bytes = calloc(n, 1);
    if (!bytes)
        abort();
    for (size_t i = 0; i < n && hex && hex[2 * i] && hex[2 * i + 1]; i++) {
        const char digits[3] = {hex[2 * i], hex[2 * i + 1], 0};
        bytes[i] = (unsigned char)strtoul(digits, NULL, 16);
    }
    return bytes;
}

/* The arguments that the translation added: dynamic shared memory and tables. */
static uint32_t add_hidden(struct qn__plain_arg *args, uint32_t n, const struct gen_program *p,
                           const json_t *root)
{
    const json_t *kernel = json_array_get(json_object_get(root, "kernels"), 0), *hidden;
    size_t i;
    json_array_foreach(json_object_get(kernel, "hidden"), i, hidden)
    {
        const json_t *index = json_object_get(hidden, "index");
        if (i == MOST_HIDDEN)
            break;
        if (!index) {
            args[n++] = (struct qn__plain_arg){.kind = QN__PLAIN_LOCAL, .n = p->dynamic_bytes};
            continue;
        }
        const json_t *global =
            json_array_get(json_object_get(root, "globals"), (size_t)json_integer_value(index));
        const size_t bytes = (size_t)json_integer_value(json_object_get(global, "size"));
        const char *hex = json_string_value(json_object_get(global, "initial"));
        args[n++] = (struct qn__plain_arg){
            .kind = QN__PLAIN_BUFFER, .bytes = bytes_of_hex(hex, bytes), .n = bytes};
    }
    return n;
}

static bool is_right(const struct gen_program *p, unsigned char *const *got)
{
    unsigned char *want[GEN_MAX_BUFFERS];
    const char *why;
    bool same = true;
    for (uint32_t i = 0; i < p->n_buffers; i++)
        want[i] = gen_buffer_copy(&p->buffers[i]);
    if (!gen_interpret(want, p, GEN_UNWRITTEN_RANDOM, &why))
        return false;
    for (uint32_t i = 0; i < p->n_buffers; i++)
        for (uint32_t e = 0; e < p->buffers[i].n; e++) {
            const size_t at = (size_t)e * p->buffers[i].element->size_bytes;
            same &= gen_same(p->buffers[i].element, got[i] + at, want[i] + at);
        }
    return same;
}

/* What this process allocates goes with it. */
int gen_run_preloaded(const struct gen_program *p, const char *profile,
                      const struct qn__plain_device *device, const char *build_options)
{
    static const char *const options[] = {"--fmad=false", "-w"};
    struct qn__plain_arg args[GEN_MAX_BUFFERS + GEN_MAX_SCALARS + MOST_HIDDEN] = {{0}};
    unsigned char *got[GEN_MAX_BUFFERS];
    struct qn__str text = {0};
    qn_translation t;
    qn_log log;
    uint32_t n = 0;
    gen_print_head(&text);
    gen_print(&text, p);
    const qn_source src = {
        .text = text.text, .path = "random.cu", .options = options, .n_options = 2};
    if (qn_translate(&t, &src, profile, NULL, &log) != QN_OK)
        return CANNOT;
    json_t *root = json_loads(t.reflect, 0, NULL);
    for (; n < p->n_buffers; n++) {
        const size_t bytes = gen_buffer_bytes(&p->buffers[n]);
        got[n] = gen_buffer_copy(&p->buffers[n]);
        args[n] = (struct qn__plain_arg){
            .kind = QN__PLAIN_BUFFER, .bytes = p->buffers[n].initial, .n = bytes, .result = got[n]};
    }
    const json_t *kernel = json_array_get(json_object_get(root, "kernels"), 0);
    for (uint32_t i = 0; i < p->n_arguments; i++, n++) {
        const json_t *info = json_array_get(json_object_get(kernel, "arguments"), n);
        args[n] =
            (struct qn__plain_arg){.kind = QN__PLAIN_VALUE,
                                   .bytes = p->arguments[i],
                                   .n = (size_t)json_integer_value(json_object_get(info, "size"))};
    }
    n = add_hidden(args, n, p, root);
    if (qn__plain_run(device, t.text, build_options, p->kernel->name, p->grid, p->block, args, n) !=
        QN_OK) {
        fprintf(stderr, "%s\n", qn_message());
        return CANNOT;
    }
    return is_right(p, got) ? RIGHT : WRONG;
}

/* ---- In this one ---- */

/* The exit status, or CANNOT. `command` ends with NULL. */
static int run(char **command, bool preload)
{
    pid_t child;
    int status;
    if (preload)
        setenv("LD_PRELOAD", "libOpenCL.so.1", 1);
    fflush(NULL);
    const int code = posix_spawnp(&child, command[0], NULL, NULL, command, environ);
    if (preload)
        unsetenv("LD_PRELOAD");
    if (code)
        return CANNOT;
    while (waitpid(child, &status, 0) == -1 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : CANNOT;
}

static bool is_empty(const char *path)
{
    FILE *f = fopen(path, "rb");
    const bool empty = f && fgetc(f) == EOF;
    if (f)
        fclose(f);
    return empty;
}

/* This program with words that name the program p, --judge for that profile, and the words of
 * `after`; those of `before` come first. Both end with NULL. */
static int run_self(char *const *before, const struct gen_program *p, const char *profile,
                    char *const *after)
{
    char self[4096], number[24], without[12], shapes[12];
    char *command[32];
    uint32_t n_words = 0;
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        abort();
    self[n] = 0;
    snprintf(number, sizeof number, "%llu", (unsigned long long)p->seed);
    snprintf(without, sizeof without, "%u", p->without);
    snprintf(shapes, sizeof shapes, "%u", p->shapes);
    char *own[] = {self,
                   "--seed",
                   number,
                   "--without",
                   without,
                   "--shapes",
                   shapes,
                   "--judge",
                   (char *)(uintptr_t)profile,
                   "--options",
                   "-cl-std=CL1.2 -cl-opt-disable",
                   NULL};
    char *const *const parts[] = {before, own, after};
    for (int i = 0; i < 3; i++)
        for (char *const *word = parts[i]; *word; word++)
            command[n_words++] = *word;
    command[n_words] = NULL;
    return run(command, after[0] != NULL);
}

bool gen_is_right_unoptimised(bool *differs, const struct gen_program *p,
                              const struct gen_device *device)
{
    char *before[] = {"timeout", "120", NULL};
    char *after[] = {"--device-name", (char *)(uintptr_t)device->name, "--driver",
                     (char *)(uintptr_t)device->driver, NULL};
    const int status = run_self(before, p, device->profile, after);
    *differs = status == WRONG;
    return status == RIGHT;
}

enum gen_judgement gen_judge(const char **by, const struct gen_program *p,
                             const struct gen_device *device)
{
    char checked[256], log[] = "/tmp/quern-judge-XXXXXX";
    const int file = mkstemp(log);
    if (file == -1)
        abort();
    close(file);
    /* the plain read that a loop of compare-and-swaps begins with is no fault */
    snprintf(checked, sizeof checked, "%s:race_check+", device->profile);
    /* not optimised: it mistakes LLVM's numbers of 2 bits */
    char *oclgrind[] = {"timeout", "120", "oclgrind", "--data-races", "--max-errors", "20",
                        "--log",   log,   NULL};
    char *nothing[] = {NULL};
    const int status = run_self(oclgrind, p, checked, nothing);
    const bool is_clean = is_empty(log);
    unlink(log);
    if (status == RIGHT && is_clean)
        return *by = "Oclgrind computes it right", GEN_THE_DRIVER;
    if ((status == RIGHT || status == WRONG) && !is_clean)
        return *by = "Oclgrind reports a fault in the text", GEN_OURS;
    const bool differs = status == WRONG;
    bool differs_here;
    if (gen_is_right_unoptimised(&differs_here, p, device)) {
        *by = differs ? "right with -cl-opt-disable, although not under Oclgrind"
                      : "right with -cl-opt-disable";
        return GEN_THE_DRIVER;
    }
    *by = differs        ? "Oclgrind computes something else too"
          : differs_here ? "not right with -cl-opt-disable either, and Oclgrind could not"
                         : "neither Oclgrind nor -cl-opt-disable could";
    return GEN_OURS;
}
