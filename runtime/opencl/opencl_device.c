/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenCL devices: which of them can be used, what they are, contexts.
 *
 * A device's number is its place over all platforms in the loader's order, GPUs before CPUs, among
 * those that can be used: enumerate() makes that list for probe and for open. */
#include "runtime/opencl/opencl_device.h"

#include "base/free_memory.h"
#include "base/profiles.h"
#include "runtime/driver_build.h"
#include "runtime/opencl/opencl_backend.h"
#include "runtime/opencl/opencl_driver.h"
#include "runtime/opencl/opencl_icd.h"
#include "runtime/opencl/opencl_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLATFORMS_MAX = 32,
    DEVICES_MAX = 64,
    TEXT_MAX = 512,
    TARGET_MAX = 96,
    LIST_BYTES_MAX = 1 << 20, /* of extensions or features */
};

/* -- questions to the driver; an unknown answer is 0 or "" -- */

static uint64_t ask_u64(cl_device_id d, cl_device_info what)
{
    uint64_t v = 0; /* little-endian: also right for 4-byte answers */
    return qn__cl.GetDeviceInfo(d, what, sizeof v, &v, NULL) == CL_SUCCESS ? v : 0;
}

static uint32_t ask_u32(cl_device_id d, cl_device_info what)
{
    return (uint32_t)ask_u64(d, what);
}

static void ask_text(char out[TEXT_MAX], cl_device_id d, cl_device_info what)
{
    if (qn__cl.GetDeviceInfo(d, what, TEXT_MAX, out, NULL) != CL_SUCCESS)
        out[0] = 0;
    out[TEXT_MAX - 1] = 0;
}

static void ask_platform(char out[TEXT_MAX], cl_platform_id p, cl_platform_info what)
{
    if (qn__cl.GetPlatformInfo(p, what, TEXT_MAX, out, NULL) != CL_SUCCESS)
        out[0] = 0;
    out[TEXT_MAX - 1] = 0;
}

/* Extensions, then OpenCL C 3.0 features, each followed by a blank; NULL: no memory. */
static char *ask_extensions(cl_device_id d)
{
    struct qn__str s = {0};
    size_t n = 0;
    if (qn__cl.GetDeviceInfo(d, CL_DEVICE_EXTENSIONS, 0, NULL, &n) == CL_SUCCESS && n &&
        n <= LIST_BYTES_MAX) {
        char *text = qn__alloc(n + 1, 1);
        if (!text)
            return NULL;
        if (qn__cl.GetDeviceInfo(d, CL_DEVICE_EXTENSIONS, n, text, NULL) == CL_SUCCESS)
            qn__str_printf(&s, "%s ", text);
        free(text);
    }
    n = 0;
    if (qn__cl.GetDeviceInfo(d, CL_DEVICE_OPENCL_C_FEATURES, 0, NULL, &n) == CL_SUCCESS && n &&
        n <= LIST_BYTES_MAX) {
        struct qn__cl_name_version *f = qn__alloc(n, 1);
        if (f && qn__cl.GetDeviceInfo(d, CL_DEVICE_OPENCL_C_FEATURES, n, f, NULL) == CL_SUCCESS)
            for (size_t i = 0; i < n / sizeof *f; i++)
                qn__str_printf(&s, "%.64s ", f[i].name);
        free(f);
    }
    return qn__str_take(&s);
}

static bool has_extension(const char *extensions, const char *name)
{
    const size_t n = strlen(name);
    for (const char *p = extensions; (p = strstr(p, name)); p += n)
        if (p[n] == ' ' && (p == extensions || p[-1] == ' '))
            return true;
    return false;
}

/* "OpenCL 3.0 ..." as 30 */
static uint32_t version_of(cl_device_id d)
{
    char text[TEXT_MAX];
    unsigned major = 0, minor = 0;
    ask_text(text, d, CL_DEVICE_VERSION);
    return sscanf(text, "OpenCL %u.%u", &major, &minor) == 2 ? major * 10 + minor : 0;
}

/* -- which devices -- */

/* Did the driver fill a text, as far as it said, without its end? */
static bool is_open(const char text[TEXT_MAX], cl_int code, size_t n)
{
    return code == CL_SUCCESS && n && !memchr(text, 0, n < TEXT_MAX ? n : TEXT_MAX);
}

