/* SPDX-License-Identifier: Apache-2.0
 *
 * What the facts say of AMD's cards and of ROCm. */
#include "doctor/findings.h"

#include "doctor/user_language.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *gfx, *first, *note, *known;
} gfx_rows[] = {
#define QN_CUDA_MAJOR(major, driver, note, known, source)
#define QN_SM(sm, cards, first, last, known, source)
#define QN_GFX(gfx, cards, first, note, known, source) {gfx, first, note, #known},
#define QN_OPENCL(driver, versions, state, known, source)
#include "doctor/compatibility.def"
};

static const json_t *node(const json_t *facts, const char *file)
{
    return json_object_get(qn__facts_part(facts, "nodes"), file);
}

static bool has_render_node(const json_t *facts)
{
    const char *file;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)qn__facts_part(facts, "nodes"), file, value)
    {
        if (qn__starts_with(file, "/dev/dri/renderD"))
            return true;
    }
    return false;
}

/* Has an AMD card this driver; NULL: any of the kernel's? */
static bool is_held_by(const json_t *facts, const char *driver)
{
    const json_t *list = qn__facts_part(facts, "gpus");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *gpu = json_array_get(list, i);
        const char *has = qn__facts_text(gpu, "driver");
        if (!strcmp(qn__facts_text(gpu, "maker"), "amd") && (driver ? !strcmp(has, driver) : *has))
            return true;
    }
    return false;
}

static void judge_kernel_side(struct qn__report *r, const json_t *facts)
{
    const char *container = qn__facts_text(facts, "system.container");
    const json_t *kfd = node(facts, "/dev/kfd");
    if (!qn__has_gpu(facts, "amd"))
        return;
    if (!is_held_by(facts, "amdgpu")) {
        if (!is_held_by(facts, "vfio-pci") && !*container)
            qn__report_add(r, QN__FINDING_AMD_NO_MODULE,
                           "an AMD card is on the PCI bus; the kernel's driver of it is %s",
                           is_held_by(facts, "radeon") ? qn__tr("radeon, not amdgpu")
                                                       : qn__tr("none"));
        return;
    }
    if (!kfd && *container && !has_render_node(facts))
        qn__report_add(r, QN__FINDING_CONTAINER_NO_GPU,
                       "%s: the host has amdgpu, neither /dev/kfd nor /dev/dri is here", container);
    else if (!kfd)
        qn__report_add(r, QN__FINDING_KFD_MISSING, "amdgpu is loaded, /dev/kfd is not there%s%s",
                       *container ? qn__tr("; this is a container: ") : "", container);
    else if (*qn__facts_text(kfd, "refused"))
        qn__report_add(r, QN__FINDING_KFD_PERMISSION, "/dev/kfd: %s; its group is %s",
                       qn__facts_text(kfd, "refused"), qn__facts_text(kfd, "group"));
    else if (*qn__facts_text(kfd, "open_fails"))
        qn__report_add(r, QN__FINDING_KFD_REFUSES, "opening /dev/kfd: %s",
                       qn__facts_text(kfd, "open_fails"));
    else if (!qn__facts_count(facts, "amd.kfd_gpus"))
        qn__report_add(r, QN__FINDING_KFD_NO_GPU,
                       "amdgpu is loaded, /sys/class/kfd/kfd/topology lists no GPU");
}

/* ---- versions ---- */

/* Of the runtime that programs get, else of what is installed. */
static const char *rocm_version(const json_t *facts)
{
    const char *version = qn__facts_text(facts, "amd.hip.version");
    const json_t *installed = qn__facts_part(facts, "amd.installed");
    if (!*version && json_array_size(installed))
        version = qn__facts_text(json_array_get(installed, 0), "version");
    return version;
}

