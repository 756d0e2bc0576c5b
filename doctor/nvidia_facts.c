/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts of NVIDIA's drivers and toolkits. Their libraries are loaded in children: libcuda, the
 * management library, NVRTC. What the calls mean is in NVIDIA's manuals; only numbers are taken. */
#define _GNU_SOURCE
#include "base/environment.h"
#include "doctor/facts.h"
#include "doctor/probe_library.h"
#include "doctor/probe_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES_MAX = 64, LIMIT_S = 20 };

static void set_device_number(json_t *device, const char *name, void *function, int attribute,
                              int ordinal)
{
    int (*get)(int *, int, int);
    int value = 0;
    memcpy(&get, &function, sizeof get);
    if (get && get(&value, attribute, ordinal) == 0)
        qn__facts_set_number(device, name, value);
}

static void set_cuda_devices(json_t *out, const struct qn__library *lib)
{
    enum { MAJOR = 75, MINOR = 76, INTEGRATED = 18, ECC = 32 };
    int (*count)(int *), (*name)(char *, int, int);
    int n = 0;
    QN__LIBRARY_CALL(count, lib, "cuDeviceGetCount");
    QN__LIBRARY_CALL(name, lib, "cuDeviceGetName");
    if (!count)
        return;
    const int error = count(&n);
    qn__facts_set_number(out, "count_error", error);
    qn__facts_set_number(out, "count", n);
    json_t *devices = json_array();
    void *const attribute = qn__library_symbol(lib, "cuDeviceGetAttribute");
    for (int i = 0; !error && i < n && i < DEVICES_MAX; i++) {
        json_t *device = json_object();
        char text[257] = "";
        if (name && name(text, sizeof text - 1, i) == 0)
            qn__facts_set_text(device, "name", text);
        set_device_number(device, "major", attribute, MAJOR, i);
        set_device_number(device, "minor", attribute, MINOR, i);
        set_device_number(device, "integrated", attribute, INTEGRATED, i);
        set_device_number(device, "ecc", attribute, ECC, i);
        json_array_append_new(devices, device);
    }
    json_object_set_new(out, "devices", devices);
}

static json_t *ask_cuda(void *arg)
{
    json_t *out = json_object();
    struct qn__library lib;
    int (*version)(int *), (*init)(unsigned);
    int number = 0;
    if (!qn__library_open(&lib, out, arg, "libcuda.so.1"))
        return out;
    QN__LIBRARY_CALL(version, &lib, "cuDriverGetVersion");
    QN__LIBRARY_CALL(init, &lib, "cuInit");
    qn__child_step("while it was asked for its version");
    if (version && version(&number) == 0)
        qn__facts_set_number(out, "cuda_version", number);
    if (!init)
        return out;
    qn__child_step("in cuInit");
    const int error = init(0);
    qn__facts_set_number(out, "init_error", error);
    if (!error) {
        qn__child_step("while it was asked for its devices");
        set_cuda_devices(out, &lib);
    }
    return out;
}

/* ---- the management library ---- */

static void set_nvml_number(json_t *device, const char *name, const struct qn__library *lib,
                            const char *function, void *handle)
{
    int (*get)(void *, unsigned *);
    unsigned value = 0;
    QN__LIBRARY_CALL(get, lib, function);
    if (get && get(handle, &value) == 0)
        qn__facts_set_number(device, name, value);
}