/* What a driver does that it must not, or NULL; ids: n_ids of them, of one platform. */
static const char *nonsense_of(cl_platform_id platform, const cl_device_id *ids, cl_uint n_ids)
{
    static const cl_device_info texts[] = {CL_DEVICE_NAME, CL_DRIVER_VERSION, CL_DEVICE_VERSION};
    static const char *const open_text = "the driver writes names without their end";
    char text[TEXT_MAX];
    size_t n = 0;
    cl_int code = qn__cl.GetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text, text, &n);
    if (is_open(text, code, n))
        return open_text;
    if (n_ids > QN__DRIVER_DEVICES_MAX)
        return "the driver claims to have hundreds of devices";
    for (cl_uint i = 0; i < n_ids && i < DEVICES_MAX; i++) {
        if (!ids[i])
            return "the driver counts devices that it does not show";
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
            n = 0;
            code = qn__cl.GetDeviceInfo(ids[i], texts[t], sizeof text, text, &n);
            if (is_open(text, code, n))
                return open_text;
        }
    }
    return NULL;
}

/* Why a device cannot be used, or NULL. */
static const char *refusal_of(cl_device_id d)
{
    const uint64_t type = ask_u64(d, CL_DEVICE_TYPE);
    if (!(type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_CPU)))
        return "neither a GPU nor a CPU";
    if (!ask_u32(d, CL_DEVICE_AVAILABLE))
        return "the driver says it is not available";
    if (!ask_u32(d, CL_DEVICE_COMPILER_AVAILABLE))
        return "its driver has no compiler for OpenCL C";
    if (ask_u32(d, CL_DEVICE_ADDRESS_BITS) != 64)
        return "its addresses are not 64 bits wide";
    if (version_of(d) < 20 ||
        !(ask_u64(d, CL_DEVICE_SVM_CAPABILITIES) & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
        return "it has no shared virtual memory (OpenCL 2.0 or later with coarse-grain buffers), "
               "which device addresses need; a newer driver may have it";
    if (!qn__cl.SVMAlloc || !qn__cl.SVMFree || !qn__cl.EnqueueSVMMemcpy ||
        !qn__cl.EnqueueSVMMemFill || !qn__cl.SetKernelArgSVMPointer || !qn__cl.SetKernelExecInfo)
        return "the OpenCL loader library is older than OpenCL 2.0: install a newer "
               "ocl-icd-libopencl1";
    return NULL;
}

/* Append one platform's devices of one type; refusals go to `found` unless that is NULL. */
static qn_status enumerate_platform(struct qn__opencl_entry *entries, uint32_t *n,
                                    cl_platform_id platform, cl_device_type type,
                                    struct qn__found *found)
{
    cl_device_id ids[DEVICES_MAX] = {0};
    cl_uint n_ids = 0;
    char name[TEXT_MAX];
    const cl_int code = qn__cl.GetDeviceIDs(platform, type, DEVICES_MAX, ids, &n_ids);
    if (code == CL_DEVICE_NOT_FOUND)
        return QN_OK;
    if (code != CL_SUCCESS) {
        ask_platform(name, platform, CL_PLATFORM_NAME);
        const qn_status s = qn__opencl_fail(code, "clGetDeviceIDs");
        return found && s != QN_OK ? qn__found_refusal(found, "opencl", name, "%s", qn_message())
                                   : QN_OK;
    }
    const char *nonsense = nonsense_of(platform, ids, n_ids);
    if (nonsense) {
        ask_platform(name, platform, CL_PLATFORM_NAME);
        return found ? qn__found_broken(found, "opencl", name, "%s", nonsense) : QN_OK;
    }
    for (cl_uint i = 0; i < n_ids && i < DEVICES_MAX && *n < DEVICES_MAX; i++) {
        const char *why = refusal_of(ids[i]);
        if (!why) {
            entries[(*n)++] = (struct qn__opencl_entry){platform, ids[i]};
        } else if (found) {
            ask_text(name, ids[i], CL_DEVICE_NAME);
            QN_TRY(qn__found_refusal(found, "opencl", name, "%s", why));
        }
    }
    return QN_OK;
}

/* A platform without any device says so. */
static qn_status report_empty(struct qn__found *found, cl_platform_id platform)
{
    char name[TEXT_MAX];
    cl_uint n_ids = 0;
    const cl_device_type any = CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_CPU |
                               CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    const cl_int code = qn__cl.GetDeviceIDs(platform, any, 0, NULL, &n_ids);
    if (code != CL_DEVICE_NOT_FOUND && n_ids)
        return QN_OK;
    ask_platform(name, platform, CL_PLATFORM_NAME);
    return qn__found_refusal(
        found, "opencl", name, "%s",
        strcmp(name, "Portable Computing Language") == 0
            ? "the driver shows no device: PoCL shows its CPU only where it can write to its cache "
              "(POCL_CACHE_DIR, else .cache/pocl in HOME): set POCL_CACHE_DIR to a folder that can "
              "be written"
            : "the driver shows no device");
}

static qn_status enumerate(struct qn__opencl_entry entries[DEVICES_MAX], uint32_t *n,
                           struct qn__found *found)
{
    static const cl_device_type types[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_CPU,
                                           CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM};
    cl_platform_id platforms[PLATFORMS_MAX] = {0};
    cl_uint n_platforms = 0;
    *n = 0;
    const cl_int code = qn__cl.GetPlatformIDs(PLATFORMS_MAX, platforms, &n_platforms);
    if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == CL_SUCCESS && n_platforms == 0))
        return qn__fail_code(QN_E_NO_DEVICE, code,
                             "no OpenCL driver is installed; for the CPU: apt install "
                             "pocl-opencl-icd; for a GPU: its maker's OpenCL driver");
    QN__CL_TRY(code, "clGetPlatformIDs");
    for (cl_uint i = 0; i < n_platforms; i++)
        if (n_platforms > PLATFORMS_MAX || !platforms[i])
            return qn__fail(QN_E_CORRUPT, "the loader claims to have %u platforms%s", n_platforms,
                            n_platforms > PLATFORMS_MAX ? "" : " and does not show all");
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (cl_uint i = 0; i < n_platforms && i < PLATFORMS_MAX; i++)
            QN_TRY(enumerate_platform(entries, n, platforms[i], types[t], found));
    for (cl_uint i = 0; found && i < n_platforms && i < PLATFORMS_MAX; i++)
        QN_TRY(report_empty(found, platforms[i]));
    return QN_OK;
}

