/* SPDX-License-Identifier: Apache-2.0
 *
 * Registration: what clang's host code calls before main() for each translation unit. */
#include "cudart/programs.h"

#include "base/wire.h"
#include "cudart/carried_program.h"

#include <stdlib.h>
#include <string.h>

/* What clang makes around the bytes of a fat binary. */
struct wrapper {
    int magic, version;
    const unsigned char *binary;
    void *unused;
};

struct table { /* sorted by address in the host, the first member of its items */
    void **items;
    size_t n, capacity;
};

static struct qn__rt_program *programs, **last_program = &programs;
static struct table kernels, variables;

static const void *host_of(const void *item)
{
    return *(const void *const *)item;
}

static size_t position(const struct table *t, const void *host)
{
    size_t low = 0, high = t->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((uintptr_t)host_of(t->items[middle]) < (uintptr_t)host)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void *find(const struct table *t, const void *host)
{
    const size_t i = position(t, host);
    return i < t->n && host_of(t->items[i]) == host ? t->items[i] : NULL;
}

static bool insert(struct table *t, void *item)
{
    if (t->n == t->capacity) {
        const size_t capacity = t->capacity ? t->capacity * 2 : 64;
        void **const grown = realloc(t->items, capacity * sizeof *grown);
        if (!grown)
            return false;
        t->items = grown;
        t->capacity = capacity;
    }
    const size_t i = position(t, host_of(item));
    memmove(t->items + i + 1, t->items + i, (t->n - i) * sizeof *t->items);
    t->items[i] = item;
    t->n++;
    return true;
}

static void no_memory(const char *name)
{
    qn__rt_fail(cudaErrorMemoryAllocation, "no memory to register %s", name);
}

static bool read_program(struct qn__rt_program *p, const unsigned char *bytes)
{
    struct qn__wire_field f;
    uint32_t flags = 0;
    if (!bytes || memcmp(bytes, QN__PROGRAM_MAGIC, QN__PROGRAM_MAGIC_BYTES) != 0)
        return false;
    p->fields = bytes + QN__PROGRAM_HEAD_BYTES;
    p->n = (size_t)qn__get_u64(bytes + QN__PROGRAM_MAGIC_BYTES);
    struct qn__wire_reader r = qn__wire_reader(p->fields, p->n);
    while (qn__wire_next(&r, &f)) {
        if (f.tag == QN__PROGRAM_NAME)
            p->name = strndup((const char *)f.bytes, f.n);
        else if (f.tag == QN__PROGRAM_FLAGS)
            qn__wire_get_u32(f, &flags);
    }
    p->relocatable = flags & QN__PROGRAM_RELOCATABLE;
    return !r.failed && p->name;
}

void **__hipRegisterFatBinary(const void *wrapper)
{
    const struct wrapper *const w = wrapper;
    struct qn__rt_program *const p = calloc(1, sizeof *p);
    if (!p || !read_program(p, w->binary)) {
        qn__rt_fail(cudaErrorInvalidKernelImage,
                    "a part of this program was not made by quern cc, or there is no memory");
        free(p);
        return NULL;
    }
    pthread_mutex_lock(&qn__rt_lock);
    *last_program = p;
    last_program = &p->next;
    pthread_mutex_unlock(&qn__rt_lock);
    return (void **)(void *)p;
}

static void take_out(struct table *t, const struct qn__rt_program *p, bool are_kernels)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct qn__rt_kernel *const k = t->items[i];
        const struct qn__rt_variable *const v = t->items[i];
        if ((are_kernels ? k->program : v->program) != p)
            t->items[kept++] = t->items[i];
    }
    t->n = kept;
}

/* At the program's end, or when a library is closed: its addresses mean nothing any more. */
void __hipUnregisterFatBinary(void **binary)
{
    struct qn__rt_program *const p = (struct qn__rt_program *)(void *)binary;
    if (!p)
        return;
    pthread_mutex_lock(&qn__rt_lock);
    take_out(&kernels, p, true);
    take_out(&variables, p, false);
    p->gone = true;
    pthread_mutex_unlock(&qn__rt_lock);
}

