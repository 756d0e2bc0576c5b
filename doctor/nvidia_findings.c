/* SPDX-License-Identifier: Apache-2.0
 *
 * What the facts say of NVIDIA's driver and cards. Numbers of errors are those of the
 * drivers' manuals. */
#include "doctor/findings.h"

#include "doctor/user_language.h"

#include <stdlib.h>
#include <string.h>

enum {
    CUDA_STUB_LIBRARY = 34,
    CUDA_NO_DEVICE = 100,
    CUDA_NOT_READY = 802,
    CUDA_MISMATCH = 803,
    NVML_MISMATCH = 18,
    MODE_PROHIBITED = 2,
    SLOWED = 0x8 | 0x20 | 0x40 | 0x80, /* by heat or by the power supply */
};

static bool starts_with(const json_t *facts, const char *path, const char *prefix)
{
    return qn__starts_with(qn__facts_text(facts, path), prefix);
}

static bool has_node(const json_t *facts, const char *file)
{
    return json_object_get(qn__facts_part(facts, "nodes"), file) != NULL;
}

static bool is_held_by(const json_t *facts, const char *driver)
{
    const json_t *list = qn__facts_part(facts, "gpus");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *gpu = json_array_get(list, i);
        if (!strcmp(qn__facts_text(gpu, "maker"), "nvidia") &&
            !strcmp(qn__facts_text(gpu, "driver"), driver))
            return true;
    }
    return false;
}

/* Module and device nodes. */
static void judge_kernel_side(struct qn__report *r, const json_t *facts)
{
    const char *module = qn__facts_text(facts, "nvidia.module_version");
    const char *container = qn__facts_text(facts, "system.container");
    const bool has_ctl = has_node(facts, "/dev/nvidiactl");
    if (qn__facts_is_true(facts, "system.wsl"))
        return;
    if (is_held_by(facts, "nouveau"))
        qn__report_add(r, QN__FINDING_NVIDIA_NOUVEAU, "the kernel's driver of the card is nouveau");
    else if (!*module && qn__has_gpu(facts, "nvidia") && !*container &&
             !is_held_by(facts, "vfio-pci"))
        qn__report_add(
            r, QN__FINDING_NVIDIA_NO_MODULE,
            "an NVIDIA card is on the PCI bus, /proc/driver/nvidia/version is not there");
    if (!*module)
        return;
    if (!has_ctl && *container)
        qn__report_add(r, QN__FINDING_CONTAINER_NO_GPU,
                       "%s: the host has NVIDIA's module %s, /dev/nvidiactl is not here", container,
                       module);
    else if (!has_ctl || !has_node(facts, "/dev/nvidia-uvm"))
        qn__report_add(r, QN__FINDING_NVIDIA_DEVICE_NODES, "module %s is loaded, %s is not there",
                       module, has_ctl ? "/dev/nvidia-uvm" : "/dev/nvidiactl");
    const char *file;
    const json_t *node;
    json_object_foreach((json_t *)(uintptr_t)qn__facts_part(facts, "nodes"), file, node)
    {
        if (!qn__starts_with(file, "/dev/nvidia") || !*qn__facts_text(node, "refused"))
            continue;
        qn__report_add(r, QN__FINDING_NVIDIA_PERMISSION, "%s: %s (group %s)", file,
                       qn__facts_text(node, "refused"), qn__facts_text(node, "group"));
        break;
    }
}

static void judge_wsl(struct qn__report *r, const json_t *facts)
{
    const char *file = qn__facts_text(facts, "nvidia.libcuda.file");
    if (!qn__facts_is_true(facts, "system.wsl"))
        return;
    if (!has_node(facts, "/dev/dxg"))
        qn__report_add(r, QN__FINDING_WSL_NO_DRIVER, "WSL, and /dev/dxg is not there");
    else if (*file && !starts_with(facts, "nvidia.libcuda.file", "/usr/lib/wsl/"))
        qn__report_add(r, QN__FINDING_WSL_SHADOWED, "libcuda.so.1 is %s", file);
    else if (!*file)
        qn__report_add(r, QN__FINDING_WSL_NO_DRIVER, "libcuda.so.1: %s",
                       qn__facts_text(facts, "nvidia.libcuda.error"));
}

