/* SPDX-License-Identifier: Apache-2.0
 *
 * The text that `quern doctor` prints: see show.h. */
#include "doctor/show.h"

#include "base/options.h"
#include "doctor/user_language.h"

#include <stdio.h>
#include <string.h>

enum { COLUMN = 12, WIDTH = 100 };

const char *qn__mark_text(enum qn__mark mark)
{
    return mark == QN__MARK_BAD    ? QN__TR("bad")
           : mark == QN__MARK_WARN ? QN__TR("warning")
                                   : QN__TR("note");
}

/* ---- facts ---- */

/* The text, and blanks up to a width in columns of a terminal. */
static void add_padded(struct qn__str *out, const char *text, size_t width)
{
    qn__str_add(out, text);
    for (size_t n = qn__text_columns(text, strlen(text)); n < width; n++)
        qn__str_add(out, " ");
}

static void add_line(struct qn__str *out, const char *name, const struct qn__str *text)
{
    qn__str_add(out, "  ");
    add_padded(out, name, COLUMN - 2);
    qn__str_add_wrapped(out, text->text ? text->text : "", COLUMN, COLUMN, WIDTH);
    qn__str_add(out, "\n");
}

static double gib(int64_t bytes)
{
    return (double)bytes / (1 << 30);
}

static void show_machine(struct qn__str *out, const json_t *facts)
{
    const json_t *s = qn__facts_part(facts, "system");
    struct qn__str text = {0};
    qn__str_printf(&text, qn__tr("%s, Linux %s%s%s%s"),
                   *qn__facts_text(s, "distribution") ? qn__facts_text(s, "distribution")
                                                      : qn__tr("unknown distribution"),
                   qn__facts_text(s, "kernel"), qn__facts_is_true(s, "wsl") ? ", WSL" : "",
                   *qn__facts_text(s, "container") ? qn__tr(", container: ") : "",
                   qn__facts_text(s, "container"));
    qn__str_printf(&text, qn__tr("; %lld processors; %.1f of %.1f GiB of memory available"),
                   (long long)qn__facts_number(s, "processors_allowed", 0),
                   gib(qn__facts_number(s, "memory_available_bytes", 0)),
                   gib(qn__facts_number(s, "memory_total_bytes", 0)));
    add_line(out, qn__tr("machine"), &text);
    qn__str_release(&text);
}

static void show_cards(struct qn__str *out, const json_t *facts)
{
    const json_t *list = qn__facts_part(facts, "gpus");
    struct qn__str text = {0};
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *gpu = json_array_get(list, i);
        qn__str_printf(&text, qn__tr("%s%s at %s, driver %s"), i ? "; " : "",
                       qn__facts_text(gpu, "maker"), qn__facts_text(gpu, "slot"),
                       *qn__facts_text(gpu, "driver") ? qn__facts_text(gpu, "driver")
                                                      : qn__tr("none"));
    }
    if (!json_array_size(list))
        qn__str_add(&text, qn__tr("none on the PCI bus"));
    add_line(out, qn__tr("GPUs"), &text);
    qn__str_release(&text);
}

static void show_nvidia(struct qn__str *out, const json_t *facts)
{
    const json_t *n = qn__facts_part(facts, "nvidia"), *rtcs = qn__facts_part(n, "nvrtc");
    const int64_t cuda = qn__facts_number(n, "libcuda.cuda_version", 0);
    struct qn__str text = {0};
    qn__str_printf(
        &text, qn__tr("kernel module %s; libcuda %s"),
        *qn__facts_text(n, "module_version") ? qn__facts_text(n, "module_version") : qn__tr("none"),
        *qn__facts_text(n, "libcuda.file") ? qn__facts_text(n, "libcuda.file") : qn__tr("none"));
    if (cuda > 0)
        qn__str_printf(&text, qn__tr(" for CUDA %lld.%lld, %lld devices"), (long long)(cuda / 1000),
                       (long long)(cuda % 1000 / 10),
                       (long long)qn__facts_number(n, "libcuda.count", 0));
    for (size_t i = 0; i < json_array_size(rtcs); i++)
        qn__str_printf(&text, "; NVRTC %s", qn__facts_text(json_array_get(rtcs, i), "version"));
    add_line(out, "NVIDIA", &text);
    qn__str_release(&text);
}

