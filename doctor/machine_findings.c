/* SPDX-License-Identifier: Apache-2.0
 *
 * What the facts say of the machine: GPUs that nothing uses or that are slow, memory, processors,
 * folders, variables for debugging. */
#include "doctor/findings.h"

#include "doctor/user_language.h"

#include <stdlib.h>
#include <string.h>

static const char *maker_text(const char *maker)
{
    return !strcmp(maker, "nvidia") ? "NVIDIA" : !strcmp(maker, "amd") ? "AMD" : "Intel";
}

/* Does a driver offer a card of that maker? */
static bool is_used(const json_t *facts, const char *maker)
{
    const json_t *devices = qn__facts_part(facts, "quern.devices");
    const json_t *platforms = qn__facts_part(facts, "opencl.loader.platforms");
    for (size_t i = 0; i < json_array_size(devices); i++)
        if (strcmp(qn__facts_text(json_array_get(devices, i), "class"), "cpu") != 0)
            return true;
    if (devices)
        return false;
    for (size_t i = 0; i < json_array_size(platforms); i++)
        if (strstr(qn__facts_text(json_array_get(platforms, i), "name"), maker_text(maker)))
            return true;
    return qn__facts_number(
               facts, !strcmp(maker, "nvidia") ? "nvidia.libcuda.count" : "amd.hip.count", 0) > 0;
}

static void judge_unused(struct qn__report *r, const json_t *facts)
{
    const json_t *gpus = qn__facts_part(facts, "gpus"),
                 *refusals = qn__facts_part(facts, "quern.refusals");
    const json_t *first = json_array_get(qn__facts_part(facts, "quern.devices"), 0);
    for (size_t i = 0; i < json_array_size(gpus); i++) {
        const json_t *gpu = json_array_get(gpus, i);
        const char *maker = qn__facts_text(gpu, "maker");
        if (is_used(facts, maker) || qn__report_has(r, QN__FINDING_GPU_NOT_USED))
            continue;
        struct qn__str why = {0};
        for (size_t k = 0; k < json_array_size(refusals); k++)
            qn__str_printf(&why, "; %s: %s", qn__facts_text(json_array_get(refusals, k), "backend"),
                           qn__facts_text(json_array_get(refusals, k), "reason"));
        qn__report_add(r, QN__FINDING_GPU_NOT_USED, "a card of %s at %s, driver %s%s",
                       maker_text(maker), qn__facts_text(gpu, "slot"),
                       *qn__facts_text(gpu, "driver") ? qn__facts_text(gpu, "driver")
                                                      : qn__tr("none"),
                       why.len ? why.text : "");
        qn__str_release(&why);
    }
    if (strcmp(qn__facts_text(first, "class"), "integrated") != 0)
        return;
    for (size_t i = 0; i < json_array_size(gpus); i++) {
        const json_t *gpu = json_array_get(gpus, i);
        if (!strstr(qn__facts_text(first, "pci"), qn__facts_text(gpu, "slot")) &&
            strcmp(qn__facts_text(gpu, "maker"), "intel") != 0)
            qn__report_add(r, QN__FINDING_INTEGRATED_USED,
                           "%s (%s) is the default; %s's card at %s is not offered",
                           qn__facts_text(first, "id"), qn__facts_text(first, "name"),
                           maker_text(qn__facts_text(gpu, "maker")), qn__facts_text(gpu, "slot"));
    }
}

/* ---- slow ---- */

static void judge_card(struct qn__report *r, const json_t *card, const char *name)
{
    const long long width = qn__facts_number(card, "link_width", 0);
    const long long width_max = qn__facts_number(card, "link_width_max", 0);
    const long long busy = qn__facts_number(card, "busy_percent", 0);
    const int64_t all = qn__facts_number(card, "memory_bytes", 0);
    const int64_t used = qn__facts_number(card, "memory_used_bytes", 0);
    if (width > 0 && width * 2 <= width_max)
        qn__report_add(r, QN__FINDING_PCIE_NARROW, "%s: %lld lanes of %lld", name, width,
                       width_max);
    if (busy >= 50)
        qn__report_add(r, QN__FINDING_GPU_BUSY, "%s: busy for %lld %% of the time", name, busy);
    if (all > 0 && used > all / 10 * 8)
        qn__report_add(r, QN__FINDING_GPU_MEMORY_LOW, "%s: %lld of %lld MiB taken", name,
                       (long long)(used >> 20), (long long)(all >> 20));
}

