/* SPDX-License-Identifier: Apache-2.0
 *
 * Which drivers there are, in the loaders' own words: files that end in ".icd", each with the name
 * of a library in its first line, in a folder; or one such file, or a library, named by a variable
 * (ocl-icd and the Khronos loader agree in this). */
#define _GNU_SOURCE
#include "runtime/opencl/opencl_icd.h"

#include "base/environment.h"
#include "base/file.h"
#include "base/forks.h"
#include "runtime/opencl/opencl_dispatch.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usual_folder[] = "/etc/OpenCL/vendors";

/* -- which -- */

static void add(struct qn__str *list, const char *name)
{
    if (list)
        qn__str_add_bytes(list, name, strlen(name) + 1);
}

/* The library that a file names. */
static void add_file(struct qn__str *libraries, struct qn__str *files, const char *path)
{
    enum { LIMIT_BYTES = 4096 };
    char *text;
    size_t n;
    add(files, path);
    if (qn__file_read(&text, &n, path, LIMIT_BYTES) != QN_OK)
        return;
    char *name = text + strspn(text, " \t\r\n");
    name[strcspn(name, "\r\n")] = 0;
    for (size_t end = strlen(name); end && strchr(" \t", name[end - 1]); end--)
        name[end - 1] = 0;
    if (*name)
        add(libraries, name);
    free(text);
}

static int is_icd(const struct dirent *e)
{
    return qn__ends_with(e->d_name, ".icd");
}

