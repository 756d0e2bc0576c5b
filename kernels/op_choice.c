/* SPDX-License-Identifier: Apache-2.0
 *
 * Choices of `quern tune` for shipped kernels: see op_choice.h. */
#include "kernels/op_choice.h"

#include "base/arena.h"
#include "base/error.h"
#include "kernels/launch_sizes.h"

#include <stdlib.h>
#include <string.h>

enum device_kind { PROCESSOR, CPU, GPU };

static bool is_kind(const qn_device_info *dev, enum device_kind kind)
{
    const bool is_cpu = dev->device_class == QN_DEVICE_CPU;
    return kind == GPU ? !is_cpu : is_cpu && (kind == CPU || !strcmp(dev->kind, "cpu"));
}

static const struct {
    enum qn__op_id op;
    enum device_kind device;
    const char *parameters;
} of_ops[] = {
#define QN__TUNE_OP(op, device, parameters) {QN__OP_##op, device, parameters},
#include "kernels/kernels.def"
};

static const struct {
    enum qn__launch_kind launch;
    enum device_kind device;
    const char *parameters;
} of_launches[] = {
#define QN__TUNE(launch, device, parameters) {QN__LAUNCH_##launch, device, parameters},
#include "kernels/kernels.def"
};

const char *qn__op_parameters(const struct qn__op_row *row, const qn_device_info *dev)
{
    for (size_t i = 0; i < sizeof of_ops / sizeof *of_ops; i++)
        if (of_ops[i].op == row->op && is_kind(dev, of_ops[i].device))
            return of_ops[i].parameters;
    for (size_t i = 0; i < sizeof of_launches / sizeof *of_launches; i++)
        if (of_launches[i].launch == row->launch && is_kind(dev, of_launches[i].device))
            return of_launches[i].parameters;
    return "";
}

qn_status qn__op_choice_read(struct qn__op_choice *out, const qn_device_info *dev,
                             const char *const *values, uint32_t n)
{
    *out = (struct qn__op_choice){0};
    for (uint32_t i = 0; i < n; i++) {
        const char *equals = strchr(values[i], '=');
        const long long value = equals ? strtoll(equals + 1, NULL, 10) : -1;
        if (value < 0 || value > INT32_MAX)
            return qn__fail(QN_E_INVALID, "%s: not a number of 0 to 2147483647", values[i]);
        if (!strncmp(values[i], "BLOCK=", 6))
            out->launch.block = (uint32_t)value;
        else if (!strncmp(values[i], "EACH=", 5))
            out->launch.each = (uint64_t)value;
        else if (strncmp(values[i], "QK_", 3) != 0 || out->n_defines == QN__CHOICE_DEFINES)
            return qn__fail(QN_E_INVALID, "%s: no parameter of a shipped kernel", values[i]);
        else if (value) /* 0: as the source has it */
            out->defines[out->n_defines++] = values[i];
    }
    const uint32_t block = out->launch.block, wave = qn__kernel_wave(dev);
    if (block % wave || (dev->block_threads_max && block > dev->block_threads_max))
        return qn__fail(QN_E_INVALID, "BLOCK=%u: not a multiple of %u up to %u", block, wave,
                        dev->block_threads_max);
    return QN_OK;
}

qn_status qn__op_choices_find(struct qn__op_choices *out, qn_device *dev,
                              const struct qn__op_row *row)
{
    const qn_source source = {.text = row->info.source, .path = row->info.file};
    *out = (struct qn__op_choices){0};
    if (!*qn_tuned_get_file(NULL))
        return QN_OK;
    const qn_status s = qn_tuned_find(&out->tuned, dev, &source, row->info.kernel, 1);
    if (s != QN_OK)
        return s == QN_E_NOT_FOUND ? QN_OK : s;
    const uint32_t n = qn_tuned_get_count(out->tuned);
    out->items = qn__alloc(n, sizeof *out->items);
    if (!out->items)
        return qn__fail(QN_E_MEMORY, "no memory for tuned values");
    for (uint32_t i = 0; i < n; i++) {
        const qn_tuned_info *info = qn_tuned_get_at(out->tuned, i);
        const qn_status read = qn__op_choice_read(&out->items[i], qn_device_get_info(dev),
                                                  info->defines, info->n_defines);
        if (read != QN_OK)
            return qn__fail_prefix(read, "%s: %s", qn_tuned_get_file(NULL), row->info.kernel);
        out->items[i].size_class = info->size_class;
        out->n++;
    }
    return QN_OK;
}

void qn__op_choices_release(struct qn__op_choices *c)
{
    if (!c)
        return;
    qn_tuned_release(c->tuned);
    free(c->items);
    *c = (struct qn__op_choices){0};
}

static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

const struct qn__op_choice *qn__op_choice_for(const struct qn__op_choices *c, uint64_t items)
{
    const struct qn__op_choice *best = NULL;
    uint32_t bits = 0;
    for (; items; items >>= 1)
        bits++;
    for (uint32_t i = 0; i < c->n; i++)
        if (!best || distance(c->items[i].size_class, bits) < distance(best->size_class, bits))
            best = &c->items[i];
    return best;
}
