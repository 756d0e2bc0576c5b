/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver's binary is worth keeping once the kernel has run in the block shapes it will be used
 * with (PoCL compiles per shape). So each launch of the manifest is made once: numbers are 0,
 * pointers lead to zeros. A kernel that does not end on such arguments has no launches in its
 * manifest. */
#define _GNU_SOURCE
#include "tools/prewarm_native.h"

#include "base/file.h"
#include "tools/commands.h"
#include "tools/json_text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <quern/quern.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SCRATCH_BYTES = 1 << 20, VALUE_MAX_BYTES = 4096 };

static qn_status launch(qn_device *dev, qn_module *mod, const struct qn__manifest_launch *l)
{
    static const unsigned char zeros[VALUE_MAX_BYTES];
    const qn_kernel *kernel;
    qn_stream *stream = NULL;
    qn_addr scratch = 0;
    qn_status s = qn_kernel_find(&kernel, mod, l->kernel);
    if (s != QN_OK)
        return s;
    const qn_kernel_info *info = qn_kernel_get_info(kernel);
    void **args = calloc(info->n_args + 1, sizeof *args);
    s = args ? qn_stream_create(&stream, dev, NULL) : QN_E_MEMORY;
    if (s == QN_OK)
        s = qn_memory_alloc(&scratch, dev, SCRATCH_BYTES);
    if (s == QN_OK)
        s = qn_memory_fill(dev, scratch, 0, 4, SCRATCH_BYTES / 4, stream);
    for (uint32_t i = 0; s == QN_OK && i < info->n_args; i++)
        if (info->args[i].size_bytes > sizeof zeros)
            s = QN_E_LIMIT;
    for (uint32_t i = 0; s == QN_OK && i < info->n_args; i++)
        args[i] =
            info->args[i].kind == QN_ARG_POINTER ? (void *)&scratch : (void *)(uintptr_t)zeros;
    if (s == QN_OK)
        s = qn_stream_launch(stream, kernel, &l->dims, args);
    if (s == QN_OK)
        s = qn_stream_sync(stream);
    if (scratch && qn_memory_free(dev, scratch) != QN_OK && s == QN_OK)
        s = QN_E_DRIVER;
    qn_stream_destroy(stream);
    free(args);
    return s;
}

/* The shipped kernels of one file have arguments of their own: their checks are their launches. */
static qn_status run_ops(qn_device *dev, const char *file)
{
    qn_status s = QN_OK;
    for (uint32_t i = 0; s == QN_OK && i < qn_op_count(); i++)
        for (uint32_t shape = 0;
             s == QN_OK && !strcmp(qn_op_get(i)->file, file) && shape < qn_op_count_shapes(i, true);
             shape++) {
            qn_op_report report;
            s = qn_op_check(&report, dev, i, shape, 0);
            qn_op_report_release(&report);
        }
    return s;
}

static qn_status run_launches(qn_device *dev, const struct qn__manifest_kernel *k)
{
    qn_module *mod;
    qn_status s = qn_module_build(&mod, dev, &k->source, NULL, NULL);
    if (s != QN_OK)
        return s;
    for (uint32_t i = 0; s == QN_OK && i < k->n_launches; i++)
        s = launch(dev, mod, &k->launches[i]);
    qn_module_close(mod); /* saves the binary */
    return s;
}

static qn_status make_binary(qn_image **out, qn_device *dev, const struct qn__manifest_kernel *k,
                             bool ops)
{
    qn_module *mod;
    qn_status s = ops ? run_ops(dev, k->source.path) : run_launches(dev, k);
    if (s == QN_OK)
        s = qn_cache_set_mode("normal"); /* --refresh is over: load what was saved */
    if (s == QN_OK)
        s = qn_module_build(&mod, dev, &k->source, NULL, NULL);
    if (s != QN_OK)
        return s;
    *out = qn_image_retain(qn_module_get_image(mod));
    qn_module_close(mod);
    return QN_OK;
}

int qn__native_step(const struct qn__manifest_kernel *k, bool ops, const char *device,
                    const char *image_file)
{
    qn_device *dev;
    qn_image *image = NULL;
    const char *message = "", *key = "";
    qn_status s = qn_device_open(&dev, device);
    if (s == QN_OK)
        s = make_binary(&image, dev, k, ops);
    if (s == QN_OK && qn_image_get_info(image)->kind != QN_IMAGE_OPENCL_BINARY) {
        s = QN_E_UNSUPPORTED;
        message = "the driver gives no binary, or the cache folder may not be written";
    } else if (s == QN_OK) {
        s = qn_image_save(image, image_file);
        key = qn_image_get_key(image);
    }
    if (s != QN_OK && !message[0])
        message = qn_message();
    json_t *o = json_pack("{s:b, s:b, s:s, s:o, s:s}", "ok", s == QN_OK, "verified",
                          image && qn_image_is_verified(image), "status", qn_status_name(s),
                          "message", qn__json_string(message), "key", key);
    char *line = json_dumps(o, JSON_COMPACT);
    printf("\n%s\n", line ? line : "{}"); /* a line of its own, whatever a driver has printed */
    free(line);
    json_decref(o);
    qn_image_release(image);
    qn_device_close(dev);
    return s == QN_OK ? QN__EXIT_GOOD : QN__EXIT_FAILED;
}