static void show_amd(struct qn__str *out, const json_t *facts)
{
    const json_t *a = qn__facts_part(facts, "amd"), *cards = qn__facts_part(a, "kfd_gpus");
    const json_t *installed = qn__facts_part(a, "installed");
    struct qn__str text = {0};
    for (size_t i = 0; i < json_array_size(installed); i++)
        qn__str_printf(&text, "ROCm %s; ", qn__facts_text(json_array_get(installed, i), "version"));
    qn__str_printf(&text, "HIP %s%s%s",
                   *qn__facts_text(a, "hip.version") ? qn__facts_text(a, "hip.version")
                                                     : qn__tr("none"),
                   *qn__facts_text(a, "hip.file") ? ", " : "", qn__facts_text(a, "hip.file"));
    for (size_t i = 0; i < json_array_size(cards); i++)
        qn__str_printf(&text, "; %s", json_string_value(json_array_get(cards, i)));
    add_line(out, "AMD", &text);
    qn__str_release(&text);
}

static void show_opencl(struct qn__str *out, const json_t *facts)
{
    const json_t *loader = qn__facts_part(facts, "opencl.loader");
    const json_t *platforms = qn__facts_part(loader, "platforms");
    struct qn__str text = {0};
    qn__str_printf(&text, qn__tr("loader %s; drivers named: %zu"),
                   *qn__facts_text(loader, "file") ? qn__facts_text(loader, "file")
                                                   : qn__tr("none"),
                   qn__facts_count(facts, "opencl.drivers"));
    for (size_t i = 0; i < json_array_size(platforms); i++)
        qn__str_printf(&text, "; %s, %s", qn__facts_text(json_array_get(platforms, i), "name"),
                       qn__facts_text(json_array_get(platforms, i), "version"));
    add_line(out, "OpenCL", &text);
    qn__str_release(&text);
}

static void show_device(struct qn__str *out, const json_t *d, bool is_first)
{
    static const char *const abilities[] = {"fp16", "bf16", "fp64", "int8_dot", "matrix"};
    struct qn__str text = {0};
    qn__str_printf(&text, qn__tr("%s%s, %s, %s; %.1f of %.1f GiB free"), qn__facts_text(d, "name"),
                   is_first ? qn__tr(" (used by default)") : "", qn__facts_text(d, "kind"),
                   qn__facts_text(d, "target"), gib(qn__facts_number(d, "memory_free_bytes", 0)),
                   gib(qn__facts_number(d, "memory_bytes", 0)));
    if (*qn__facts_text(d, "cannot_build"))
        qn__str_printf(&text, qn__tr("; kernels cannot be built: %s"),
                       qn__facts_text(d, "cannot_build"));
    for (size_t i = 0; i < sizeof abilities / sizeof abilities[0]; i++) {
        const char *is =
            json_string_value(json_object_get(qn__facts_part(d, "abilities"), abilities[i]));
        if (is)
            qn__str_printf(&text, "%s %s %s", i ? "," : qn__tr("; tried by a kernel each:"),
                           abilities[i], is);
    }
    add_line(out, qn__facts_text(d, "id"), &text);
    qn__str_release(&text);
}

static void show_quern(struct qn__str *out, const json_t *facts)
{
    const json_t *devices = qn__facts_part(facts, "quern.devices");
    const json_t *cache = qn__facts_part(facts, "cache"), *test = qn__facts_part(facts, "selftest");
    struct qn__str text = {0};
    for (size_t i = 0; i < json_array_size(devices); i++)
        show_device(out, json_array_get(devices, i), i == 0);
    qn__str_printf(&text, qn__tr("%s, %.1f GiB free on its disk"),
                   *qn__facts_text(cache, "folder") ? qn__facts_text(cache, "folder")
                                                    : qn__tr("none"),
                   gib(qn__facts_number(cache, "free_bytes", 0)));
    add_line(out, qn__tr("cache"), &text);
    qn__str_clear(&text);
    if (test) {
        qn__str_printf(&text, qn__tr("%lld of %lld kernels on %s, %lld of %lld checks, %.1f s"),
                       (long long)qn__facts_number(test, "kernels", 0),
                       (long long)qn__facts_number(test, "kernels_all", 0),
                       qn__facts_text(test, "device"),
                       (long long)qn__facts_number(test, "checks", 0),
                       (long long)qn__facts_number(test, "checks_all", 0),
                       json_number_value(json_object_get(test, "seconds")));
        add_line(out, qn__tr("self-test"), &text);
    }
    qn__str_release(&text);
}