/* -- what a device is -- */

struct traits {
    char platform_name[TEXT_MAX], platform_version[TEXT_MAX];
    char *extensions;
    uint32_t version; /* 30 */
    bool is_cpu;
};

static const char *profile_of(const struct traits *t, cl_device_id d)
{
    const bool subgroups = has_extension(t->extensions, "cl_khr_subgroups") ||
                           has_extension(t->extensions, "__opencl_c_subgroups");
    unsigned pocl_major = 0;
    const char *pocl = strstr(t->platform_version, "PoCL ");
    if (pocl && sscanf(pocl, "PoCL %u", &pocl_major) == 1)
        return pocl_major >= 5 && subgroups ? "pocl5" : "pocl3";
    if (has_extension(t->extensions, "cl_nv_device_attribute_query"))
        return "nvidia";
    if (!t->is_cpu && has_extension(t->extensions, "cl_intel_required_subgroup_size"))
        return "intel";
    if (t->is_cpu && t->version >= 30 && qn__starts_with(t->platform_name, "Intel(R) OpenCL"))
        return "intelcpu";
    if (t->version >= 30 && subgroups && ask_u32(d, CL_DEVICE_MAX_NUM_SUB_GROUPS))
        return "opencl3";
    return "portable";
}

static bool traits_have(const void *device, const char *extension)
{
    return has_extension(((const struct traits *)device)->extensions, extension);
}

static void target_of(char out[TARGET_MAX], const struct traits *t, cl_device_id d)
{
    static const char kind[] = "opencl:";
    memcpy(out, kind, sizeof kind);
    qn__profile_of_device(out + sizeof kind - 1, TARGET_MAX - sizeof kind, profile_of(t, d),
                          traits_have, t);
}

