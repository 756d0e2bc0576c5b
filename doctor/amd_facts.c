/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts of AMD's drivers and of ROCm: what the kernel's compute driver lists, which versions are
 * installed, what the runtime says (in a child), for which cards rocBLAS has code. */
#define _GNU_SOURCE
#include "base/environment.h"
#include "doctor/facts.h"
#include "doctor/probe_library.h"
#include "doctor/probe_process.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_S = 20, DEVICES_MAX = 64 };

static const char rocm_folders[] =
    "/opt/rocm/lib /opt/rocm-*/lib /opt/rocm/core*/lib /opt/rocm/lib64 /opt/rocm-*/lib64";

/* ROCM_PATH's and HIP_PATH's own come first. */
static void find_libraries(struct qn__names *out, const struct qn__root *root, const char *name)
{
    const char *const named[] = {qn__getenv("ROCM_PATH"), qn__getenv("HIP_PATH")};
    struct qn__str folders = {0};
    for (int i = 0; i < 2; i++)
        if (named[i])
            qn__str_printf(&folders, "%s/lib %s/core*/lib ", named[i], named[i]);
    qn__str_add(&folders, rocm_folders);
    if (folders.text)
        qn__root_libraries(out, root, name, folders.text);
    qn__str_release(&folders);
}

/* 110501 is gfx1151: the last two digits of a name are hexadecimal. */
static json_t *kfd_gpus(const struct qn__root *root)
{
    json_t *list = json_array();
    struct qn__names files = {0};
    qn__root_match(&files, root, "/sys/class/kfd/kfd/topology/nodes/*/properties");
    for (size_t i = 0; i < files.n; i++) {
        char *text = qn__root_read(root, files.items[i]), gfx[32];
        const char *at = text ? strstr(text, "gfx_target_version ") : NULL;
        const long v = at ? strtol(at + strlen("gfx_target_version "), NULL, 10) : 0;
        if (v > 0) {
            snprintf(gfx, sizeof gfx, "gfx%ld%lx%lx", v / 10000, v / 100 % 100, v % 100);
            json_array_append_new(list, qn__facts_string(gfx));
        }
        free(text);
    }
    qn__names_release(&files);
    return list;
}

static json_t *installed(const struct qn__root *root)
{
    json_t *list = json_array();
    struct qn__names files = {0};
    qn__root_match(&files, root, "/opt/rocm*/.info/version");
    qn__root_match(&files, root, "/opt/rocm/core*/.info/version");
    for (size_t i = 0; i < files.n; i++) {
        char version[64];
        char *real = qn__root_real(root, files.items[i]);
        bool is_known = false;
        for (size_t k = 0; real && k < json_array_size(list); k++)
            is_known |= !strcmp(qn__facts_text(json_array_get(list, k), "file"), real);
        if (real && !is_known && qn__root_line(root, files.items[i], version, sizeof version)) {
            json_t *one = json_object();
            qn__facts_set_text(one, "file", real);
            qn__facts_set_text(one, "version", version);
            json_array_append_new(list, one);
        }
        free(real);
    }
    qn__names_release(&files);
    return list;
}

/* The 4 KiB that AMD's runtimes of both layouts stay below; the name of the architecture lies at
 * 1160 from ROCm 6 on and at 396 before. */
static void set_hip_devices(json_t *out, const struct qn__library *lib)
{
    enum { PROPERTIES_BYTES = 8192, ARCH_NEW = 1160, ARCH_OLD = 396, ARCH_BYTES = 256 };
    int (*count)(int *), (*properties)(void *, int);
    int n = 0, arch_at = ARCH_NEW;
    QN__LIBRARY_CALL(count, lib, "hipGetDeviceCount");
    QN__LIBRARY_CALL(properties, lib, "hipGetDevicePropertiesR0600");
    if (!properties) {
        arch_at = ARCH_OLD;
        QN__LIBRARY_CALL(properties, lib, "hipGetDeviceProperties");
    }
    if (!count)
        return;
    qn__facts_set_number(out, "count_error", count(&n));
    qn__facts_set_number(out, "count", n);
    json_t *devices = json_array();
    for (int i = 0; properties && i < n && i < DEVICES_MAX; i++) {
        char *bytes = calloc(1, PROPERTIES_BYTES);
        if (bytes && properties(bytes, i) == 0) {
            bytes[arch_at + ARCH_BYTES - 1] = 0;
            bytes[255] = 0;
            json_array_append_new(devices, json_pack("{s:o, s:o}", "name", qn__facts_string(bytes),
                                                     "arch", qn__facts_string(bytes + arch_at)));
        }
        free(bytes);
    }
    json_object_set_new(out, "devices", devices);
}