static void add_folder(struct qn__str *libraries, struct qn__str *files, const char *folder)
{
    struct dirent **entries;
    const int n = scandir(folder, &entries, is_icd, alphasort);
    add(files, folder);
    for (int i = 0; i < n; i++) {
        char *path = qn__path_join(folder, entries[i]->d_name);
        if (path)
            add_file(libraries, files, path);
        free(path);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

void qn__opencl_icds(struct qn__str *libraries, struct qn__str *files)
{
    const char *vendors = qn__getenv("OCL_ICD_VENDORS"), *more = qn__getenv("OCL_ICD_FILENAMES");
    if (!vendors || !*vendors)
        vendors = qn__getenv("OPENCL_VENDOR_PATH");
    for (const char *p = more ? more : ""; *p;) {
        const size_t n = strcspn(p, ":");
        if (n) {
            qn__str_add_bytes(libraries, p, n);
            qn__str_add_bytes(libraries, "", 1);
        }
        p += n + (p[n] == ':');
    }
    if (!vendors || !*vendors)
        add_folder(libraries, files, usual_folder);
    else if (qn__file_is_dir(vendors))
        add_folder(libraries, files, vendors);
    else if (!qn__ends_with(vendors, ".icd"))
        add(libraries, vendors);
    else if (strchr(vendors, '/'))
        add_file(libraries, files, vendors);
    else {
        char *path = qn__path_join(usual_folder, vendors);
        if (path)
            add_file(libraries, files, path);
        free(path);
    }
}

/* -- loading -- */

/* What was left out, for every list of devices; written once, under the lock of the search. */
enum { LEFT_MAX = 16 };
static struct {
    char library[256], reason[QN__MESSAGE_MAX];
} left_out[LEFT_MAX];
static uint32_t n_left_out;
static char apart[4096]; /* what was loaded instead; "": nothing */
static pthread_mutex_t apart_lock = PTHREAD_MUTEX_INITIALIZER;

/* Adds its platforms; false: it is no OpenCL driver. */
static bool open_icd(const char *library)
{
    void *(*address)(const char *) = NULL;
    cl_int (*get_platforms)(cl_uint, cl_platform_id *, cl_uint *) = NULL;
    cl_platform_id platforms[QN__ICD_PLATFORMS_MAX] = {0};
    cl_uint n = 0;
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void *p = handle ? dlsym(handle, "clGetExtensionFunctionAddress") : NULL;
    memcpy(&address, &p, sizeof p);
    p = address ? address("clIcdGetPlatformIDsKHR") : NULL;
    if (!p && handle)
        p = dlsym(handle, "clIcdGetPlatformIDsKHR");
    memcpy(&get_platforms, &p, sizeof p);
    if (!get_platforms || get_platforms(QN__ICD_PLATFORMS_MAX, platforms, &n) != CL_SUCCESS)
        return false;
    for (cl_uint i = 0; i < n && i < QN__ICD_PLATFORMS_MAX && platforms[i]; i++)
        qn__opencl_dispatch_add(platforms[i]);
    return true;
}

static void leave_out(const char *library, const char *reason)
{
    if (n_left_out == LEFT_MAX)
        return;
    snprintf(left_out[n_left_out].library, sizeof left_out[0].library, "%s", library);
    snprintf(left_out[n_left_out++].reason, sizeof left_out[0].reason, "%s", reason);
}

/* Adds to *good, separated by colons, those that may be loaded; how many they are. */
static uint32_t sort_out(struct qn__str *good, const struct qn__found *found,
                         const struct qn__str *all)
{
    uint32_t n = 0;
    for (size_t at = 0; at < all->len; at += strlen(all->text + at) + 1) {
        const char *library = all->text + at;
        if (qn__found_ask(found, "opencl", library) == QN_OK)
            qn__str_printf(good, "%s%s", n++ ? ":" : "", library);
        else
            leave_out(library, qn_message());
    }
    return n;
}

/* Drivers that work alone may not bear one another: two that bring a compiler library of the same
 * name, say. */
static qn_status check_together(const struct qn__found *found, const char *good, uint32_t n)
{
    if (n < 2 || qn__found_ask(found, "opencl", good) == QN_OK)
        return QN_OK;
    leave_out(good, qn_message());
    return qn__fail(QN_E_NO_DEVICE,
                    "each of these drivers can be used alone, but not all together: name the file "
                    "of one with OCL_ICD_VENDORS");
}

static qn_status load_good(struct qn__found *found, const char *why)
{
    struct qn__str all = {0}, good = {0};
    n_left_out = 0;
    qn__opencl_icds(&all, NULL);
    const uint32_t n = sort_out(&good, found, &all);
    qn_status s = qn__str_check(&good);
    if (s == QN_OK && n == 0)
        s = qn__fail(QN_E_NO_DEVICE, "%s", n_left_out ? "no other OpenCL driver is left" : why);
    if (s == QN_OK)
        s = check_together(found, good.text, n);
    if (s == QN_OK && !n_left_out) /* then it is the loader itself that is broken */
        leave_out(qn__opencl_libraries[0], why);
    if (s == QN_OK)
        snprintf(apart, sizeof apart, "%s", good.text);
    for (char *p = good.text, *library; s == QN_OK && (library = strsep(&p, ":"));)
        if (!open_icd(library))
            leave_out(library, "the library is no OpenCL driver that the loader could use");
    if (s == QN_OK)
        qn__opencl_load_functions(&qn__opencl_dispatch);
    qn__str_release(&all);
    qn__str_release(&good);
    return s;
}

/* In a forked child: a thread that was asking is not there. */
static void forget_asking(void)
{
    apart_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
QN__FORK_PART(NULL, forget_asking)

qn_status qn__opencl_load_apart(struct qn__found *found, const char *why)
{
    pthread_mutex_lock(&apart_lock);
    const qn_status s = qn__opencl_is_loaded() ? QN_OK : load_good(found, why);
    pthread_mutex_unlock(&apart_lock);
    return s;
}

const char *qn__opencl_apart(void)
{
    pthread_mutex_lock(&apart_lock);
    const bool is_apart = apart[0] != 0;
    pthread_mutex_unlock(&apart_lock);
    return is_apart ? apart : NULL;
}

qn_status qn__opencl_report_left_out(struct qn__found *found)
{
    qn_status s = QN_OK;
    pthread_mutex_lock(&apart_lock);
    for (uint32_t i = 0; s == QN_OK && i < n_left_out; i++)
        s = qn__found_refusal(found, "opencl", left_out[i].library, "%s", left_out[i].reason);
    pthread_mutex_unlock(&apart_lock);
    return s;
}
