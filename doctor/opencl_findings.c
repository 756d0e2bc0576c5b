/* SPDX-License-Identifier: Apache-2.0
 *
 * What the facts say of OpenCL's loader and drivers. */
#include "doctor/findings.h"

#include "doctor/user_language.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NO_PLATFORM = -1001 };

static const json_t *drivers(const json_t *facts)
{
    return qn__facts_part(facts, "opencl.drivers");
}

/* Is it there at all? What the loader of libraries says of a file that is not ends so. */
static bool is_absent(const char *error)
{
    return strstr(error, "No such file") || strstr(error, "no such library");
}

static bool judge_driver(struct qn__report *r, const json_t *d)
{
    const char *icd = qn__facts_text(d, "icd"), *library = qn__facts_text(d, "library");
    const char *error = qn__facts_text(d, "error"), *said = qn__facts_text(d, "said");
    const char *crashed = qn__facts_text(d, "crashed");
    if (*crashed)
        qn__report_add(r, QN__FINDING_OPENCL_ICD_FAULTY, "%s (%s): %s%s%s", library, icd, crashed,
                       *said ? qn__tr("; it said: ") : "", said);
    else if (is_absent(error))
        qn__report_add(r, QN__FINDING_OPENCL_ICD_EMPTY, "%s names %s: %s", icd, library, error);
    else if (*error)
        qn__report_add(r, QN__FINDING_OPENCL_ICD_FAULTY, "%s (%s): %s", library, icd, error);
    else if (!qn__facts_is_true(d, "is_driver"))
        qn__report_add(r, QN__FINDING_OPENCL_ICD_FAULTY,
                       "%s (%s) has no entry for a loader (clIcdGetPlatformIDsKHR)", library, icd);
    else
        return true;
    return false;
}

/* Two that bring an LLVM each. */
static void judge_llvm(struct qn__report *r, const json_t *facts, bool all_good)
{
    const json_t *together = qn__facts_part(facts, "opencl.together"), *list = drivers(facts);
    const char *first = NULL, *second = NULL;
    const char *said = qn__facts_text(together, "said");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *llvms = qn__facts_part(json_array_get(list, i), "llvm");
        for (size_t k = 0; k < json_array_size(llvms); k++) {
            const char *name = json_string_value(json_array_get(llvms, k));
            if (name && !first)
                first = name;
            else if (name && strcmp(name, first) != 0)
                second = name;
        }
    }
    if (*qn__facts_text(together, "crashed") && all_good)
        qn__report_add(r, QN__FINDING_OPENCL_LLVM_CLASH,
                       "each of %zu drivers loads alone; all in one process: %s%s%s",
                       json_array_size(list), qn__facts_text(together, "crashed"),
                       *said ? qn__tr("; it said: ") : "", said);
    else if (second)
        qn__report_add(r, QN__FINDING_OPENCL_LLVMS, "%s and %s", first, second);
}

static void judge_loader(struct qn__report *r, const json_t *facts, bool all_good,
                         int64_t n_platforms)
{
    const json_t *loader = qn__facts_part(facts, "opencl.loader");
    const size_t n_drivers = json_array_size(drivers(facts));
    const size_t n_shown = qn__facts_count(loader, "platforms");
    if (*qn__facts_text(loader, "error")) {
        if (n_drivers)
            qn__report_add(r, QN__FINDING_OPENCL_NO_LOADER, "%zu drivers; libOpenCL.so.1: %s",
                           n_drivers, qn__facts_text(loader, "error"));
    } else if (*qn__facts_text(loader, "crashed")) {
        if (all_good && !qn__report_has(r, QN__FINDING_OPENCL_LLVM_CLASH))
            qn__report_add(r, QN__FINDING_DRIVER_CRASHES, "libOpenCL.so.1: %s",
                           qn__facts_text(loader, "crashed"));
    } else if (!n_drivers && qn__facts_number(loader, "platforms_error", 0) == NO_PLATFORM) {
        qn__report_add(r, QN__FINDING_OPENCL_NO_DRIVER, "%s: clGetPlatformIDs answers -1001",
                       qn__facts_text(loader, "file"));
    } else if ((int64_t)n_shown < n_platforms) {
        qn__report_add(r, QN__FINDING_OPENCL_SKIPPED,
                       "the drivers have %lld platforms, the loader %s shows %zu",
                       (long long)n_platforms, qn__facts_text(loader, "file"), n_shown);
    }
}

static void judge_pocl(struct qn__report *r, const json_t *facts)
{
    enum { FIRST_GOOD = 5 };
    const json_t *list = qn__facts_part(facts, "opencl.loader.platforms");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *version = qn__facts_text(json_array_get(list, i), "version");
        for (const char *p = version; *p; p++)
            if (strncasecmp(p, "pocl ", 5) == 0 && strtol(p + 5, NULL, 10) < FIRST_GOOD &&
                strtol(p + 5, NULL, 10) > 0)
                qn__report_add(r, QN__FINDING_POCL_OLD, "%s", version);
    }
}

static void judge_variables(struct qn__report *r, const json_t *facts)
{
    static const char *const names[] = {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH",
                                        "OCL_ICD_FILENAMES"};
    struct qn__str list = {0};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = qn__facts_variable(facts, names[i]);
        if (value && *value)
            qn__str_printf(&list, "%s%s=%s", list.len ? ", " : "", names[i], value);
    }
    if (list.len)
        qn__report_add(r, QN__FINDING_OPENCL_OVERRIDDEN, "%s (%zu drivers there)", list.text,
                       json_array_size(drivers(facts)));
    qn__str_release(&list);
}

static void judge_nodes(struct qn__report *r, const json_t *facts)
{
    const char *file;
    const json_t *node;
    json_object_foreach((json_t *)(uintptr_t)qn__facts_part(facts, "nodes"), file, node)
    {
        if (qn__starts_with(file, "/dev/dri/") && *qn__facts_text(node, "refused"))
            qn__report_add(r, QN__FINDING_DRI_PERMISSION, "%s: %s; its group is %s", file,
                           qn__facts_text(node, "refused"), qn__facts_text(node, "group"));
    }
}

void qn__judge_opencl(struct qn__report *r, const json_t *facts)
{
    const json_t *list = drivers(facts);
    bool all_good = true, names_nvidia = false;
    int64_t n_platforms = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *d = json_array_get(list, i);
        all_good &= judge_driver(r, d);
        names_nvidia |= strstr(qn__facts_text(d, "library"), "nvidia") != NULL;
        n_platforms += qn__facts_number(d, "platforms", 0);
    }
    if (qn__facts_is_true(facts, "opencl.has_nvidia_library") && !names_nvidia)
        qn__report_add(r, QN__FINDING_OPENCL_NVIDIA_ICD,
                       "libnvidia-opencl.so.1 is installed, no .icd file names it");
    judge_llvm(r, facts, all_good);
    judge_loader(r, facts, all_good, n_platforms);
    judge_pocl(r, facts);
    judge_variables(r, facts);
    judge_nodes(r, facts);
}