int __hipRegisterFunction(void **binary, const void *kernel, char *device_name, const char *name,
                          int limit, void *thread, void *block, void *block_dim, void *grid_dim,
                          int *warp)
{
    (void)device_name, (void)limit, (void)thread, (void)block, (void)block_dim, (void)grid_dim;
    (void)warp;
    struct qn__rt_kernel *const k = binary ? calloc(1, sizeof *k) : NULL;
    bool good = k != NULL;
    if (k)
        *k = (struct qn__rt_kernel){
            .host = kernel, .symbol = name, .program = (struct qn__rt_program *)(void *)binary};
    pthread_mutex_lock(&qn__rt_lock);
    /* a template's instance that several units have is one kernel, and the first unit's */
    const bool is_there = good && find(&kernels, kernel);
    good = good && (is_there || insert(&kernels, k));
    pthread_mutex_unlock(&qn__rt_lock);
    if (!good || is_there)
        free(k);
    if (binary && !good)
        no_memory(name);
    return 0;
}

static void register_variable(const struct qn__rt_variable *from)
{
    struct qn__rt_variable *const v = from->program ? calloc(1, sizeof *v) : NULL;
    if (!from->program)
        return;
    bool good = v != NULL;
    if (v)
        *v = *from;
    pthread_mutex_lock(&qn__rt_lock);
    good = good && insert(&variables, v);
    if (good) {
        v->next = v->program->variables;
        v->program->variables = v;
    }
    pthread_mutex_unlock(&qn__rt_lock);
    if (!good) {
        free(v);
        no_memory(from->symbol);
    }
}

void __hipRegisterVar(void **binary, void *host, char *device_name, const char *name, int external,
                      size_t n, int constant, int global)
{
    (void)device_name, (void)external, (void)constant, (void)global;
    register_variable(&(struct qn__rt_variable){
        .host = host, .symbol = name, .n = n, .program = (struct qn__rt_program *)(void *)binary});
}

/* Until the first kernel of the unit is there, the host's own copy is the variable. */
void __hipRegisterManagedVar(void **binary, void **pointer, void *initial, const char *name,
                             size_t n, unsigned int align)
{
    (void)align;
    *pointer = initial;
    register_variable(
        &(struct qn__rt_variable){.host = (const void *)pointer,
                                  .managed = pointer,
                                  .symbol = name,
                                  .n = n,
                                  .program = (struct qn__rt_program *)(void *)binary});
}

/* References are bound by their names; a program that binds one is refused by the linker. */
void __hipRegisterTexture(void **binary, const void *host, char *device_name, const char *name,
                          int type, int normalized, int external)
{
    (void)device_name, (void)type, (void)normalized, (void)external;
    register_variable(
        &(struct qn__rt_variable){.host = host,
                                  .symbol = name,
                                  .n = sizeof(uint64_t),
                                  .program = (struct qn__rt_program *)(void *)binary});
}

void __hipRegisterSurface(void **binary, const void *host, char *device_name, const char *name,
                          int type, int external)
{
    __hipRegisterTexture(binary, host, device_name, name, type, 0, external);
}

/* ---- looking up ---- */

struct qn__rt_kernel *qn__rt_kernel_find(const void *host)
{
    pthread_mutex_lock(&qn__rt_lock);
    struct qn__rt_kernel *const k = find(&kernels, host);
    pthread_mutex_unlock(&qn__rt_lock);
    return k;
}

struct qn__rt_variable *qn__rt_variable_find(const void *host)
{
    pthread_mutex_lock(&qn__rt_lock);
    struct qn__rt_variable *const v = find(&variables, host);
    pthread_mutex_unlock(&qn__rt_lock);
    return v;
}

struct qn__rt_program *qn__rt_programs(void)
{
    return programs;
}

const struct qn__rt_kernel *const *qn__rt_kernels_lock(uint32_t *n)
{
    pthread_mutex_lock(&qn__rt_lock);
    *n = (uint32_t)kernels.n;
    return (const struct qn__rt_kernel *const *)(void *)kernels.items;
}

void qn__rt_kernels_unlock(void)
{
    pthread_mutex_unlock(&qn__rt_lock);
}

void qn__rt_programs_reset(int device)
{
    pthread_mutex_lock(&qn__rt_lock);
    for (size_t i = 0; i < kernels.n; i++)
        ((struct qn__rt_kernel *)kernels.items[i])->on[device] = NULL;
    for (size_t i = 0; i < variables.n; i++)
        ((struct qn__rt_variable *)variables.items[i])->unused_on[device] = 0;
    pthread_mutex_unlock(&qn__rt_lock);
}
