/* SPDX-License-Identifier: Apache-2.0
 *
 * quern doctor: what is wrong with this machine, and the command that repairs it. The facts are
 * gathered, judged and shown by doctor/; nothing is changed. Nothing that is printed holds the
 * user's or the machine's name, serial numbers or keys. */
#include "doctor/advice.h"
#include "doctor/examine.h"
#include "doctor/secrets.h"
#include "doctor/selftest.h"
#include "doctor/show.h"
#include "doctor/user_language.h"
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/terminal.h"

#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>

struct values {
    const char *device, *model, *report, *root, *from;
    bool json, selftest;
};

static const struct qn__option options[] = {
    QN__FLAG(struct values, selftest, 0, "selftest",
             "also run every shipped kernel on the device, in under a minute"),
    QN__TEXT(struct values, model, 0, "model", "MODEL",
             "also say which settings suit this model on the device"),
    QN__TEXT(struct values, device, 'd', "device", "DEVICE",
             "device for --selftest and --model; default the preferred one"),
    QN__TEXT(struct values, report, 0, "report", "FILE",
             "write all of it to a file to paste into an issue; \"-\" is stdout"),
    QN__TEXT(struct values, root, 0, "root", "DIR",
             "look at the machine whose files lie below this folder: a container's, a disk's"),
    QN__TEXT(struct values, from, 0, "from", "FILE",
             "judge the facts of another machine, as its `quern doctor --json` printed them"),
    QN__FLAG(struct values, json, 0, "json", "print JSON: the facts, and the findings by id"),
};

static json_t *load_facts(const char *path)
{
    json_error_t error;
    char *text = qn__read_text(path);
    if (!text)
        return NULL;
    json_t *whole = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    json_t *facts = json_incref(json_object_get(whole, "facts"));
    if (!whole)
        qn__complain(0, "doctor: %s: line %d: %s", path, error.line, qn__plain(error.text));
    else if (!json_is_object(facts))
        qn__complain(0,
                     "doctor: %s: no \"facts\" in it; it should be what `quern doctor --json` "
                     "printed",
                     path);
    json_decref(whole);
    free(text);
    if (facts && !json_is_object(facts)) {
        json_decref(facts);
        facts = NULL;
    }
    return facts;
}

static json_t *gather(const struct values *v)
{
    const struct qn__root root = {v->root ? v->root : ""};
    json_t *facts = json_object();
    qn__progress(0, 0, "%s", qn__tr("looking at drivers and libraries ..."));
    qn__gather(facts, &root);
    if (!v->root) {
        qn__progress(0, 0, "%s",
                     qn__tr("running a small kernel for each ability of each device ..."));
        qn__gather_quern(facts);
    }
    if (v->selftest) {
        qn__progress(0, 0, "%s", qn__tr("running every shipped kernel ..."));
        json_object_set_new(facts, "selftest", qn__selftest(v->device, 50));
    }
    qn__progress_clear();
    return facts;
}

/* ---- printing ---- */

static void add_advice(struct qn__str *out, const json_t *advice)
{
    const json_t *rows = qn__facts_part(advice, "settings");
    if (!advice)
        return;
    qn__str_printf(out, qn__tr("\nsettings for %s on %s:\n"), qn__facts_text(advice, "model"),
                   qn__facts_text(advice, "device"));
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        qn__str_printf(out, "  %-14s%-22s ", qn__facts_text(row, "option"),
                       qn__facts_text(row, "value"));
        qn__str_add_wrapped(out, qn__facts_text(row, "reason"), 39, 39, 100);
        qn__str_add(out, "\n");
    }
    if (*qn__facts_text(advice, "error") || *qn__facts_text(advice, "crashed"))
        qn__str_printf(out, "  %s%s\n", qn__facts_text(advice, "error"),
                       qn__facts_text(advice, "crashed"));
}

static void add_text(struct qn__str *out, const json_t *facts, const struct qn__report *r,
                     const json_t *advice, const struct qn__show_style *style)
{
    qn__str_printf(out, "%squern %s doctor%s\n", style->bold, qn_version(), style->off);
    qn__show_facts(out, facts, style);
    qn__show_findings(out, r, qn__family_of(qn__facts_text(facts, "system.family")), style);
    add_advice(out, advice);
}