static void judge_cards(struct qn__report *r, const json_t *facts)
{
    const json_t *gpus = qn__facts_part(facts, "gpus"),
                 *nvml = qn__facts_part(facts, "nvidia.nvml.devices");
    char name[64];
    for (size_t i = 0; i < json_array_size(gpus); i++) {
        const json_t *gpu = json_array_get(gpus, i);
        if (!json_array_size(nvml) || strcmp(qn__facts_text(gpu, "maker"), "nvidia") != 0)
            judge_card(r, gpu, qn__facts_text(gpu, "slot"));
    }
    for (size_t i = 0; i < json_array_size(nvml); i++) {
        snprintf(name, sizeof name, "NVIDIA card %zu", i);
        judge_card(r, json_array_get(nvml, i), name);
    }
}

static void judge_host(struct qn__report *r, const json_t *facts)
{
    const int64_t total = qn__facts_number(facts, "system.memory_total_bytes", 0);
    const int64_t available = qn__facts_number(facts, "system.memory_available_bytes", INT64_MAX);
    const int64_t processors = qn__facts_number(facts, "system.processors", 0);
    const int64_t allowed = qn__facts_number(facts, "system.processors_allowed", processors);
    const int64_t shm = qn__facts_number(facts, "shm_bytes", INT64_MAX);
    if (available < (int64_t)1 << 30)
        qn__report_add(r, QN__FINDING_MEMORY_LOW, "%lld MiB of %lld MiB available",
                       (long long)(available >> 20), (long long)(total >> 20));
    if (allowed > 0 && allowed < processors)
        qn__report_add(r, QN__FINDING_PROCESSORS_FEW, "%lld of %lld processors", (long long)allowed,
                       (long long)processors);
    if (shm < (int64_t)128 << 20)
        qn__report_add(r, QN__FINDING_SHM_SMALL, "/dev/shm: %lld MiB", (long long)(shm >> 20));
    if (qn__facts_part(facts, "temporary.unusable"))
        qn__report_add(r, QN__FINDING_TMP_UNUSABLE, "%s: %s",
                       qn__facts_text(facts, "temporary.folder"),
                       qn__facts_text(facts, "temporary.unusable"));
}

/* ---- variables ---- */

enum kind { DEBUG, PROFILER, HIDES_HIP, ICD, MPS };

static void judge_variables(struct qn__report *r, const json_t *facts)
{
    static const struct {
        const char *name, *does;
        enum kind kind;
    } rows[] = {
#define QN_VARIABLE(name, kind, does) {name, does, kind},
#include "doctor/variables.def"
    };
    struct qn__str lists[2] = {{0}, {0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *value = qn__facts_variable(facts, rows[i].name);
        if (!value || !*value || rows[i].kind > PROFILER)
            continue;
        if (!strcmp(value, "0") && strcmp(rows[i].name, "HSA_ENABLE_SDMA") != 0 &&
            strcmp(rows[i].name, "HSA_ENABLE_INTERRUPT") != 0)
            continue; /* 0 turns the others off */
        struct qn__str *list = &lists[rows[i].kind];
        qn__str_printf(list, "%s%s=%s (%s)", list->len ? ", " : "", rows[i].name, value,
                       qn__tr(rows[i].does));
    }
    if (lists[DEBUG].len)
        qn__report_add(r, QN__FINDING_DEBUG_VARIABLES, "%s", lists[DEBUG].text);
    if (lists[PROFILER].len)
        qn__report_add(r, QN__FINDING_PROFILER, "%s", lists[PROFILER].text);
    qn__str_release(&lists[DEBUG]);
    qn__str_release(&lists[PROFILER]);
}

void qn__judge_machine(struct qn__report *r, const json_t *facts)
{
    judge_unused(r, facts);
    judge_cards(r, facts);
    judge_host(r, facts);
    judge_variables(r, facts);
}