static json_t *nvml_device(const struct qn__library *lib, void *handle)
{
    json_t *device = json_object();
    int (*pair)(void *, unsigned *, unsigned *), (*memory)(void *, unsigned long long *);
    int (*reasons)(void *, unsigned long long *), (*clock)(void *, unsigned, unsigned *);
    int (*load)(void *, unsigned *);
    unsigned now = 0, pending = 0, two[2] = {0}, mhz = 0;
    unsigned long long three[3] = {0}, bits = 0;
    static const char *const numbers[][2] = {
        {"power_limit_mw", "nvmlDeviceGetPowerManagementLimit"},
        {"power_default_mw", "nvmlDeviceGetPowerManagementDefaultLimit"},
        {"power_mw", "nvmlDeviceGetPowerUsage"},
        {"link_width", "nvmlDeviceGetCurrPcieLinkWidth"},
        {"link_width_max", "nvmlDeviceGetMaxPcieLinkWidth"},
        {"compute_mode", "nvmlDeviceGetComputeMode"},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        set_nvml_number(device, numbers[i][0], lib, numbers[i][1], handle);
    QN__LIBRARY_CALL(pair, lib, "nvmlDeviceGetMigMode");
    if (pair && pair(handle, &now, &pending) == 0)
        qn__facts_set_number(device, "mig", now);
    QN__LIBRARY_CALL(memory, lib, "nvmlDeviceGetMemoryInfo");
    if (memory && memory(handle, three) == 0) {
        qn__facts_set_number(device, "memory_bytes", (int64_t)three[0]);
        qn__facts_set_number(device, "memory_used_bytes", (int64_t)three[2]);
    }
    QN__LIBRARY_CALL(load, lib, "nvmlDeviceGetUtilizationRates");
    if (load && load(handle, two) == 0)
        qn__facts_set_number(device, "busy_percent", two[0]);
    QN__LIBRARY_CALL(reasons, lib, "nvmlDeviceGetCurrentClocksThrottleReasons");
    if (reasons && reasons(handle, &bits) == 0)
        qn__facts_set_number(device, "throttle_reasons", (int64_t)bits);
    QN__LIBRARY_CALL(clock, lib, "nvmlDeviceGetClockInfo");
    if (clock && clock(handle, 1, &mhz) == 0)
        qn__facts_set_number(device, "sm_mhz", mhz);
    QN__LIBRARY_CALL(clock, lib, "nvmlDeviceGetTemperature");
    if (clock && clock(handle, 0, &mhz) == 0)
        qn__facts_set_number(device, "celsius", mhz);
    return device;
}

static json_t *ask_nvml(void *arg)
{
    json_t *out = json_object(), *devices = json_array();
    struct qn__library lib;
    int (*init)(void), (*count)(unsigned *), (*at)(unsigned, void **), (*text)(char *, unsigned);
    char version[96] = "";
    unsigned n = 0;
    json_object_set_new(out, "devices", devices);
    if (!qn__library_open(&lib, out, arg, "libnvidia-ml.so.1"))
        return out;
    QN__LIBRARY_CALL(init, &lib, "nvmlInit_v2");
    QN__LIBRARY_CALL(count, &lib, "nvmlDeviceGetCount_v2");
    QN__LIBRARY_CALL(at, &lib, "nvmlDeviceGetHandleByIndex_v2");
    QN__LIBRARY_CALL(text, &lib, "nvmlSystemGetDriverVersion");
    if (!init)
        return out;
    qn__child_step("in nvmlInit");
    const int error = init();
    qn__facts_set_number(out, "init_error", error);
    if (error)
        return out;
    if (text && text(version, sizeof version - 1) == 0)
        qn__facts_set_text(out, "driver_version", version);
    qn__child_step("while it was asked for its devices");
    if (count && at && count(&n) == 0)
        for (unsigned i = 0; i < n && i < DEVICES_MAX; i++) {
            void *handle = NULL;
            if (at(i, &handle) == 0)
                json_array_append_new(devices, nvml_device(&lib, handle));
        }
    return out;
}

/* ---- NVRTC ---- */

static json_t *ask_nvrtc(void *arg)
{
    json_t *out = json_object();
    struct qn__library lib;
    int (*version)(int *, int *), (*count)(int *), (*list)(int *);
    int major = 0, minor = 0, n = 0, archs[256] = {0};
    char text[32];
    if (!qn__library_open(&lib, out, arg, NULL))
        return out;
    QN__LIBRARY_CALL(version, &lib, "nvrtcVersion");
    QN__LIBRARY_CALL(count, &lib, "nvrtcGetNumSupportedArchs");
    QN__LIBRARY_CALL(list, &lib, "nvrtcGetSupportedArchs");
    if (version && version(&major, &minor) == 0) {
        snprintf(text, sizeof text, "%d.%d", major, minor);
        qn__facts_set_text(out, "version", text);
        qn__facts_set_number(out, "major", major);
    }
    if (!count || !list || count(&n) != 0 || n < 1 || n > 256 || list(archs) != 0)
        return out;
    int lowest = archs[0], highest = archs[0];
    for (int i = 1; i < n; i++) {
        lowest = archs[i] < lowest ? archs[i] : lowest;
        highest = archs[i] > highest ? archs[i] : highest;
    }
    qn__facts_set_number(out, "sm_lowest", lowest);
    qn__facts_set_number(out, "sm_highest", highest);
    return out;
}

/* libnvrtc.so.13 and not libnvrtc-builtins; the one that the variables name comes first. */
static void find_nvrtc(struct qn__names *out, const struct qn__root *root)
{
    static const char usual[] =
        "/usr/local/cuda/lib64 /usr/local/cuda/targets/x86_64-linux/lib /usr/local/cuda-*/lib64 "
        "/usr/local/cuda-*/targets/x86_64-linux/lib /opt/cuda/lib64 "
        "/opt/cuda/targets/x86_64-linux/lib";
    const char *const named[] = {qn__getenv("CUDA_PATH"), qn__getenv("CUDA_HOME"),
                                 qn__getenv("VIRTUAL_ENV")};
    struct qn__str folders = {0};
    for (int i = 0; i < 2; i++)
        if (named[i])
            qn__str_printf(&folders, "%s/lib64 %s/targets/x86_64-linux/lib %s/lib ", named[i],
                           named[i], named[i]);
    if (named[2])
        qn__str_printf(&folders,
                       "%s/lib/python3*/site-packages/nvidia/cu1*/lib "
                       "%s/lib/python3*/site-packages/nvidia/cuda_nvrtc/lib ",
                       named[2], named[2]);
    qn__str_add(&folders, usual);
    if (folders.text)
        qn__root_libraries(out, root, "libnvrtc.so.1[0-9]*", folders.text);
    qn__str_release(&folders);
}

static json_t *nvrtcs(const struct qn__root *root)
{
    json_t *list = json_array();
    struct qn__names files = {0}, builtins = {0};
    find_nvrtc(&files, root);
    for (size_t i = 0; i < files.n && i < 8; i++) {
        struct qn__library_place place = {root, files.items[i]};
        json_t *one = qn__child_run(ask_nvrtc, &place, LIMIT_S);
        struct qn__str pattern = {0};
        const char *slash = strrchr(files.items[i], '/');
        qn__facts_set_text(one, "file", files.items[i]);
        qn__str_printf(&pattern, "%.*s/libnvrtc-builtins.so*", (int)(slash - files.items[i]),
                       files.items[i]);
        qn__root_match(&builtins, root, pattern.text);
        json_object_set_new(one, "has_builtins", json_boolean(builtins.n > 0));
        qn__names_release(&builtins);
        qn__str_release(&pattern);
        json_array_append_new(list, one);
    }
    qn__names_release(&files);
    return list;
}

/* ---- all ---- */

/* "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  ..." */
static void set_module_version(json_t *out, const struct qn__root *root)
{
    char *text = qn__root_read(root, "/proc/driver/nvidia/version");
    for (char *word = text ? strtok(text, " \t\n") : NULL; word; word = strtok(NULL, " \t\n")) {
        const size_t n = strspn(word, "0123456789.");
        if (!word[n] && strchr(word, '.') && word[0] != '.') {
            qn__facts_set_text(out, "module_version", word);
            break;
        }
    }
    free(text);
}

/* The version in the name of the file that libcuda.so.1 is. */
static void set_library_version(json_t *libcuda)
{
    const char *file = qn__facts_text(libcuda, "file"), *so = strstr(file, ".so.");
    if (so && strchr(so + 4, '.'))
        qn__facts_set_text(libcuda, "version", so + 4);
}

static bool process_runs(const struct qn__root *root, const char *name)
{
    struct qn__names files = {0};
    char line[64];
    bool runs = false;
    qn__root_match(&files, root, "/proc/[0-9]*/comm");
    for (size_t i = 0; i < files.n && !runs; i++)
        runs =
            qn__root_line(root, files.items[i], line, sizeof line) && strncmp(line, name, 15) == 0;
    qn__names_release(&files);
    return runs;
}

static json_t *library_files(const struct qn__root *root, const char *pattern, const char *folders)
{
    json_t *list = json_array();
    struct qn__names files = {0};
    qn__root_libraries(&files, root, pattern, folders);
    for (size_t i = 0; i < files.n; i++) {
        char *real = qn__root_real(root, files.items[i]);
        json_array_append_new(list, qn__facts_string(real ? real : files.items[i]));
        free(real);
    }
    qn__names_release(&files);
    return list;
}

json_t *qn__nvidia_now(const struct qn__root *root)
{
    struct qn__library_place place = {root, NULL};
    return qn__child_run(ask_nvml, &place, LIMIT_S);
}

void qn__gather_nvidia(json_t *facts, const struct qn__root *root)
{
    static const char cuda_folders[] =
        "/usr/local/cuda/lib64 /usr/local/cuda-*/lib64 /opt/cuda/lib64";
    json_t *out = json_object();
    struct qn__library_place place = {root, NULL};
    struct qn__names switches = {0};
    json_object_set_new(facts, "nvidia", out);
    set_module_version(out, root);
    json_object_set_new(out, "libcuda", qn__child_run(ask_cuda, &place, LIMIT_S));
    set_library_version(json_object_get(out, "libcuda"));
    json_object_set_new(out, "nvml", qn__nvidia_now(root));
    json_object_set_new(out, "nvrtc", nvrtcs(root));
    json_object_set_new(out, "cublas", library_files(root, "libcublas.so.1[0-9]*", cuda_folders));
    qn__root_match(&switches, root, "/dev/nvidia-nvswitch[0-9]*");
    if (switches.n) {
        qn__facts_set_number(out, "nvswitches", (int64_t)switches.n);
        json_object_set_new(out, "fabric_manager",
                            json_boolean(process_runs(root, "nv-fabricmanager")));
    }
    qn__names_release(&switches);
}
