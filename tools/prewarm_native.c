/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver's binary is worth keeping once the kernel has run in the block shapes it will be used
 * with (PoCL compiles per shape). So each launch of the manifest is made once: numbers are 0,
 * pointers lead to zeros. A kernel that does not end on such arguments has no launches in its
 * manifest. */
#include "tools/prewarm_native.h"
#include "tools/commands.h"

#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>

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

qn_status qn__prewarm_native(qn_bundle_writer *w, qn_device *dev,
                             const struct qn__manifest_kernel *k, bool ops, qn_log *log)
{
    qn_module *mod;
    *log = (qn_log){0};
    qn_status s = ops ? run_ops(dev, k->source.path) : run_launches(dev, k);
    if (s == QN_OK)
        s = qn_module_build(&mod, dev, &k->source, NULL, log); /* loads what was saved */
    if (s != QN_OK)
        return s;
    if (w && qn_image_get_info(qn_module_get_image(mod))->kind == QN_IMAGE_OPENCL_BINARY)
        s = qn_bundle_writer_add_image(w, qn_module_get_image(mod));
    qn_module_close(mod);
    return s;
}