static bool is_stub(const json_t *facts)
{
    return strstr(qn__facts_text(facts, "nvidia.libcuda.file"), "/stubs/") ||
           qn__facts_number(facts, "nvidia.libcuda.init_error", 0) == CUDA_STUB_LIBRARY;
}

static bool judge_mismatch(struct qn__report *r, const json_t *facts)
{
    const char *module = qn__facts_text(facts, "nvidia.module_version");
    const char *library = qn__facts_text(facts, "nvidia.libcuda.version");
    const bool said = qn__facts_number(facts, "nvidia.libcuda.init_error", 0) == CUDA_MISMATCH ||
                      qn__facts_number(facts, "nvidia.nvml.init_error", 0) == NVML_MISMATCH;
    if (!said && (!*module || !*library || !strcmp(module, library) || is_stub(facts)))
        return false;
    qn__report_add(r, QN__FINDING_NVIDIA_MISMATCH, "the loaded module is %s, libcuda is %s%s",
                   *module ? module : qn__tr("unknown"), *library ? library : qn__tr("unknown"),
                   said ? qn__tr(", and the driver says so itself") : "");
    return true;
}

/* libcuda, and what it answers. */
static void judge_library(struct qn__report *r, const json_t *facts)
{
    const json_t *lib = qn__facts_part(facts, "nvidia.libcuda");
    const char *module = qn__facts_text(facts, "nvidia.module_version");
    const char *said = qn__facts_text(lib, "said");
    int64_t error = qn__facts_number(lib, "init_error", 0);
    if (!error)
        error = qn__facts_number(lib, "count_error", 0);
    if (*qn__facts_text(lib, "crashed"))
        qn__report_add(r, QN__FINDING_DRIVER_CRASHES, "libcuda.so.1: %s%s%s",
                       qn__facts_text(lib, "crashed"), *said ? qn__tr("; it said: ") : "", said);
    else if (*qn__facts_text(lib, "error") && *module)
        qn__report_add(r, QN__FINDING_NVIDIA_NO_LIBCUDA, "module %s is loaded; libcuda.so.1: %s",
                       module, qn__facts_text(lib, "error"));
    else if (is_stub(facts))
        qn__report_add(r, QN__FINDING_CUDA_STUB, "libcuda.so.1 is %s", qn__facts_text(lib, "file"));
    else if (judge_mismatch(r, facts))
        return;
    else if (error == CUDA_NOT_READY ||
             (error && qn__facts_number(facts, "nvidia.nvswitches", 0) > 0 &&
              !qn__facts_is_true(facts, "nvidia.fabric_manager")))
        qn__report_add(r, QN__FINDING_CUDA_FABRIC, "%lld NVSwitches; CUDA answers %lld; %s",
                       (long long)qn__facts_number(facts, "nvidia.nvswitches", 0), (long long)error,
                       qn__facts_is_true(facts, "nvidia.fabric_manager")
                           ? qn__tr("nv-fabricmanager runs")
                           : qn__tr("nv-fabricmanager does not run"));
    else if (error && (*module || error != CUDA_NO_DEVICE) &&
             !qn__facts_is_true(facts, "system.wsl") &&
             !(error == CUDA_NO_DEVICE && qn__facts_variable(facts, "CUDA_VISIBLE_DEVICES")))
        qn__report_add(r, QN__FINDING_CUDA_INIT_FAILS, "CUDA answers %lld", (long long)error);
}

/* ---- which cards are shown ---- */

/* The first name that the driver does not know ends its list. */
static bool names_a_card(const char *name, size_t n, size_t n_cards)
{
    char *end;
    const long index = strtol(name, &end, 10);
    if (n >= 4 && (!strncmp(name, "GPU-", 4) || !strncmp(name, "MIG-", 4)))
        return true;
    return n && end == name + n && index >= 0 && (size_t)index < n_cards;
}