/* The runtime tells major and minor alone; what is installed as that version tells all of it. */
static const char *rocm_whole_version(const json_t *facts)
{
    const json_t *installed = qn__facts_part(facts, "amd.installed");
    const char *version = rocm_version(facts);
    for (size_t i = 0; i < json_array_size(installed); i++) {
        const char *whole = qn__facts_text(json_array_get(installed, i), "version");
        if (qn__version_compare(whole, version) >= 0 && qn__starts_with(whole, version))
            return whole;
    }
    return version;
}

static void judge_cards(struct qn__report *r, const json_t *facts)
{
    const json_t *cards = qn__facts_part(facts, "amd.kfd_gpus"),
                 *blas = qn__facts_part(facts, "amd.rocblas");
    const char *version = rocm_version(facts);
    for (size_t i = 0; i < json_array_size(cards); i++) {
        const char *gfx = json_string_value(json_array_get(cards, i));
        bool has_blas = false;
        for (size_t k = 0; gfx && *version && k < sizeof gfx_rows / sizeof gfx_rows[0]; k++)
            if (!strcmp(gfx_rows[k].gfx, gfx) &&
                qn__version_compare(version, gfx_rows[k].first) < 0)
                qn__report_add(
                    r, QN__FINDING_ROCM_OLD,
                    "the card is %s, which needs ROCm %s; here "
                    "is %s%s%s%s",
                    gfx, gfx_rows[k].first, version, *gfx_rows[k].note ? "; " : "",
                    qn__tr(gfx_rows[k].note),
                    strcmp(gfx_rows[k].known, "UNCONFIRMED") ? "" : qn__tr("; not confirmed"));
        for (size_t k = 0; gfx && k < json_array_size(blas); k++)
            has_blas |= qn__equal(json_string_value(json_array_get(blas, k)), gfx);
        if (blas && gfx && !has_blas)
            qn__report_add(r, QN__FINDING_ROCBLAS_NO_GFX,
                           "the card is %s; rocBLAS has code for %zu other architectures", gfx,
                           json_array_size(blas));
    }
}

/* The number behind ".so."; -1: none. */
static long soname_major(const char *file)
{
    const char *so = strstr(file, ".so.");
    return so ? strtol(so + 4, NULL, 10) : -1;
}

/* Up to "/lib": "/opt/rocm-6.2.0". */
static size_t home_length(const char *file)
{
    const char *lib = strstr(file, "/lib");
    return lib ? (size_t)(lib - file) : strlen(file);
}

static bool are_of_one_rocm(const char *hip, const char *rtc)
{
    const long a = soname_major(hip), b = soname_major(rtc);
    if (a > 0 && b > 0 && a != b)
        return false;
    if (!qn__starts_with(hip, "/opt/rocm") || !qn__starts_with(rtc, "/opt/rocm"))
        return true;
    return home_length(hip) == home_length(rtc) && !strncmp(hip, rtc, home_length(hip));
}

