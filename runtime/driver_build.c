/* SPDX-License-Identifier: Apache-2.0
 *
 * The dynamic loader lists what it has loaded; a library names those it was linked with. So the
 * LLVM of this driver is told from one that another driver, or the program itself, has loaded. Each
 * is known by its build id, which lies in memory, else by the state of its file. */
#define _GNU_SOURCE
#include "runtime/driver_build.h"

#include "base/arena.h"
#include "base/str.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OBJECTS_MAX = 1024 };

struct object {
    uintptr_t base;
    const char *path; /* the loader's; drivers stay loaded */
    const ElfW(Phdr) * parts;
    uint32_t n_parts;
    bool counts, is_followed;
};

struct objects {
    struct object list[OBJECTS_MAX];
    uint32_t n;
};

static int collect(struct dl_phdr_info *info, size_t size, void *payload)
{
    struct objects *all = payload;
    (void)size;
    if (all->n < OBJECTS_MAX && info->dlpi_name)
        all->list[all->n++] = (struct object){info->dlpi_addr,  info->dlpi_name, info->dlpi_phdr,
                                              info->dlpi_phnum, false,           false};
    return 0;
}

static const char *name_of(const struct object *o)
{
    const char *slash = strrchr(o->path, '/');
    return slash ? slash + 1 : o->path;
}

static bool has_address(const struct object *o, uintptr_t at)
{
    for (uint32_t i = 0; i < o->n_parts; i++)
        if (o->parts[i].p_type == PT_LOAD &&
            at - (o->base + o->parts[i].p_vaddr) < o->parts[i].p_memsz)
            return true;
    return false;
}

/* -- which libraries -- */

static bool is_compiler(const char *name)
{
    static const char *const words[] = {"LLVM", "clang", "SPIRV", "igc", "igdfcl", "comgr"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(name, words[i]))
            return true;
    return false;
}

/* libpocl-devices-basic.so is a part of libpocl.so.2. */
static bool is_part(const struct object *o, const struct object *driver)
{
    const char *own = name_of(driver);
    const size_t n = strcspn(own, ".");
    return n > strlen("lib") && strncmp(name_of(o), own, n) == 0;
}

/* The text at that offset of the library's table of texts, for each name it was linked with. */
static void follow(struct objects *all, struct object *o)
{
    const ElfW(Dyn) *dynamic = NULL;
    uintptr_t texts = 0;
    o->is_followed = true;
    for (uint32_t i = 0; i < o->n_parts; i++)
        if (o->parts[i].p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)(o->base + o->parts[i].p_vaddr);
    for (const ElfW(Dyn) *d = dynamic; d && d->d_tag != DT_NULL; d++)
        if (d->d_tag ==
            DT_STRTAB) /* an address in memory with one C library, in the file in others */
            texts = d->d_un.d_ptr < o->base ? o->base + d->d_un.d_ptr : d->d_un.d_ptr;
    for (const ElfW(Dyn) *d = dynamic; texts && d->d_tag != DT_NULL; d++) {
        if (d->d_tag != DT_NEEDED || !is_compiler((const char *)texts + d->d_un.d_val))
            continue;
        for (uint32_t i = 0; i < all->n; i++)
            if (strcmp(name_of(&all->list[i]), (const char *)texts + d->d_un.d_val) == 0)
                all->list[i].counts = true;
    }
}

static void follow_all(struct objects *all)
{
    for (uint32_t i = 0; i < all->n;) {
        struct object *o = &all->list[i++];
        if (o->counts && !o->is_followed) {
            follow(all, o);
            i = 0; /* an earlier one may count now */
        }
    }
}

/* -- each of them -- */