/* ---- outside ---- */

/* The child's stdout, until it ends or its time is up. */
static bool collect(struct qn__str *out, int fd, double until_ms)
{
    char buffer[4096];
    for (;;) {
        const double left_ms = until_ms - qn__now_ms();
        struct pollfd p = {.fd = fd, .events = POLLIN};
        const int ready = left_ms > 0 ? poll(&p, 1, (int)left_ms + 1) : 0;
        if (ready == 0)
            return false;
        const ssize_t n = ready > 0 ? read(fd, buffer, sizeof buffer) : -1;
        if (n > 0)
            qn__str_add_bytes(out, buffer, (size_t)n);
        else if (n == 0 || errno != EINTR)
            return true;
    }
}

static pid_t start(const char *const *words, uint32_t n_words, int output)
{
    extern char **environ;
    pid_t pid = -1;
    posix_spawn_file_actions_t actions;
    const char **argv = calloc(n_words + (size_t)2, sizeof *argv);
    if (!argv)
        return -1;
    argv[0] = "quern";
    for (uint32_t i = 0; i < n_words; i++)
        argv[i + 1] = words[i];
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (posix_spawn(&pid, "/proc/self/exe", &actions, NULL, (char *const *)(uintptr_t)argv,
                    environ) != 0)
        pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    free(argv);
    return pid;
}

static void set(struct qn__native_result *r, const char *status, const char *message,
                const char *key)
{
    r->status = strdup(status);
    r->message = strdup(message);
    r->key = strdup(key);
}

/* The last line of what the process printed. */
static void read_answer(struct qn__native_result *r, struct qn__str *said, int wait_status,
                        const char *image_file)
{
    char how[80];
    while (said->len && said->text[said->len - 1] == '\n')
        said->text[--said->len] = 0;
    const char *line = said->len ? strrchr(said->text, '\n') : NULL;
    json_t *o = json_loads(line ? line : "", 0, NULL);
    const char *status = json_string_value(json_object_get(o, "status"));
    const char *message = json_string_value(json_object_get(o, "message"));
    const char *key = json_string_value(json_object_get(o, "key"));
    snprintf(how, sizeof how, "the driver ended the process: %s %d",
             WIFSIGNALED(wait_status) ? "signal" : "exit status",
             WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : WEXITSTATUS(wait_status));
    if (!status || !message || !key)
        set(r, qn_status_name(QN_E_DRIVER), how, "");
    else if (!json_is_true(json_object_get(o, "ok")))
        set(r, status, message, key);
    else if (qn_image_load(&r->image, image_file, NULL) != QN_OK)
        set(r, qn_status_name(QN_E_IO), qn_message(), "");
    else
        set(r, status, message, key);
    r->good = r->image != NULL;
    r->verified = json_is_true(json_object_get(o, "verified"));
    json_decref(o);
}

void qn__native_run(struct qn__native_result *out, const char *const *words, uint32_t n_words,
                    const char *image_file, uint32_t limit_s)
{
    int fds[2], wait_status = 0;
    char late[96];
    struct qn__str said = {0};
    *out = (struct qn__native_result){0};
    if (pipe2(fds, O_CLOEXEC) != 0) {
        set(out, qn_status_name(QN_E_IO), strerror(errno), "");
        return;
    }
    const pid_t pid = start(words, n_words, fds[1]);
    close(fds[1]);
    const bool in_time = pid > 0 && collect(&said, fds[0], qn__now_ms() + limit_s * 1e3);
    close(fds[0]);
    if (pid > 0 && !in_time)
        kill(pid, SIGKILL);
    while (pid > 0 && waitpid(pid, &wait_status, 0) < 0 && errno == EINTR)
        ;
    snprintf(late, sizeof late, "it did not finish in %u s and was stopped (--time-limit)",
             limit_s);
    if (pid < 0)
        set(out, qn_status_name(QN_E_IO), "its process cannot be started", "");
    else if (!in_time)
        set(out, qn_status_name(QN_E_DRIVER), late, "");
    else
        read_answer(out, &said, wait_status, image_file);
    qn__str_release(&said);
}

void qn__native_result_release(struct qn__native_result *r)
{
    free(r->status);
    free(r->message);
    free(r->key);
    qn_image_release(r->image);
    *r = (struct qn__native_result){0};
}