static uint32_t wave_of(const struct traits *t, cl_device_id d)
{
    size_t sizes[16] = {0};
    uint32_t wave = 0;
    if (t->is_cpu)
        return 1;
    if (has_extension(t->extensions, "cl_nv_device_attribute_query"))
        wave = ask_u32(d, CL_DEVICE_WARP_SIZE_NV);
    else if (has_extension(t->extensions, "cl_amd_device_attribute_query"))
        wave = ask_u32(d, CL_DEVICE_WAVEFRONT_WIDTH_AMD);
    else if (qn__cl.GetDeviceInfo(d, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, NULL) ==
             CL_SUCCESS)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            wave = sizes[i] > wave ? (uint32_t)sizes[i] : wave;
    return wave ? wave : 1;
}

/* "0000:65:00.0" where one of three ways to ask works, else "". */
static void pci_of(char out[TEXT_MAX], const char *extensions, cl_device_id d)
{
    struct qn__cl_pci_khr khr;
    struct qn__cl_pci_amd amd;
    out[0] = 0;
    if (has_extension(extensions, "cl_khr_pci_bus_info") &&
        qn__cl.GetDeviceInfo(d, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof khr, &khr, NULL) == CL_SUCCESS) {
        snprintf(out, TEXT_MAX, "%04x:%02x:%02x.%x", khr.domain, khr.bus, khr.device, khr.function);
    } else if (has_extension(extensions, "cl_nv_device_attribute_query")) {
        const uint32_t slot = ask_u32(d, CL_DEVICE_PCI_SLOT_ID_NV); /* device << 3 | function */
        snprintf(out, TEXT_MAX, "%04x:%02x:%02x.%x", ask_u32(d, CL_DEVICE_PCI_DOMAIN_ID_NV),
                 ask_u32(d, CL_DEVICE_PCI_BUS_ID_NV), slot >> 3, slot & 7);
    } else if (has_extension(extensions, "cl_amd_device_attribute_query") &&
               qn__cl.GetDeviceInfo(d, CL_DEVICE_TOPOLOGY_AMD, sizeof amd, &amd, NULL) ==
                   CL_SUCCESS &&
               amd.type == 1) {
        snprintf(out, TEXT_MAX, "0000:%02x:%02x.%x", amd.bus, amd.device, amd.function);
    }
}

static qn_device_class class_of(const struct traits *t, cl_device_id d)
{
    if (t->is_cpu)
        return QN_DEVICE_CPU;
    const bool shared = has_extension(t->extensions, "cl_nv_device_attribute_query")
                            ? ask_u32(d, CL_DEVICE_INTEGRATED_MEMORY_NV)
                            : ask_u32(d, CL_DEVICE_HOST_UNIFIED_MEMORY);
    return shared ? QN_DEVICE_INTEGRATED : QN_DEVICE_DISCRETE;
}

/* What the driver says; else what the process may still take, where its memory is the device's. */
static uint64_t free_bytes_of(qn_device_class device_class, const char *extensions, cl_device_id d,
                              uint64_t otherwise)
{
    size_t kib[2] = {0};
    if (has_extension(extensions, "cl_amd_device_attribute_query") &&
        qn__cl.GetDeviceInfo(d, CL_DEVICE_GLOBAL_FREE_MEMORY_AMD, sizeof kib, kib, NULL) ==
            CL_SUCCESS)
        return kib[0] * UINT64_C(1024);
    if (device_class == QN_DEVICE_DISCRETE)
        return otherwise;
    const struct qn__free_memory host = qn__free_memory();
    return host.total_bytes && host.free_bytes < otherwise ? host.free_bytes : otherwise;
}

