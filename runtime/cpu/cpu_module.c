/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules: an image's shared object, the table of kernels in it, and its variables. The table was
 * made by whoever made the image, so every address in it is held against the object's segments. */
#include "runtime/cpu/cpu_backend.h"
#include "runtime/cpu/cpu_elf.h"
#include "runtime/cpu/cpu_load.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 65536 };

/* -- the table -- */

struct object { /* what is being loaded */
    struct qn__cpu_elf elf;
    uint64_t base;
};

static const void *at(const struct object *o, const struct qn__cpu_symbol *s)
{
    return (const void *)(uintptr_t)(o->base + s->address);
}

static qn_status find_u32(uint32_t *out, const struct object *o, const char *name)
{
    const struct qn__cpu_symbol *s = qn__cpu_elf_find(&o->elf, name);
    if (!s || s->bytes != sizeof *out || s->is_code)
        return qn__fail(QN_E_CORRUPT, "the image has no number %s", name);
    memcpy(out, at(o, s), sizeof *out);
    return QN_OK;
}

static bool is_text(const struct object *o, const char *p)
{
    const uint64_t address = (uintptr_t)p - o->base;
    const struct qn__cpu_segment *s = qn__cpu_elf_segment(&o->elf, address, 1);
    return s && memchr(p, 0, s->end - address);
}

static bool is_code(const struct object *o, qn_kernel_run *run)
{
    uintptr_t p;
    memcpy(&p, &run, sizeof p);
    const struct qn__cpu_segment *s = qn__cpu_elf_segment(&o->elf, p - o->base, 1);
    return s && s->may_run;
}

/* The table of that name and its length; rows of so many bytes. */
static qn_status find_table(const void **rows, uint32_t *n, const struct object *o,
                            const char *name, const char *count, size_t row_bytes)
{
    QN_TRY(find_u32(n, o, count));
    const struct qn__cpu_symbol *s = qn__cpu_elf_find(&o->elf, name);
    if (!s || s->is_code || *n > ROWS_MAX || s->address % _Alignof(void *) ||
        s->bytes < *n * row_bytes)
        return qn__fail(QN_E_CORRUPT, "the image has no table %s of %u rows", name, *n);
    *rows = at(o, s);
    return QN_OK;
}

static qn_status find_kernels(struct qn__cpu_module *mod, const struct object *o)
{
    uint32_t version = 0;
    const void *rows = NULL;
    QN_TRY(find_u32(&version, o, QN__CPU_SYMBOL_VERSION));
    if (version != QN__CPU_ABI_VERSION)
        return qn__fail(QN_E_MISMATCH,
                        "the image's kernels are called in version %u of a way that "
                        "is %d here",
                        version, QN__CPU_ABI_VERSION);
    QN_TRY(find_table(&rows, &mod->n_entries, o, QN__CPU_SYMBOL_KERNELS,
                      QN__CPU_SYMBOL_KERNELS_COUNT, sizeof *mod->entries));
    mod->entries = rows;
    for (uint32_t i = 0; i < mod->n_entries; i++)
        if (!is_text(o, mod->entries[i].name) || !is_code(o, mod->entries[i].run))
            return qn__fail(QN_E_CORRUPT, "kernel %u of the image is outside of it", i);
    return QN_OK;
}

static qn_status find_globals(struct qn__cpu_module *mod, const struct object *o)
{
    const void *rows = NULL;
    QN_TRY(find_table(&rows, &mod->n_globals, o, QN__CPU_SYMBOL_GLOBALS,
                      QN__CPU_SYMBOL_GLOBALS_COUNT, sizeof *mod->globals));
    mod->globals = rows;
    for (uint32_t i = 0; i < mod->n_globals; i++) {
        const struct qn_global_entry *g = &mod->globals[i];
        const struct qn__cpu_segment *s =
            qn__cpu_elf_segment(&o->elf, (uintptr_t)g->address - o->base, g->bytes);
        if (!is_text(o, g->name) || !s || !s->may_write)
            return qn__fail(QN_E_CORRUPT, "variable %u of the image is outside of it", i);
    }
    return QN_OK;
}

/* -- loading -- */

static qn_status load(struct qn__cpu_module *mod, const qn_device *dev, const qn_image *image)
{
    struct object o;
    const qn_image_info *info = &image->info;
    if (info->kind != QN_IMAGE_SHARED_OBJECT)
        return qn__fail(QN_E_MISMATCH, "the image holds no shared object");
    QN_TRY(qn__cpu_elf_read(&o.elf, &mod->arena, info->bytes, info->size_bytes,
                            qn__cpu_level_machine(dev->target.cpu.level)));
    QN_TRY(qn__cpu_load(&mod->handle, &o.base, info->bytes, info->size_bytes,
                        image->reflection.n_kernels ? image->reflection.kernels[0].info.name
                                                    : "image"));
    mod->code = (struct qn__cpu_code){info->bytes, info->size_bytes, o.base};
    QN_TRY(find_kernels(mod, &o));
    return find_globals(mod, &o);
}

