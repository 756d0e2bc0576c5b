/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a batch of programs in a child process and compares every buffer with the interpretation.
 * The child writes outcomes into shared memory as it goes, so that after a crash the parent knows
 * which kernel it was. */
#include "tests/compiler/generator/on_device.h"

#include "tests/compiler/generator/unoptimised.h"

#include <errno.h>
#include <quern/quern.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct report {       /* shared with the child */
    uint32_t current; /* the program it works on; n: still building */
    struct gen_device device;
    struct gen_outcome outcomes[];
};

struct buffers {
    unsigned char *want[GEN_MAX_BUFFERS], *got[GEN_MAX_BUFFERS];
    qn_addr addr[GEN_MAX_BUFFERS];
};

const char *gen_verdict_text(enum gen_verdict verdict)
{
    static const char *const texts[] = {
        [GEN_AGREES] = "agrees",   [GEN_DIFFERS] = "computes something else",
        [GEN_REFUSED] = "refused", [GEN_CRASHED] = "crashed",
        [GEN_HANGS] = "hangs",     [GEN_NO_DEVICE] = "no device",
        [GEN_NOT_RUN] = "not run",
    };
    return texts[verdict];
}

/* ---- In the child ---- */

static void print_bytes(char *out, size_t n_out, const unsigned char *bytes, uint32_t n)
{
    size_t len = 0;
    for (uint32_t i = 0; i < n && len + 3 < n_out; i++)
        len += (size_t)snprintf(out + len, n_out - len, "%02x", bytes[i]);
}

static void compare(struct gen_outcome *out, const struct gen_program *p, const struct buffers *b)
{
    for (uint32_t i = 0; i < p->n_buffers; i++) {
        const struct gen_type *type = p->buffers[i].element;
        for (uint32_t e = 0; e < p->buffers[i].n; e++) {
            const size_t at = (size_t)e * type->size_bytes;
            char got[65] = "", want[65] = "";
            if (gen_same(type, b->got[i] + at, b->want[i] + at))
                continue;
            print_bytes(got, sizeof got, b->got[i] + at, type->size_bytes);
            print_bytes(want, sizeof want, b->want[i] + at, type->size_bytes);
            out->verdict = GEN_DIFFERS;
            snprintf(out->message, sizeof out->message,
                     "%s[%u] (%s) is %s, must be %s (bytes in memory order)",
                     p->buffers[i].var->name, e, type->name, got, want);
            return;
        }
    }
    out->verdict = GEN_AGREES;
}

static qn_status upload(struct buffers *b, const struct gen_program *p, qn_device *dev)
{
    for (uint32_t i = 0; i < p->n_buffers; i++) {
        const size_t bytes = gen_buffer_bytes(&p->buffers[i]);
        qn_status s = qn_memory_alloc(&b->addr[i], dev, bytes);
        if (s == QN_OK)
            s = qn_memory_upload(dev, b->addr[i], p->buffers[i].initial, bytes, NULL);
        if (s != QN_OK)
            return s;
    }
    return QN_OK;
}

static qn_status launch(struct buffers *b, const struct gen_program *p, qn_device *dev,
                        qn_module *mod, qn_stream *stream)
{
    void *args[GEN_MAX_BUFFERS + GEN_MAX_SCALARS];
    qn_dims dims = {.shared_bytes = p->dynamic_bytes};
    const qn_kernel *kernel;
    memcpy(dims.grid, p->grid, sizeof dims.grid);
    memcpy(dims.block, p->block, sizeof dims.block);
    for (uint32_t i = 0; i < p->n_buffers; i++)
        args[i] = &b->addr[i];
    for (uint32_t i = 0; i < p->n_arguments; i++)
        args[p->n_buffers + i] = p->arguments[i];
    qn_status s = qn_kernel_find(&kernel, mod, p->kernel->name);
    if (s == QN_OK)
        s = qn_stream_launch(stream, kernel, &dims, args);
    if (s == QN_OK)
        s = qn_stream_sync(stream);
    for (uint32_t i = 0; i < p->n_buffers && s == QN_OK; i++)
        s = qn_memory_download(dev, b->got[i], b->addr[i], gen_buffer_bytes(&p->buffers[i]), NULL);
    return s;
}

static void run_program(struct gen_outcome *out, const struct gen_program *p, qn_device *dev,
                        qn_module *mod, qn_stream *stream)
{
    struct buffers b = {0};
    const char *why;
    for (uint32_t i = 0; i < p->n_buffers; i++) {
        b.want[i] = gen_buffer_copy(&p->buffers[i]);
        b.got[i] = gen_buffer_copy(&p->buffers[i]);
    }
    const bool accepted = gen_interpret(b.want, p, GEN_UNWRITTEN_RANDOM, &why);
    qn_status s = upload(&b, p, dev);
    if (s == QN_OK)
        s = launch(&b, p, dev, mod, stream);
    if (!accepted) {
        out->verdict = GEN_NOT_RUN;
        snprintf(out->message, sizeof out->message, "interpreter: %s", why);
    } else if (s != QN_OK) {
        out->verdict = GEN_REFUSED;
        snprintf(out->message, sizeof out->message, "%s", qn_message());
    } else {
        compare(out, p, &b);
    }
    for (uint32_t i = 0; i < p->n_buffers; i++) {
        qn_memory_free(dev, b.addr[i]);
        free(b.want[i]);
        free(b.got[i]);
    }
}

