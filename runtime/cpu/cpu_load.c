/* SPDX-License-Identifier: Apache-2.0
 *
 * The object goes into a sealed file in memory, which dlopen() is given by its descriptor's name in
 * /proc. The loader takes two equal names for the same object, and descriptors are used again. So a
 * serial number is spelled into the path, in parts that mean nothing to the system: a "/." or a
 * "//" for each of its bits. */
#define _GNU_SOURCE
#include "runtime/cpu/cpu_load.h"

#include "base/environment.h"
#include "base/file.h"
#include "base/str.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

enum { PATH_BYTES = 192 }; /* 64 bits of two characters, and what is around them */

static qn_status make_file(int *fd, const void *bytes, size_t n, const char *name)
{
    char shown[64];
    QN__TEXT_JOIN(shown, sizeof shown, "quern:", name);
    *fd = memfd_create(shown, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC);
    if (*fd < 0 && errno == EINVAL) /* before Linux 6.3 all of them may be executed */
        *fd = memfd_create(shown, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*fd < 0)
        return qn__fail_code(QN_E_DRIVER, errno,
                             "no file in memory that may be executed: %s (sysctl "
                             "vm.memfd_noexec, or a limit on files)",
                             strerror(errno));
    for (size_t done = 0; done < n;) {
        const ssize_t written = write(*fd, (const char *)bytes + done, n - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            close(*fd);
            return qn__fail_errno("a file in memory of %zu bytes", n);
        }
        done += (size_t)written;
    }
    if (fcntl(*fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
        close(*fd);
        return qn__fail_errno("sealing a file in memory");
    }
    return QN_OK;
}

static void name_file(char out[PATH_BYTES], int fd)
{
    static _Atomic uint64_t serial;
    const uint64_t own = atomic_fetch_add_explicit(&serial, 1, memory_order_relaxed);
    char *p = out + snprintf(out, PATH_BYTES, "/proc/self/fd");
    for (uint64_t rest = own; rest; rest >>= 1) {
        *p++ = '/';
        *p++ = rest & 1 ? '.' : '/';
    }
    snprintf(p, (size_t)(out + PATH_BYTES - p), "/%d", fd);
}

/* Images name no library: what they call of the C library's mathematics is found in the process,
 * where it may be in nobody's sight but ours. */
static void show_mathematics(void)
{
    (void)!dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
}

/* ---- for a debugger, which looks for what is loaded by its path ---- */

static bool wants_debugger(void)
{
    const char *const v = qn__getenv("QUERN_DEBUG");
    return v && strcmp(v, "0") != 0;
}

static void remove_file_of(const char *path)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *const slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    qn__temp_dir_remove(folder);
}

static qn_status load_file(void **handle, uint64_t *base, const void *bytes, size_t n)
{
    char *folder;
    struct link_map *map = NULL;
    QN_TRY(qn__temp_dir_create(&folder));
    char *const path = qn__path_join(folder, "kernel.so");
    qn_status s = path ? qn__file_write_atomic(path, bytes, n, 0700)
                       : qn__fail(QN_E_MEMORY, "no memory for a file name");
    if (s == QN_OK) {
        *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!*handle || dlinfo(*handle, RTLD_DI_LINKMAP, &map) != 0)
            s = qn__fail(QN_E_DRIVER, "the loader refuses it: %s", dlerror());
        else
            *base = map->l_addr;
    }
    if (s != QN_OK)
        qn__temp_dir_remove(folder);
    free(path);
    free(folder);
    return s;
}

qn_status qn__cpu_load(void **handle, uint64_t *base, const void *bytes, size_t n, const char *name)
{
    char path[PATH_BYTES];
    int fd;
    struct link_map *map = NULL;
    *handle = NULL;
    *base = 0;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, show_mathematics);
    if (wants_debugger())
        return load_file(handle, base, bytes, n);
    QN_TRY(make_file(&fd, bytes, n, name));
    name_file(path, fd);
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const int code = errno;
    if (!*handle || dlinfo(*handle, RTLD_DI_LINKMAP, &map) != 0) {
        const char *why = dlerror();
        const bool has_proc = access("/proc/self/fd", X_OK) == 0;
        if (*handle)
            dlclose(*handle);
        *handle = NULL;
        close(fd);
        if (!has_proc)
            return qn__fail_code(QN_E_DRIVER, code,
                                 "/proc is not mounted, and images are loaded "
                                 "through it");
        why = why && qn__starts_with(why, path) ? why + strlen(path) : why; /* says nothing */
        why = why && qn__starts_with(why, ": ") ? why + 2 : why;
        return qn__fail_code(QN_E_DRIVER, code, "the loader refuses it: %s", why ? why : "?");
    }
    close(fd); /* the mapping stays */
    *base = map->l_addr;
    return QN_OK;
}

void qn__cpu_unload(void *handle)
{
    struct link_map *map = NULL;
    char path[PATH_MAX] = "";
    if (!handle)
        return;
    if (wants_debugger() && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0)
        snprintf(path, sizeof path, "%s", map->l_name);
    dlclose(handle);
    if (*path)
        remove_file_of(path);
}