/* What is wrong with an image is as if a driver had refused it: the cache makes it anew. */
qn_status qn__cpu_module_load(qn_module **out, qn_device *dev, qn_image *image, struct qn__str *log)
{
    (void)log;
    *out = NULL;
    struct qn__cpu_module *mod = qn__alloc(1, sizeof *mod);
    if (!mod)
        return qn__fail(QN_E_MEMORY, "no memory for a module");
    const qn_status s = load(mod, dev, image);
    if (s != QN_OK) {
        struct qn__message m;
        qn__message_save(&m);
        qn__cpu_module_close(&mod->base);
        qn__message_restore(&m);
        return s == QN_E_CORRUPT ? qn__fail(QN_E_DRIVER, "%s", m.text) : s;
    }
    *out = &mod->base;
    return QN_OK;
}

void qn__cpu_module_close(qn_module *module)
{
    struct qn__cpu_module *mod = (struct qn__cpu_module *)module;
    qn__cpu_unload(mod->handle);
    qn__arena_release(&mod->arena);
    free(mod);
}

qn_status qn__cpu_global_find(qn_addr *addr, uint64_t *bytes, qn_module *module, const char *symbol)
{
    const struct qn__cpu_module *mod = (struct qn__cpu_module *)module;
    for (uint32_t i = 0; i < mod->n_globals; i++)
        if (strcmp(mod->globals[i].name, symbol) == 0) {
            *addr = (uintptr_t)mod->globals[i].address;
            *bytes = mod->globals[i].bytes;
            return QN_OK;
        }
    return qn__fail(QN_E_NOT_FOUND, "no variable of that symbol");
}

/* -- kernels -- */

/* Bytes for the addresses of all arguments and a copy of each. */
static uint64_t args_bytes(const qn_kernel_info *info)
{
    enum { ALIGN_BYTES = 16 };
    uint64_t bytes = (uint64_t)info->n_args * sizeof(void *);
    for (uint32_t i = 0; i < info->n_args; i++)
        bytes +=
            (uint64_t)info->args[i].size_bytes +
            (info->args[i].align_bytes > ALIGN_BYTES ? info->args[i].align_bytes : ALIGN_BYTES);
    return bytes;
}

static void describe(struct qn__cpu_kernel *k, const qn_device *dev)
{
    enum { PREFERRED = 256 };
    qn_kernel_attributes *a = &k->base.attributes;
    uint32_t most = dev->info.block_threads_max;
    if (k->entry->max_items && k->entry->max_items < most)
        most = k->entry->max_items;
    if (k->base.info.block_threads_max && k->base.info.block_threads_max < most)
        most = k->base.info.block_threads_max;
    *a = (qn_kernel_attributes){.block_threads_max = most,
                                .block_threads_preferred = most < PREFERRED ? most : PREFERRED,
                                .static_shared_bytes = k->entry->shared_bytes,
                                .local_bytes = k->entry->frame_bytes,
                                .wave_width = k->entry->warp ? k->entry->warp : 1};
}

qn_status qn__cpu_kernel_open(qn_kernel **out, qn_module *module, const char *symbol,
                              const struct qn__kernel *signature)
{
    enum { ARGS_BYTES_MAX = 1 << 20 };
    const struct qn__cpu_module *mod = (struct qn__cpu_module *)module;
    const struct qn_kernel_entry *entry = NULL;
    *out = NULL;
    for (uint32_t i = 0; !entry && i < mod->n_entries; i++)
        if (strcmp(mod->entries[i].name, symbol) == 0)
            entry = &mod->entries[i];
    if (!entry)
        return qn__fail(QN_E_NOT_FOUND, "no kernel of that symbol");
    struct qn__cpu_kernel *k = qn__alloc(1, sizeof *k);
    struct qn__cpu_cost *cost = qn__alloc(1, sizeof *cost);
    if (!k || !cost) {
        free(k);
        free(cost);
        return qn__fail(QN_E_MEMORY, "no memory for kernel %s", symbol);
    }
    k->entry = entry;
    k->cost = cost;
    k->base.info.name = k->base.info.expression = k->base.info.symbol = entry->name;
    if (signature)
        k->base.info = signature->info;
    const uint64_t bytes = args_bytes(&k->base.info);
    if (bytes > ARGS_BYTES_MAX) {
        qn__cpu_kernel_close(&k->base);
        return qn__fail(QN_E_LIMIT, "%s: %llu bytes of arguments: at most %d", symbol,
                        (unsigned long long)bytes, ARGS_BYTES_MAX);
    }
    k->args_bytes = (uint32_t)bytes;
    describe(k, module->device);
    k->base.has_limits = true;
    *out = &k->base;
    return QN_OK;
}

void qn__cpu_kernel_close(qn_kernel *kernel)
{
    struct qn__cpu_kernel *k = (struct qn__cpu_kernel *)kernel;
    free(k->cost);
    free(k);
}