static json_t *ask_hip(void *arg)
{
    json_t *out = json_object();
    struct qn__library lib;
    int (*init)(unsigned), (*version)(int *);
    int v = 0;
    char text[32];
    if (!qn__library_open(&lib, out, arg, "libamdhip64.so"))
        return out;
    json_object_set_new(out, "has_hiprtc",
                        json_boolean(qn__library_symbol(&lib, "hiprtcCompileProgram") != NULL));
    QN__LIBRARY_CALL(version, &lib, "hipRuntimeGetVersion");
    QN__LIBRARY_CALL(init, &lib, "hipInit");
    if (version && version(&v) == 0 && v > 0) {
        snprintf(text, sizeof text, "%d.%d", v / 10000000, v / 100000 % 100);
        qn__facts_set_text(out, "version", text);
    }
    if (!init)
        return out;
    qn__child_step("in hipInit");
    const int error = init(0);
    qn__facts_set_number(out, "init_error", error);
    if (!error) {
        qn__child_step("while it was asked for its devices");
        set_hip_devices(out, &lib);
    }
    return out;
}

static json_t *ask_hiprtc(void *arg)
{
    json_t *out = json_object();
    struct qn__library lib;
    if (!qn__library_open(&lib, out, arg, NULL))
        return out;
    json_object_set_new(out, "is_hiprtc",
                        json_boolean(qn__library_symbol(&lib, "hiprtcCompileProgram") != NULL));
    return out;
}

/* Names gfxNNNN in the names of rocBLAS's files; NULL where it is not installed. */
static json_t *rocblas_cards(const struct qn__root *root)
{
    static const char *const patterns[] = {
        "/opt/rocm*/lib/rocblas/library/*gfx*", "/opt/rocm/core*/lib/rocblas/library/*gfx*",
        "/usr/lib*/rocblas/*/library/*gfx*", "/usr/lib/*/rocblas/*/library/*gfx*"};
    json_t *set = NULL, *list = NULL;
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        struct qn__names files = {0};
        qn__root_match(&files, root, patterns[i]);
        for (size_t k = 0; k < files.n; k++) {
            const char *at = strstr(strrchr(files.items[k], '/'), "gfx");
            char gfx[32];
            size_t n = 3;
            while (isalnum((unsigned char)at[n]) && n < sizeof gfx - 1)
                n++;
            snprintf(gfx, sizeof gfx, "%.*s", (int)n, at);
            if (!set)
                set = json_object();
            json_object_set_new(set, gfx, json_true());
        }
        qn__names_release(&files);
    }
    const char *name;
    json_t *value;
    if (set)
        list = json_array();
    json_object_foreach(set, name, value) json_array_append_new(list, json_string(name));
    json_decref(set);
    return list;
}

/* The highest number among the programs /usr/bin/clang-19, /usr/bin/lld-18; 0: there is none. */
static int64_t newest_program(const struct qn__root *root, const char *name)
{
    struct qn__names files = {0};
    struct qn__str pattern = {0};
    int64_t newest = 0;
    qn__str_printf(&pattern, "/usr/bin/%s-[0-9]*", name);
    qn__root_match(&files, root, pattern.text);
    for (size_t i = 0; i < files.n; i++) {
        char *end;
        const char *number = strrchr(files.items[i], '-') + 1;
        const long n = strtol(number, &end, 10);
        newest = !*end && n > newest ? n : newest;
    }
    qn__names_release(&files);
    qn__str_release(&pattern);
    return newest;
}

void qn__gather_amd(json_t *facts, const struct qn__root *root)
{
    json_t *out = json_object(), *files = json_array(), *cards = rocblas_cards(root);
    struct qn__names hips = {0}, rtcs = {0}, comgrs = {0};
    json_object_set_new(facts, "amd", out);
    json_object_set_new(out, "kfd_gpus", kfd_gpus(root));
    json_object_set_new(out, "installed", installed(root));
    find_libraries(&hips, root, "libamdhip64.so*");
    for (size_t i = 0; i < hips.n; i++) {
        char *real = qn__root_real(root, hips.items[i]);
        json_array_append_new(files, qn__facts_string(real ? real : hips.items[i]));
        free(real);
    }
    json_object_set_new(out, "libamdhip64", files);
    if (hips.n) {
        struct qn__library_place place = {root, hips.items[0]};
        json_object_set_new(out, "hip", qn__child_run(ask_hip, &place, LIMIT_S));
        find_libraries(&rtcs, root, "libhiprtc.so*");
        find_libraries(&comgrs, root, "libamd_comgr.so*");
        json_object_set_new(out, "has_comgr", json_boolean(comgrs.n > 0));
    }
    if (rtcs.n) {
        struct qn__library_place place = {root, rtcs.items[0]};
        json_object_set_new(out, "hiprtc", qn__child_run(ask_hiprtc, &place, LIMIT_S));
    }
    if (cards)
        json_object_set_new(out, "rocblas", cards);
    qn__facts_set_number(out, "clang", newest_program(root, "clang"));
    qn__facts_set_number(out, "lld", newest_program(root, "lld"));
    qn__names_release(&hips);
    qn__names_release(&rtcs);
    qn__names_release(&comgrs);
}