void qn__show_facts(struct qn__str *out, const json_t *facts, const struct qn__show_style *style)
{
    (void)style;
    show_machine(out, facts);
    show_cards(out, facts);
    show_nvidia(out, facts);
    show_amd(out, facts);
    show_opencl(out, facts);
    show_quern(out, facts);
    qn__str_add(out, "\n");
}

/* ---- findings ---- */

static void add_part(struct qn__str *out, const char *name, const char *text)
{
    enum { INDENT = 12 };
    qn__str_add(out, "    ");
    add_padded(out, name, INDENT - 4);
    qn__str_add_wrapped(out, text, INDENT, INDENT, WIDTH);
    qn__str_add(out, "\n");
}

static void add_fixes(struct qn__str *out, enum qn__finding which, enum qn__family family)
{
    const char *text;
    enum qn__family where;
    for (unsigned i = 0; qn__finding_fix(&text, &where, which, i); i++) {
        struct qn__str line = {0};
        if (where != QN__FAMILY_ANY && family != QN__FAMILY_ANY && where != family)
            continue;
        if (where != QN__FAMILY_ANY && family == QN__FAMILY_ANY)
            qn__str_printf(&line, "%s: ", qn__family_titles[where]);
        qn__str_add(&line, qn__tr(text));
        if (!qn__finding_is_confirmed(which, where))
            qn__str_add(&line, qn__tr(" (names not confirmed)"));
        add_part(out, qn__tr("fix"), line.text ? line.text : "");
        qn__str_release(&line);
    }
}

static void show_finding(struct qn__str *out, const struct qn__seen *seen, enum qn__family family,
                         const struct qn__show_style *style)
{
    const struct qn__finding_info *info = &qn__finding_infos[seen->which];
    const char *on = info->mark == QN__MARK_BAD    ? style->bad
                     : info->mark == QN__MARK_WARN ? style->bold
                                                   : style->dim;
    qn__str_printf(out, "%s%s%s %s%s%s: %s\n", on, qn__tr(qn__mark_text(info->mark)),
                   *on ? style->off : "", style->bold, info->id, style->off, qn__tr(info->title));
    add_part(out, qn__tr("seen"), seen->text);
    add_part(out, qn__tr("why"), qn__tr(info->why));
    add_fixes(out, seen->which, family);
    qn__str_add(out, "\n");
}

void qn__show_findings(struct qn__str *out, const struct qn__report *r, enum qn__family family,
                       const struct qn__show_style *style)
{
    for (int mark = QN__MARK_BAD; mark <= QN__MARK_NOTE; mark++)
        for (size_t i = 0; i < r->n; i++)
            if (qn__finding_infos[r->items[i].which].mark == (enum qn__mark)mark)
                show_finding(out, &r->items[i], family, style);
    if (!r->n)
        qn__str_printf(out, "%s%s%s ", style->good, qn__tr("Nothing to complain about."),
                       style->off);
    /* numbers stand alone behind their words, so that no language needs plural forms */
    qn__str_printf(out, qn__tr("Problems: %zu, warnings: %zu, notes: %zu."),
                   qn__report_count(r, QN__MARK_BAD), qn__report_count(r, QN__MARK_WARN),
                   qn__report_count(r, QN__MARK_NOTE));
    qn__str_add(out, "\n");
}

json_t *qn__json_of_findings(const struct qn__report *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->n; i++) {
        const struct qn__finding_info *info = &qn__finding_infos[r->items[i].which];
        static const char *const families[] = {"any", "debian", "fedora", "sles", "arch"};
        json_t *fixes = json_array();
        const char *text;
        enum qn__family where;
        for (unsigned k = 0; qn__finding_fix(&text, &where, r->items[i].which, k); k++)
            json_array_append_new(
                fixes, json_pack("{s:s, s:s, s:b}", "on", families[where], "do", text, "confirmed",
                                 qn__finding_is_confirmed(r->items[i].which, where)));
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:o}", "id", info->id,
                                              "mark", qn__mark_text(info->mark), "area", info->area,
                                              "title", info->title, "seen",
                                              qn__facts_string(r->items[i].text), "why", info->why,
                                              "fixes", fixes));
    }
    return list;
}