static bool add_build_id(struct qn__hash *h, const struct object *o)
{
    static const char gnu[4] = "GNU";
    for (uint32_t i = 0; i < o->n_parts; i++) {
        const char *p = (const char *)(o->base + o->parts[i].p_vaddr);
        size_t left = o->parts[i].p_type == PT_NOTE ? o->parts[i].p_memsz : 0;
        ElfW(Nhdr) note;
        while (left > sizeof note) {
            memcpy(&note, p, sizeof note);
            const size_t name = (note.n_namesz + (size_t)3) & ~(size_t)3;
            const size_t n = sizeof note + name + note.n_descsz; /* the last one has no padding */
            if (n > left)
                break;
            if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof gnu &&
                memcmp(p + sizeof note, gnu, sizeof gnu) == 0) {
                qn__hash_add(h, p + sizeof note + name, note.n_descsz);
                return true;
            }
            const size_t step = (n + 3) & ~(size_t)3;
            p += step;
            left -= step < left ? step : left;
        }
    }
    return false;
}

static void add_object(struct qn__hash *h, const struct object *o)
{
    struct stat st;
    qn__hash_add(h, name_of(o), strlen(name_of(o)) + 1);
    if (add_build_id(h, o) || stat(o->path, &st) != 0)
        return;
    const int64_t state[] = {st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
    qn__hash_add(h, state, sizeof state);
}

/* In the order of their names: the loader's depends on what else the program has loaded. */
static int by_name(const void *a, const void *b)
{
    const struct object *x = a, *y = b;
    const int order = strcmp(name_of(x), name_of(y));
    return order ? order : strcmp(x->path, y->path);
}

bool qn__driver_build(char out[QN__HASH_HEX], const void *inside)
{
    struct objects *all = qn__alloc(1, sizeof *all);
    const struct object *driver = NULL;
    unsigned char digest[QN__HASH_BYTES];
    struct qn__hash h;
    out[0] = 0;
    if (!all)
        return false;
    dl_iterate_phdr(collect, all);
    for (uint32_t i = 0; !driver && i < all->n; i++)
        if (has_address(&all->list[i], (uintptr_t)inside))
            driver = &all->list[i];
    for (uint32_t i = 0; driver && i < all->n; i++)
        all->list[i].counts = &all->list[i] == driver || is_part(&all->list[i], driver);
    follow_all(all);
    qsort(all->list, all->n, sizeof *all->list, by_name);
    qn__hash_init(&h);
    for (uint32_t i = 0; i < all->n; i++)
        if (all->list[i].counts)
            add_object(&h, &all->list[i]);
    qn__hash_finish(&h, digest);
    if (driver)
        qn__hash_to_hex(out, digest);
    free(all);
    return true;
}

/* -- variables -- */

static const struct {
    const char *driver, *prefix;
} reaching[] = {
    {"Portable Computing Language", "POCL_"},
    {"Intel", "CL_CONFIG_"},
    {"Intel", "IGC_"},
    {"AMD", "AMD_OCL_"},
    {"AMD", "GPU_"},
    {"rusticl", "RUSTICL_"},
};

/* Where these let a driver keep, show and run things, not what it makes. */
static const char *const harmless[] = {
    "POCL_CACHE_DIR",         "POCL_KERNEL_CACHE",        "POCL_DEBUG",        "POCL_TRACING",
    "POCL_TRACING_OPT",       "POCL_TRACING_FILTER",      "POCL_DEVICES",      "POCL_AFFINITY",
    "POCL_MAX_PTHREAD_COUNT", "POCL_PTHREAD_MIN_THREADS", "POCL_MEMORY_LIMIT", "POCL_STARTUP_DELAY",
    "POCL_SIGFPE_HANDLER",    "POCL_SIGUSR2_HANDLER"};

static bool is_harmless(const char *variable)
{
    const size_t n = strcspn(variable, "=");
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strlen(harmless[i]) == n && memcmp(harmless[i], variable, n) == 0)
            return true;
    return false;
}

void qn__driver_variables(struct qn__hash *h, const char *driver)
{
    for (size_t i = 0; i < sizeof reaching / sizeof *reaching; i++) {
        if (!strstr(driver, reaching[i].driver))
            continue;
        for (char **p = environ; p && *p; p++)
            if (qn__starts_with(*p, reaching[i].prefix) && !is_harmless(*p))
                qn__hash_add(h, *p, strlen(*p) + 1);
    }
}