static void judge_hidden(struct qn__report *r, const json_t *facts)
{
    const char *value = qn__facts_variable(facts, "CUDA_VISIBLE_DEVICES");
    size_t n_cards = qn__facts_count(facts, "nvidia.nvml.devices"), n_named = 0;
    const json_t *gpus = qn__facts_part(facts, "gpus");
    for (size_t i = 0, n = 0; i < json_array_size(gpus); i++) {
        n += !strcmp(qn__facts_text(json_array_get(gpus, i), "maker"), "nvidia");
        n_cards = n > n_cards ? n : n_cards;
    }
    if (!value || !n_cards)
        return;
    for (const char *p = value; *p;) {
        const size_t n = strcspn(p, ",");
        if (!names_a_card(p, n, n_cards)) {
            qn__report_add(r, QN__FINDING_CUDA_HIDDEN,
                           "CUDA_VISIBLE_DEVICES=%s: \"%.*s\" is no card, so it and what follows "
                           "are hidden (%zu of %zu shown)",
                           value, (int)n, p, n_named, n_cards);
            return;
        }
        n_named++;
        p += n + (p[n] == ',');
    }
    if (n_named < n_cards)
        qn__report_add(r, QN__FINDING_CUDA_HIDDEN,
                       "CUDA_VISIBLE_DEVICES=%s: %zu of %zu cards shown", *value ? value : "\"\"",
                       n_named, n_cards);
}

/* ---- each card ---- */

static void judge_card(struct qn__report *r, const json_t *card, size_t index)
{
    const long long limit = qn__facts_number(card, "power_limit_mw", 0);
    const long long usual = qn__facts_number(card, "power_default_mw", 0);
    const long long reasons = qn__facts_number(card, "throttle_reasons", 0);
    if (qn__facts_number(card, "compute_mode", 0) == MODE_PROHIBITED)
        qn__report_add(r, QN__FINDING_NVIDIA_PROHIBITED, "card %zu: compute mode \"prohibited\"",
                       index);
    if (limit > 0 && limit * 100 < usual * 95)
        qn__report_add(r, QN__FINDING_NVIDIA_POWER_CAP, "card %zu: %lld W of %lld W", index,
                       limit / 1000, usual / 1000);
    if (reasons & SLOWED)
        qn__report_add(r, QN__FINDING_NVIDIA_THROTTLED,
                       "card %zu: %s (reasons 0x%llx), %lld degrees, %lld MHz", index,
                       reasons & 0x60 ? qn__tr("slowed by heat")
                                      : qn__tr("slowed by its power supply"),
                       reasons, (long long)qn__facts_number(card, "celsius", 0),
                       (long long)qn__facts_number(card, "sm_mhz", 0));
}

static void judge_slices(struct qn__report *r, const json_t *facts)
{
    const json_t *cards = qn__facts_part(facts, "nvidia.nvml.devices");
    const char *share = qn__facts_variable(facts, "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE");
    bool is_divided = false;
    for (size_t i = 0; i < json_array_size(cards); i++)
        is_divided |= qn__facts_number(json_array_get(cards, i), "mig", 0) == 1;
    if (is_divided && qn__facts_number(facts, "nvidia.libcuda.count", 0) == 0)
        qn__report_add(r, QN__FINDING_NVIDIA_MIG_EMPTY, "MIG is on and CUDA shows no device");
    else if (is_divided)
        qn__report_add(r, QN__FINDING_NVIDIA_MIG, "MIG is on: a device here is a slice of a card");
    if (share && strcmp(share, "100") != 0)
        qn__report_add(r, QN__FINDING_NVIDIA_MIG,
                       "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=%s: a share of the multiprocessors",
                       share);
}

void qn__judge_nvidia(struct qn__report *r, const json_t *facts)
{
    const json_t *cards = qn__facts_part(facts, "nvidia.nvml.devices");
    judge_kernel_side(r, facts);
    judge_wsl(r, facts);
    judge_library(r, facts);
    judge_hidden(r, facts);
    judge_slices(r, facts);
    for (size_t i = 0; i < json_array_size(cards); i++)
        judge_card(r, json_array_get(cards, i), i);
}