static void judge_runtime(struct qn__report *r, const json_t *facts)
{
    const json_t *hip = qn__facts_part(facts, "amd.hip"),
                 *rtc = qn__facts_part(facts, "amd.hiprtc");
    const json_t *files = qn__facts_part(facts, "amd.libamdhip64");
    const char *said = qn__facts_text(hip, "said");
    const bool has_card = qn__facts_count(facts, "amd.kfd_gpus") > 0;
    struct qn__str list = {0};
    for (size_t i = 0; i < json_array_size(files); i++)
        qn__str_printf(&list, "%s%s", i ? ", " : "", json_string_value(json_array_get(files, i)));
    if (json_array_size(files) > 1)
        qn__report_add(r, QN__FINDING_SEVERAL_HIP, "%s", list.text);
    qn__str_release(&list);
    if (has_card && !json_array_size(files))
        qn__report_add(r, QN__FINDING_ROCM_MISSING, "libamdhip64.so was not found");
    if (!hip)
        return;
    if (*qn__facts_text(hip, "crashed")) {
        qn__report_add(r, QN__FINDING_DRIVER_CRASHES, "libamdhip64: %s%s%s",
                       qn__facts_text(hip, "crashed"), *said ? qn__tr("; it said: ") : "", said);
        return;
    }
    if (rtc && *qn__facts_text(rtc, "file") &&
        !are_of_one_rocm(qn__facts_text(hip, "file"), qn__facts_text(rtc, "file")))
        qn__report_add(r, QN__FINDING_ROCM_MIXED, "%s and %s", qn__facts_text(hip, "file"),
                       qn__facts_text(rtc, "file"));
    if (!qn__facts_is_true(hip, "has_hiprtc") && !qn__facts_is_true(rtc, "is_hiprtc"))
        qn__report_add(r, QN__FINDING_HIPRTC_MISSING,
                       "hipRTC is neither in %s nor a library beside "
                       "it%s%s",
                       qn__facts_text(hip, "file"), rtc ? ": " : "", qn__facts_text(rtc, "error"));
    else if (!qn__facts_is_true(facts, "amd.has_comgr"))
        qn__report_add(r, QN__FINDING_HIPRTC_MISSING, "libamd_comgr.so was not found");
    const char *version = rocm_whole_version(facts);
    if (*version && qn__version_compare(version, "7.0") >= 0 &&
        qn__version_compare(version, "7.0.2") < 0)
        qn__report_add(r, QN__FINDING_HIPRTC_70, "ROCm %s", version);
    const int64_t error = qn__facts_number(hip, "init_error", 0);
    const int64_t count_error = qn__facts_number(hip, "count_error", 0);
    if (has_card && !qn__report_has(r, QN__FINDING_ROCM_OLD) &&
        !qn__report_has(r, QN__FINDING_KFD_PERMISSION) &&
        (error || count_error || qn__facts_number(hip, "count", -1) == 0))
        qn__report_add(
            r, QN__FINDING_HIP_INIT_FAILS, "the kernel lists %zu GPUs, HIP %lld (%s %lld)",
            qn__facts_count(facts, "amd.kfd_gpus"), (long long)qn__facts_number(hip, "count", 0),
            error ? qn__tr("hipInit answers") : qn__tr("hipGetDeviceCount answers"),
            (long long)(error ? error : count_error));
}

static void judge_lld(struct qn__report *r, const json_t *facts)
{
    const int64_t clang = qn__facts_number(facts, "amd.clang", 0);
    const int64_t lld = qn__facts_number(facts, "amd.lld", 0);
    if (clang && lld && clang != lld && qn__has_gpu(facts, "amd"))
        qn__report_add(r, QN__FINDING_LLD_VERSION, "clang %lld, and the newest lld is %lld",
                       (long long)clang, (long long)lld);
}

/* ---- variables ---- */

static void judge_variables(struct qn__report *r, const json_t *facts)
{
    static const char *const names[] = {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
                                        "GPU_DEVICE_ORDINAL", "CUDA_VISIBLE_DEVICES"};
    const char *override = qn__facts_variable(facts, "HSA_OVERRIDE_GFX_VERSION");
    struct qn__str list = {0};
    if (override)
        qn__report_add(r, QN__FINDING_HSA_OVERRIDE, "HSA_OVERRIDE_GFX_VERSION=%s", override);
    if (!qn__has_gpu(facts, "amd") && !qn__facts_count(facts, "amd.kfd_gpus"))
        return;
    for (int i = 0; i < (qn__has_gpu(facts, "nvidia") ? 3 : 4); i++) {
        const char *value = qn__facts_variable(facts, names[i]);
        if (value)
            qn__str_printf(&list, "%s%s=%s", list.len ? ", " : "", names[i], value);
    }
    if (list.len)
        qn__report_add(r, QN__FINDING_HIP_HIDDEN, "%s", list.text);
    qn__str_release(&list);
}

void qn__judge_amd(struct qn__report *r, const json_t *facts)
{
    judge_kernel_side(r, facts);
    judge_cards(r, facts);
    judge_runtime(r, facts);
    judge_lld(r, facts);
    judge_variables(r, facts);
}