static bool write_report(const char *path, const json_t *facts, const struct qn__report *r,
                         const json_t *advice)
{
    const struct qn__show_style plain = {"", "", "", "", ""};
    struct qn__str text = {0};
    char *json = json_dumps(facts, JSON_INDENT(1) | JSON_SORT_KEYS);
    qn__str_add(&text, "```\n");
    add_text(&text, facts, r, advice, &plain);
    qn__str_printf(&text,
                   "```\n\n<details><summary>facts</summary>\n\n```json\n{\"facts\": %s}\n"
                   "```\n</details>\n",
                   json ? json : "{}");
    const bool good = !text.failed && qn__write_file(path, text.text, text.len);
    free(json);
    qn__str_release(&text);
    return good;
}

static int print(const struct values *v, const json_t *facts, const struct qn__report *r,
                 const json_t *advice)
{
    const struct qn__show_style style = {
        qn__style_on(stdout, QN__STYLE_GOOD), qn__style_on(stdout, QN__STYLE_BAD),
        qn__style_on(stdout, QN__STYLE_BOLD), qn__style_on(stdout, QN__STYLE_DIM),
        qn__style_off(stdout)};
    struct qn__str text = {0};
    if (v->json)
        return qn__json_print(
            json_pack("{s:s, s:b, s:o, s:i, s:i, s:i, s:O*, s:O}", "version", qn_version(), "ok",
                      qn__report_count(r, QN__MARK_BAD) == 0, "findings", qn__json_of_findings(r),
                      "bad", (int)qn__report_count(r, QN__MARK_BAD), "warnings",
                      (int)qn__report_count(r, QN__MARK_WARN), "notes",
                      (int)qn__report_count(r, QN__MARK_NOTE), "settings", advice, "facts", facts));
    add_text(&text, facts, r, advice, &style);
    fputs(text.text ? text.text : "", stdout);
    qn__str_release(&text);
    return QN__EXIT_GOOD;
}

static void mask(json_t *facts, struct qn__report *r, json_t *advice)
{
    struct qn__secrets secrets;
    qn__secrets_init(&secrets);
    qn__mask_json(facts, &secrets);
    qn__mask_json(advice, &secrets);
    for (size_t i = 0; i < r->n; i++) {
        struct qn__str text = {0};
        qn__str_add_masked(&text, r->items[i].text, &secrets);
        free(r->items[i].text);
        r->items[i].text = qn__str_take(&text);
        if (!r->items[i].text)
            r->items[i].text = strdup("");
    }
}

static int run(const void *values)
{
    const struct values *v = values;
    struct qn__report r = {0};
    if (!v->json) /* which is for programs */
        qn__language_start();
    if (v->root && (v->selftest || v->model || v->from))
        return qn__complain(QN__EXIT_USAGE, "doctor: --root is of another machine: without "
                                            "--selftest, --model and --from");
    if (v->from && (v->selftest || v->model))
        return qn__complain(QN__EXIT_USAGE,
                            "doctor: --from is of another machine: without --selftest and --model");
    json_t *facts = v->from ? load_facts(v->from) : gather(v);
    json_t *advice = v->model && facts ? qn__advice(v->model, v->device) : NULL;
    if (!facts)
        return QN__EXIT_FAILED;
    qn__judge(&r, facts);
    mask(facts, &r, advice);
    const bool failed = qn__report_count(&r, QN__MARK_BAD) || qn__facts_part(advice, "error") ||
                        qn__facts_part(advice, "crashed");
    int status = v->report && !strcmp(v->report, "-") ? QN__EXIT_GOOD : print(v, facts, &r, advice);
    if (v->report && !write_report(v->report, facts, &r, advice))
        status = QN__EXIT_FAILED;
    if (status == QN__EXIT_GOOD && failed)
        status = QN__EXIT_FAILED;
    qn__report_release(&r);
    json_decref(facts);
    json_decref(advice);
    return status;
}

const struct qn__command qn__cmd_doctor = {
    .name = "doctor",
    .brief = "what is wrong with this machine, and the command that repairs it",
    .about =
        "Look at drivers, compilers, runtimes, device nodes, containers, variables, memory, disk "
        "and the kernel cache, run a small kernel for each ability of each device, and say what "
        "is wrong: a mark and a stable id, what was seen, why it matters, and the command for "
        "this distribution. Nothing is changed. Libraries are loaded in processes of their own, "
        "so one that crashes is a finding. All findings are in docs/troubleshooting.md. Exit "
        "status 1 when something is bad; warnings and notes alone are 0. Home folders, names, "
        "serial numbers and keys are masked in all that is printed. Findings are in the user's "
        "language where there is a catalogue (LANGUAGE=de, zh_CN); --json is English.",
    .sample = "doctor\ndoctor --selftest --report report.md\ndoctor --model model.gguf\n"
              "doctor --json | jq '.findings[].id'",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