static qn_status report(struct qn__found *found, const struct qn__opencl_entry *e,
                        const struct traits *t)
{
    char name[TEXT_MAX], arch[32], version[TEXT_MAX], compiler[TEXT_MAX], pci[TEXT_MAX];
    char driver[3 * TEXT_MAX + 8], target[TARGET_MAX];
    const cl_device_id d = e->device;
    ask_text(name, d, CL_DEVICE_NAME);
    ask_text(version, d, CL_DRIVER_VERSION);
    ask_text(compiler, d, CL_DEVICE_OPENCL_C_VERSION);
    pci_of(pci, t->extensions, d);
    target_of(target, t, d);
    if (has_extension(t->extensions, "cl_nv_device_attribute_query"))
        snprintf(arch, sizeof arch, "sm_%u%u", ask_u32(d, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV),
                 ask_u32(d, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV));
    else
        snprintf(arch, sizeof arch, "CL%u.%u", t->version / 10, t->version % 10);
    snprintf(driver, sizeof driver, "%s %s (%s)", t->platform_name, version, t->platform_version);
    qn_device_info info = {
        .kind = "opencl",
        .name = name,
        .arch = arch,
        .target = target,
        .driver = driver,
        .toolkit = compiler,
        .pci = pci,
        .device_class = class_of(t, d),
        .memory_total_bytes = ask_u64(d, CL_DEVICE_GLOBAL_MEM_SIZE),
        .compute_units = ask_u32(d, CL_DEVICE_MAX_COMPUTE_UNITS),
        .wave_width = wave_of(t, d),
        .block_threads_max = ask_u32(d, CL_DEVICE_MAX_WORK_GROUP_SIZE),
        .grid_max = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, /* OpenCL has no limit of its own */
        .shared_bytes_max = ask_u64(d, CL_DEVICE_LOCAL_MEM_SIZE),
        .clock_mhz = ask_u32(d, CL_DEVICE_MAX_CLOCK_FREQUENCY),
    };
    info.memory_free_bytes =
        free_bytes_of(info.device_class, t->extensions, d, info.memory_total_bytes);
    size_t sides[3] = {1, 1, 1};
    QN__CL_TRY(qn__cl.GetDeviceInfo(d, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sides, sides, NULL),
               "%s: CL_DEVICE_MAX_WORK_ITEM_SIZES", name);
    for (int i = 0; i < 3; i++)
        info.block_max[i] = (uint32_t)sides[i];
    return qn__found_device(found, &info);
}

