/* SPDX-License-Identifier: Apache-2.0
 *
 * Do NVIDIA's driver, NVRTC, libraries and cards fit together? By compatibility.def, and by what
 * NVRTC itself says it knows. */
#include "doctor/findings.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    int sm;
    const char *first;
} sm_rows[] = {
#define QN_CUDA_MAJOR(major, driver, note, known, source)
#define QN_SM(sm, cards, first, last, known, source) {sm, first},
#define QN_GFX(gfx, cards, first, note, known, source)
#define QN_OPENCL(driver, versions, state, known, source)
#include "doctor/compatibility.def"
};

static const struct {
    int major;
    const char *driver;
} major_rows[] = {
#define QN_CUDA_MAJOR(major, driver, note, known, source) {major, driver},
#define QN_SM(sm, cards, first, last, known, source)
#define QN_GFX(gfx, cards, first, note, known, source)
#define QN_OPENCL(driver, versions, state, known, source)
#include "doctor/compatibility.def"
};

static const char *first_cuda(int64_t sm)
{
    for (size_t i = 0; i < sizeof sm_rows / sizeof sm_rows[0]; i++)
        if (sm_rows[i].sm == sm)
            return sm_rows[i].first;
    return "";
}

static const char *driver_of(int64_t major)
{
    for (size_t i = 0; i < sizeof major_rows / sizeof major_rows[0]; i++)
        if (major_rows[i].major == major)
            return major_rows[i].driver;
    return "a newer one";
}

static int64_t sm_of(const json_t *card)
{
    return qn__facts_number(card, "major", 0) * 10 + qn__facts_number(card, "minor", 0);
}

static void judge_driver_age(struct qn__report *r, const json_t *facts)
{
    const json_t *rtcs = qn__facts_part(facts, "nvidia.nvrtc"), *newest = NULL;
    const int64_t cuda = qn__facts_number(facts, "nvidia.libcuda.cuda_version", 0);
    if (cuda <= 0)
        return;
    for (size_t i = 0; i < json_array_size(rtcs); i++) {
        const json_t *rtc = json_array_get(rtcs, i);
        const int64_t major = qn__facts_number(rtc, "major", 0);
        if (major && major <= cuda / 1000)
            return; /* one fits */
        if (major)
            newest = rtc;
    }
    if (newest)
        qn__report_add(r, QN__FINDING_CUDA_DRIVER_OLD,
                       "driver %s is for CUDA %lld.%lld; NVRTC is %s (%s) and needs driver %s",
                       qn__facts_text(facts, "nvidia.module_version"), (long long)(cuda / 1000),
                       (long long)(cuda % 1000 / 10), qn__facts_text(newest, "version"),
                       qn__facts_text(newest, "file"),
                       driver_of(qn__facts_number(newest, "major", 0)));
}

/* -1: too old for the card, 1: no longer for it, 0: it knows it, or nothing is known. */
static int compare_with_card(const json_t *rtc, int64_t sm)
{
    const int64_t lowest = qn__facts_number(rtc, "sm_lowest", 0);
    const int64_t highest = qn__facts_number(rtc, "sm_highest", 0);
    const char *first = first_cuda(sm), *version = qn__facts_text(rtc, "version");
    if (highest)
        return sm > highest ? -1 : sm < lowest ? 1 : 0;
    return *first && *version && qn__version_compare(version, first) < 0 ? -1 : 0;
}

static void judge_cards(struct qn__report *r, const json_t *facts)
{
    const json_t *cards = qn__facts_part(facts, "nvidia.libcuda.devices");
    const json_t *rtcs = qn__facts_part(facts, "nvidia.nvrtc");
    for (size_t i = 0; i < json_array_size(cards); i++) {
        const json_t *card = json_array_get(cards, i);
        const int64_t sm = sm_of(card);
        int verdict = 0;
        const json_t *named = NULL;
        for (size_t k = 0; sm && k < json_array_size(rtcs); k++) {
            named = json_array_get(rtcs, k);
            verdict = compare_with_card(named, sm);
            if (!verdict)
                break;
        }
        if (verdict < 0)
            qn__report_add(
                r, QN__FINDING_NVRTC_OLD, "%s is sm_%lld; NVRTC %s (%s) knows up to sm_%lld",
                qn__facts_text(card, "name"), (long long)sm, qn__facts_text(named, "version"),
                qn__facts_text(named, "file"), (long long)qn__facts_number(named, "sm_highest", 0));
        else if (verdict > 0)
            qn__report_add(
                r, QN__FINDING_NVRTC_DROPPED, "%s is sm_%lld; NVRTC %s (%s) begins at sm_%lld",
                qn__facts_text(card, "name"), (long long)sm, qn__facts_text(named, "version"),
                qn__facts_text(named, "file"), (long long)qn__facts_number(named, "sm_lowest", 0));
    }
}

static void judge_cublas(struct qn__report *r, const json_t *facts)
{
    const json_t *files = qn__facts_part(facts, "nvidia.cublas");
    const json_t *cards = qn__facts_part(facts, "nvidia.libcuda.devices");
    for (size_t i = 0; i < json_array_size(files); i++) {
        const char *file = json_string_value(json_array_get(files, i));
        const char *version = file ? strstr(file, ".so.") : NULL;
        for (size_t k = 0; version && k < json_array_size(cards); k++) {
            const json_t *card = json_array_get(cards, k);
            const char *first = first_cuda(sm_of(card));
            if (!*first || qn__version_compare(version + 4, first) >= 0)
                continue;
            qn__report_add(r, QN__FINDING_CUDA_LIBRARY_OLD,
                           "%s is older than CUDA %s, the first that knows %s (sm_%lld)", file,
                           first, qn__facts_text(card, "name"), (long long)sm_of(card));
            break;
        }
    }
}

void qn__judge_cuda_versions(struct qn__report *r, const json_t *facts)
{
    const json_t *rtcs = qn__facts_part(facts, "nvidia.nvrtc");
    if (qn__facts_number(facts, "nvidia.libcuda.count", 0) > 0 && !json_array_size(rtcs))
        qn__report_add(r, QN__FINDING_NVRTC_MISSING, "libnvrtc.so was not found");
    for (size_t i = 0; i < json_array_size(rtcs); i++) {
        const json_t *rtc = json_array_get(rtcs, i);
        if (*qn__facts_text(rtc, "crashed") || *qn__facts_text(rtc, "error"))
            qn__report_add(r, QN__FINDING_DRIVER_CRASHES, "%s: %s%s", qn__facts_text(rtc, "file"),
                           qn__facts_text(rtc, "crashed"), qn__facts_text(rtc, "error"));
        else if (!qn__facts_is_true(rtc, "has_builtins"))
            qn__report_add(r, QN__FINDING_NVRTC_BUILTINS, "no libnvrtc-builtins.so beside %s",
                           qn__facts_text(rtc, "file"));
    }
    judge_driver_age(r, facts);
    judge_cards(r, facts);
    judge_cublas(r, facts);
}
