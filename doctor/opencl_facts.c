/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts of OpenCL: the loader, each driver that an .icd file or a variable names, loaded alone in a
 * child, and all of them together in one. */
#define _GNU_SOURCE
#include "base/environment.h"
#include "doctor/facts.h"
#include "doctor/probe_library.h"
#include "doctor/probe_process.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_S = 30, PLATFORMS_MAX = 32 };

/* ---- one driver, and all ---- */

static int note_llvm(struct dl_phdr_info *info, size_t size, void *list)
{
    (void)size;
    const char *base = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    if (base && strncmp(base, "/libLLVM", 8) == 0)
        json_array_append_new(list, qn__facts_string(base + 1));
    return 0;
}

static int count_platforms(const struct qn__library *lib, json_t *out)
{
    void *(*address)(const char *);
    int (*get)(unsigned, void **, unsigned *);
    unsigned n = 0;
    void *symbol;
    QN__LIBRARY_CALL(address, lib, "clGetExtensionFunctionAddress");
    QN__LIBRARY_CALL(get, lib, "clIcdGetPlatformIDsKHR");
    if (!get && address && (symbol = address("clIcdGetPlatformIDsKHR")))
        memcpy(&get, &symbol, sizeof get);
    if (!get)
        return -1;
    qn__child_step("while it was asked for its platforms");
    const int error = get(0, NULL, &n);
    qn__facts_set_number(out, "platforms_error", error);
    return error ? 0 : (int)n;
}

static json_t *ask_driver(void *arg)
{
    json_t *out = json_object(), *llvms = json_array();
    struct qn__library lib;
    json_object_set_new(out, "llvm", llvms);
    if (!qn__library_open(&lib, out, arg, NULL))
        return out;
    dl_iterate_phdr(note_llvm, llvms);
    const int n = count_platforms(&lib, out);
    json_object_set_new(out, "is_driver", json_boolean(n >= 0));
    qn__facts_set_number(out, "platforms", n < 0 ? 0 : n);
    return out;
}

struct together {
    const struct qn__root *root;
    const json_t *drivers;
};

static json_t *ask_together(void *arg)
{
    const struct together *t = arg;
    json_t *out = json_object();
    for (size_t i = 0; i < json_array_size(t->drivers); i++) {
        const json_t *one = json_array_get(t->drivers, i);
        struct qn__library_place place = {t->root, qn__facts_text(one, "file")};
        struct qn__library lib;
        if (qn__facts_is_true(one, "is_driver") && qn__library_open(&lib, out, &place, NULL))
            count_platforms(&lib, out);
    }
    return out;
}

/* ---- which there are ---- */

/* A library's name without a folder is the loader's to find; of another tree it is searched. */
static char *driver_file(const struct qn__root *root, const char *name)
{
    struct qn__names found = {0};
    char *file = NULL;
    if (strchr(name, '/') || !*root->prefix)
        return strdup(name);
    qn__root_libraries(&found, root, name, "");
    file = strdup(found.n ? found.items[0] : name);
    qn__names_release(&found);
    return file;
}

static void add_driver(json_t *list, const struct qn__root *root, const char *icd, const char *name)
{
    char *file = driver_file(root, name);
    json_t *one;
    if (!file)
        return;
    if (*root->prefix && !strchr(file, '/')) {
        one = json_object();
        qn__facts_set_text(one, "error", "there is no such library");
    } else {
        struct qn__library_place place = {root, file};
        one = qn__child_run(ask_driver, &place, LIMIT_S);
    }
    qn__facts_set_text(one, "icd", icd);
    qn__facts_set_text(one, "library", name);
    json_array_append_new(list, one);
    free(file);
}

static void add_folder(json_t *list, const struct qn__root *root, const char *folder)
{
    struct qn__names files = {0};
    struct qn__str pattern = {0};
    char line[1024];
    qn__str_printf(&pattern, "%s/*.icd", folder);
    if (pattern.text)
        qn__root_match(&files, root, pattern.text);
    for (size_t i = 0; i < files.n; i++)
        if (qn__root_line(root, files.items[i], line, sizeof line))
            add_driver(list, root, files.items[i], line);
    qn__names_release(&files);
    qn__str_release(&pattern);
}

static json_t *drivers(const struct qn__root *root)
{
    const char *vendors = qn__getenv("OCL_ICD_VENDORS");
    json_t *list = json_array();
    char line[1024];
    if (!vendors || !*vendors)
        vendors = qn__getenv("OPENCL_VENDOR_PATH");
    if (!vendors || !*vendors)
        add_folder(list, root, "/etc/OpenCL/vendors");
    else if (!qn__ends_with(vendors, ".icd"))
        add_folder(list, root, vendors);
    else if (qn__root_line(root, vendors, line, sizeof line))
        add_driver(list, root, vendors, line);
    return list;
}

/* ---- the loader ---- */

static void set_text(json_t *object, const char *name, void *function, void *of, unsigned what)
{
    int (*get)(void *, unsigned, size_t, void *, size_t *);
    char text[256] = "";
    memcpy(&get, &function, sizeof get);
    if (get && get(of, what, sizeof text - 1, text, NULL) == 0)
        qn__facts_set_text(object, name, text);
}

static json_t *ask_loader(void *arg)
{
    enum { VERSION = 0x0901, NAME = 0x0902 };
    const struct qn__library_place *place = arg;
    json_t *out = json_object(), *platforms = json_array();
    struct qn__library lib;
    int (*get)(unsigned, void **, unsigned *);
    void *ids[PLATFORMS_MAX] = {0};
    unsigned n = 0;
    json_object_set_new(out, "platforms", platforms);
    if (*place->root->prefix) { /* a loader of that tree reads that tree's list */
        char *folder = qn__root_path(place->root, "/etc/OpenCL/vendors");
        if (folder)
            setenv("OCL_ICD_VENDORS", folder, 0);
        free(folder);
    }
    if (!qn__library_open(&lib, out, place, "libOpenCL.so.1"))
        return out;
    QN__LIBRARY_CALL(get, &lib, "clGetPlatformIDs");
    if (!get)
        return out;
    qn__child_step("in clGetPlatformIDs");
    qn__facts_set_number(out, "platforms_error", get(PLATFORMS_MAX, ids, &n));
    for (unsigned i = 0; i < n && i < PLATFORMS_MAX; i++) {
        json_t *one = json_object();
        void *const info = qn__library_symbol(&lib, "clGetPlatformInfo");
        set_text(one, "name", info, ids[i], NAME);
        set_text(one, "version", info, ids[i], VERSION);
        json_array_append_new(platforms, one);
    }
    return out;
}

void qn__gather_opencl(json_t *facts, const struct qn__root *root)
{
    json_t *out = json_object(), *list = drivers(root);
    struct qn__library_place place = {root, NULL};
    struct qn__names nvidia = {0};
    struct together together = {root, list};
    json_object_set_new(facts, "opencl", out);
    json_object_set_new(out, "drivers", list);
    if (json_array_size(list) > 1)
        json_object_set_new(out, "together", qn__child_run(ask_together, &together, LIMIT_S));
    json_object_set_new(out, "loader", qn__child_run(ask_loader, &place, LIMIT_S));
    qn__root_libraries(&nvidia, root, "libnvidia-opencl.so.1", "");
    json_object_set_new(out, "has_nvidia_library", json_boolean(nvidia.n > 0));
    qn__names_release(&nvidia);
}
