/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers of a kernel under measurement: see kernel_buffers.h. */
#include "tools/kernel_buffers.h"

#include "tools/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool fill(struct qn__kernel_buffers *b, uint32_t i)
{
    const struct qn__launch_arg *arg = &b->args[i];
    struct qn__kernel_buffer *buffer = &b->buffers[i];
    const uint64_t bytes = qn__launch_arg_bytes(arg);
    b->bytes += (double)bytes * (arg->is_input && arg->is_output ? 2 : 1);
    buffer->start = malloc(bytes + 1);
    buffer->first = arg->is_output ? malloc(bytes + 1) : NULL;
    if (!buffer->start || (arg->is_output && !buffer->first)) {
        qn__complain(0, "out of memory");
        return false;
    }
    if (qn__launch_arg_fill(buffer->start, arg) == QN_OK &&
        qn_memory_alloc(&buffer->addr, b->dev, bytes) == QN_OK)
        return true;
    qn__complain_status("%s", b->command);
    return false;
}

bool qn__kernel_buffers_open(struct qn__kernel_buffers *out, const char *command, qn_device *dev,
                             const struct qn__option_list *words)
{
    static qn_addr null;
    *out = (struct qn__kernel_buffers){.command = command, .dev = dev, .n = words->n};
    out->args = calloc(words->n + (size_t)1, sizeof *out->args);
    out->buffers = calloc(words->n + (size_t)1, sizeof *out->buffers);
    out->pointers = calloc(words->n + (size_t)1, sizeof *out->pointers);
    if (!out->args || !out->buffers || !out->pointers)
        return qn__complain(false, "out of memory");
    for (uint32_t i = 0; i < out->n; i++)
        if (qn__launch_arg_parse(&out->args[i], words->items[i]) != QN_OK) {
            qn__complain_status("%s: --arg %s", command, words->items[i]);
            return false;
        }
    for (uint32_t i = 0; i < out->n; i++) {
        struct qn__launch_arg *arg = &out->args[i];
        out->pointers[i] = arg->form == QN__ARG_BUFFER ? (void *)&out->buffers[i].addr
                           : arg->form == QN__ARG_NULL ? (void *)&null
                                                       : arg->value;
        if (arg->form == QN__ARG_BUFFER && !fill(out, i))
            return false;
    }
    return true;
}

void qn__kernel_buffers_close(struct qn__kernel_buffers *b)
{
    for (uint32_t i = 0; b->buffers && i < b->n; i++) {
        qn_memory_free(b->dev, b->buffers[i].addr);
        free(b->buffers[i].start);
        free(b->buffers[i].first);
    }
    free(b->args);
    free(b->buffers);
    free(b->pointers);
    *b = (struct qn__kernel_buffers){0};
}

bool qn__kernel_buffers_fit(const struct qn__kernel_buffers *b, const qn_kernel *kernel,
                            const char *name)
{
    const qn_kernel_info *info = qn_kernel_get_info(kernel);
    if (!info->args_known)
        return true;
    if (info->n_args != b->n) {
        qn__complain(0, "%s: %s takes %u arguments, %u were given", b->command, name, info->n_args,
                     b->n);
        return false;
    }
    for (uint32_t i = 0; i < b->n; i++)
        if (qn__launch_arg_check(&b->args[i], &info->args[i], i) != QN_OK) {
            qn__complain_status("%s: %s", b->command, name);
            return false;
        }
    return true;
}

static bool is_same(const unsigned char *now, const unsigned char *first,
                    const struct qn__launch_arg *arg, double tolerance)
{
    const size_t size = qn__number_bytes(arg->type);
    if (!(tolerance > 0))
        return memcmp(now, first, qn__launch_arg_bytes(arg)) == 0;
    for (uint64_t i = 0; i < arg->n_elems; i++) {
        const double a = qn__number_load(now + i * size, arg->type);
        const double b = qn__number_load(first + i * size, arg->type);
        if (memcmp(now + i * size, first + i * size, size) != 0 &&
            !(fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b))))
            return false;
    }
    return true;
}

qn_status qn__kernel_buffers_run(bool *same, struct qn__kernel_buffers *b, qn_stream *stream,
                                 const qn_kernel *kernel, const qn_dims *dims, bool is_first,
                                 double tolerance)
{
    qn_status status = QN_OK;
    *same = true;
    for (uint32_t i = 0; i < b->n && status == QN_OK; i++)
        if (b->buffers[i].start)
            status = qn_memory_upload(b->dev, b->buffers[i].addr, b->buffers[i].start,
                                      qn__launch_arg_bytes(&b->args[i]), NULL);
    if (status == QN_OK)
        status = qn_stream_launch(stream, kernel, dims, b->n ? b->pointers : NULL);
    if (status == QN_OK)
        status = qn_stream_sync(stream);
    for (uint32_t i = 0; i < b->n && status == QN_OK; i++) {
        struct qn__kernel_buffer *buffer = &b->buffers[i];
        const uint64_t bytes = buffer->first ? qn__launch_arg_bytes(&b->args[i]) : 0;
        if (!buffer->first)
            continue;
        unsigned char *now = is_first ? buffer->first : malloc(bytes + 1);
        if (!now)
            return qn__fail(QN_E_MEMORY, "no memory to compare outputs");
        status = qn_memory_download(b->dev, now, buffer->addr, bytes, NULL);
        if (!is_first && status == QN_OK)
            *same &= is_same(now, buffer->first, &b->args[i], tolerance);
        if (!is_first)
            free(now);
    }
    return status;
}