static qn_status describe(struct qn__found *found, const struct qn__opencl_entry *e)
{
    struct traits t = {.version = version_of(e->device)};
    t.is_cpu = ask_u64(e->device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU;
    ask_platform(t.platform_name, e->platform, CL_PLATFORM_NAME);
    ask_platform(t.platform_version, e->platform, CL_PLATFORM_VERSION);
    t.extensions = ask_extensions(e->device);
    if (!t.extensions)
        return qn__fail(QN_E_MEMORY, "no memory for the list of extensions");
    const qn_status s = report(found, e, &t);
    free(t.extensions);
    return s;
}

void qn__opencl_files(struct qn__str *names)
{
    struct qn__str libraries = {0};
    for (int i = 0; qn__opencl_libraries[i]; i++)
        qn__str_add_bytes(names, qn__opencl_libraries[i], strlen(qn__opencl_libraries[i]) + 1);
    qn__opencl_icds(&libraries, names);
    qn__str_add_bytes(names, libraries.text ? libraries.text : "", libraries.len);
    names->failed = names->failed || libraries.failed; /* a part is no list */
    qn__str_release(&libraries);
}

/* The loader, or where that may not be loaded the drivers that may. *is_there false: nothing, and
 * the refusals say why. */
static qn_status load(bool *is_there, struct qn__found *found)
{
    struct qn__message why;
    *is_there = false;
    if (qn__opencl_is_loaded() || qn__found_ask(found, "opencl", NULL) == QN_OK) {
        if (qn__opencl_load() != QN_OK)
            return qn__found_refusal(found, "opencl", qn__opencl_libraries[0],
                                     "%s (apt install ocl-icd-libopencl1)", qn_message());
    } else {
        qn__message_save(&why);
        if (qn__opencl_load_apart(found, why.text) != QN_OK) {
            QN_TRY(qn__found_refusal(found, "opencl", qn__opencl_libraries[0], "%s", qn_message()));
            return qn__opencl_report_left_out(found);
        }
    }
    *is_there = true;
    return qn__opencl_report_left_out(found);
}

qn_status qn__opencl_probe(struct qn__found *found)
{
    struct qn__opencl_entry entries[DEVICES_MAX];
    uint32_t n;
    bool is_there;
    QN_TRY(load(&is_there, found));
    if (!is_there)
        return QN_OK;
    const qn_status s = enumerate(entries, &n, found);
    if (s == QN_E_MEMORY)
        return s;
    if (s == QN_E_CORRUPT)
        return qn__found_broken(found, "opencl", qn__opencl_libraries[0], "%s", qn_message());
    if (s != QN_OK)
        return qn__found_refusal(found, "opencl", "platforms", "%s", qn_message());
    for (uint32_t i = 0; i < n; i++)
        QN_TRY(describe(found, &entries[i]));
    return QN_OK;
}

/* -- contexts -- */

static qn_status open_context(struct qn__opencl_device *dev)
{
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)dev->platform, 0};
    size_t parameter_bytes = 0;
    cl_int code;
    dev->context = qn__cl.CreateContext(properties, 1, &dev->id, NULL, NULL, &code);
    QN__CL_TRY(code, "clCreateContext");
    dev->queue = qn__cl.CreateCommandQueue(dev->context, dev->id, 0, &code);
    QN__CL_TRY(code, "clCreateCommandQueue");
    dev->is_cpu = ask_u64(dev->id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU;
    dev->memory_bytes = ask_u64(dev->id, CL_DEVICE_GLOBAL_MEM_SIZE);
    dev->alloc_bytes_max = ask_u64(dev->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    QN__CL_TRY(qn__cl.GetDeviceInfo(dev->id, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof parameter_bytes,
                                    &parameter_bytes, NULL),
               "CL_DEVICE_MAX_PARAMETER_SIZE");
    dev->parameter_bytes_max = parameter_bytes;
    dev->extensions = ask_extensions(dev->id);
    if (!dev->extensions)
        return qn__fail(QN_E_MEMORY, "no memory for a device");
    if (qn__opencl_has(dev, "cl_nv_device_attribute_query"))
        dev->nvidia_sm = 10 * ask_u32(dev->id, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV) +
                         ask_u32(dev->id, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV);
    return QN_OK;
}

/* An address in the driver. A platform of a driver that a loader can load begins with a table of
 * the driver's own; without a loader it may be anything. */
static const void *inside_driver(cl_platform_id platform)
{
    char suffix[TEXT_MAX];
    const void *inside;
    ask_platform(suffix, platform, CL_PLATFORM_ICD_SUFFIX_KHR);
    if (suffix[0])
        memcpy(&inside, platform, sizeof inside);
    else
        memcpy(&inside, &qn__cl.GetPlatformInfo, sizeof inside);
    return inside;
}

qn_status qn__opencl_device_open(qn_device **out, uint32_t index)
{
    struct qn__opencl_entry entries[DEVICES_MAX];
    uint32_t n;
    *out = NULL;
    QN_TRY(qn__opencl_load());
    QN_TRY(enumerate(entries, &n, NULL));
    if (index >= n)
        return qn__fail(QN_E_NO_DEVICE, "opencl:%u has gone away since it was listed", index);
    struct qn__opencl_device *dev = qn__alloc(1, sizeof *dev);
    if (!dev)
        return qn__fail(QN_E_MEMORY, "no memory for a device");
    dev->platform = entries[index].platform;
    dev->id = entries[index].device;
    const bool is_known = qn__driver_build(dev->base.driver_build, inside_driver(dev->platform));
    dev->base.libraries = qn__opencl_apart();
    const qn_status s = is_known ? open_context(dev)
                                 : qn__fail(QN_E_MEMORY, "no memory to look at the driver's files");
    if (s != QN_OK) {
        qn__opencl_device_close(&dev->base);
        return s;
    }
    *out = &dev->base;
    return QN_OK;
}

void qn__opencl_device_close(qn_device *device)
{
    struct qn__opencl_device *dev = (struct qn__opencl_device *)device;
    qn__opencl_release_memory(dev);
    if (dev->queue)
        qn__cl.ReleaseCommandQueue(dev->queue);
    if (dev->context)
        qn__cl.ReleaseContext(dev->context);
    free(dev->extensions);
    free(dev);
}

qn_status qn__opencl_device_memory(qn_device *device, uint64_t *free_bytes, uint64_t *total_bytes)
{
    struct qn__opencl_device *dev = (struct qn__opencl_device *)device;
    pthread_mutex_lock(&device->lock);
    const uint64_t left =
        dev->memory_bytes > dev->allocated_bytes ? dev->memory_bytes - dev->allocated_bytes : 0;
    pthread_mutex_unlock(&device->lock);
    *total_bytes = dev->memory_bytes;
    *free_bytes = free_bytes_of(device->info.device_class, dev->extensions, dev->id, left);
    return QN_OK;
}

bool qn__opencl_has(const struct qn__opencl_device *dev, const char *extension)
{
    return has_extension(dev->extensions, extension);
}