static void say_of_all(struct report *r, uint32_t n, enum gen_verdict verdict, const char *message)
{
    for (uint32_t i = 0; i < n; i++) {
        r->outcomes[i].verdict = verdict;
        snprintf(r->outcomes[i].message, sizeof r->outcomes[i].message, "%s", message);
    }
}

/* *why: the compiler's log, or what went wrong. */
static bool build(qn_module **out, const char **why, qn_log *log, qn_device *dev, const char *text,
                  bool optimised)
{
    /* one rounding per operation, as the interpreter does it */
    static const char *const options[] = {"--fmad=false", "-w"};
    const qn_compile_options how = {.bypass_cache = true};
    const qn_source src = {.text = text, .path = "random.cu", .options = options, .n_options = 2};
    qn_image *image;
    void *cubin;
    size_t n;
    if (optimised) {
        const qn_status s = qn_module_build(out, dev, &src, &how, log);
        *why = log->text && *log->text ? log->text : qn_message();
        return s == QN_OK;
    }
    if (!gen_compile_unoptimised(&cubin, &n, why, text, qn_device_get_info(dev)->target))
        return false;
    qn_status s = qn_image_load_bytes(&image, cubin, n, NULL);
    free(cubin);
    if (s == QN_OK)
        s = qn_module_load(out, dev, image);
    *why = qn_message();
    return s == QN_OK;
}

static void describe(struct gen_device *out, const qn_device_info *info)
{
    if (!strncmp(info->target, "opencl:", 7))
        snprintf(out->profile, sizeof out->profile, "%s", info->target + 7);
    out->is_cuda = !strncmp(info->target, "cuda:", 5);
    snprintf(out->name, sizeof out->name, "%s", info->name);
    snprintf(out->driver, sizeof out->driver, "%s", info->driver);
}

static void work(struct report *r, struct gen_program *const *programs, uint32_t n, uint32_t only,
                 const char *device, bool optimised)
{
    qn_device *dev;
    qn_module *mod;
    qn_stream *stream;
    qn_log log;
    const char *why;
    if (qn_device_open(&dev, device) != QN_OK) {
        say_of_all(r, n, GEN_NO_DEVICE, qn_message());
        return;
    }
    describe(&r->device, qn_device_get_info(dev));
    struct qn__str text = {0};
    gen_print_head(&text);
    for (uint32_t i = 0; i < n; i++)
        gen_print(&text, programs[i]);
    if (!build(&mod, &why, &log, dev, text.text, optimised)) {
        say_of_all(r, n, GEN_REFUSED, why);
        return;
    }
    if (qn_stream_create(&stream, dev, NULL) != QN_OK) {
        say_of_all(r, n, GEN_NO_DEVICE, qn_message());
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (only != GEN_EACH && only != i) {
            r->outcomes[i].verdict = GEN_NOT_RUN;
            continue;
        }
        r->current = i;
        run_program(&r->outcomes[i], programs[i], dev, mod, stream);
    }
}

/* ---- In the parent ---- */

/* Wait until the child ends; after limit_s it is killed. Returns its status, -1 for the limit. */
static int wait_for(pid_t child, uint32_t limit_s)
{
    const struct timespec moment = {.tv_nsec = 5000000};
    for (uint64_t turns = 0;; turns++) {
        int status;
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            return status;
        if (turns > limit_s * (uint64_t)200) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return -1;
        }
        nanosleep(&moment, NULL);
    }
}

static void explain_end(struct report *r, uint32_t n, int status)
{
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    const bool building = r->current >= n;
    for (uint32_t i = building ? 0 : r->current; i < n; i++) {
        struct gen_outcome *o = &r->outcomes[i];
        o->verdict = i > r->current ? GEN_NOT_RUN : status == -1 ? GEN_HANGS : GEN_CRASHED;
        if (building)
            o->verdict = status == -1 ? GEN_HANGS : GEN_CRASHED;
        snprintf(o->message, sizeof o->message, "%s %s", building ? "building" : "running",
                 status == -1          ? "took too long"
                 : WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                       : "ended the process");
    }
}

void gen_run_on_device(struct gen_outcome *outcomes, struct gen_program *const *programs,
                       uint32_t n, uint32_t only, const char *device, bool optimised,
                       uint32_t limit_s)
{
    const size_t bytes = sizeof(struct report) + n * sizeof(struct gen_outcome);
    FILE *file = tmpfile(); /* for memory that parent and child share */
    if (!file || ftruncate(fileno(file), (off_t)bytes))
        abort();
    struct report *r = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    if (r == MAP_FAILED)
        abort();
    fclose(file);
    r->current = n;
    fflush(NULL);
    const pid_t child = fork();
    if (child == -1)
        abort();
    if (child == 0) {
        work(r, programs, n, only, device, optimised);
        _exit(0); /* drivers' exit handlers are not what is tested */
    }
    explain_end(r, n, wait_for(child, limit_s));
    memcpy(outcomes, r->outcomes, n * sizeof *outcomes);
    for (uint32_t i = 0; i < n; i++)
        outcomes[i].device = r->device;
    munmap(r, bytes);
}
