/* SPDX-License-Identifier: Apache-2.0
 *
 * The page: see bench_html.h. What a picture shows is in a table, too. */
#include "tools/bench_html.h"

#include "doctor/user_language.h"
#include "tools/bench_compare.h"
#include "tools/bench_svg.h"
#include "tools/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#57606a;--line:#d0d7de;"
    "--bar:#1f6feb;--roof:#8250df;--bad:#b3261e;--good:#116329}\n"
    "@media (prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#9da7b3;"
    "--line:#3d444d;--bar:#58a6ff;--roof:#d2a8ff;--bad:#ff7b72;--good:#56d364}}\n"
    "body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:70rem;padding:1rem;"
    "background:var(--bg);color:var(--fg)}\n"
    "h1{font-size:1.7rem}h2{font-size:1.3rem;border-bottom:1px solid var(--line)}\n"
    "a{color:var(--bar)}.skip{position:absolute;left:-100rem}.skip:focus{position:static}\n"
    "nav ul{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;padding:0;list-style:none}\n"
    ".wide{overflow-x:auto}.wide:focus,a:focus,summary:focus{outline:3px solid var(--roof)}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}\n"
    "caption{text-align:left;color:var(--dim);padding:.3rem 0}\n"
    "th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:left;"
    "white-space:nowrap}\n"
    "td.n,th.n{text-align:right}.bad{color:var(--bad);font-weight:600;white-space:normal}"
    ".good{color:var(--good);font-weight:600}\n"
    "svg{width:100%;height:auto;display:block;margin:1rem 0}\n"
    "svg text{fill:var(--fg);font:13px system-ui,sans-serif}\n"
    ".bar{fill:var(--bar)}.roof{fill:var(--roof)}.dot{fill:var(--bar);stroke:var(--bg)}\n"
    ".box{fill:var(--bar);opacity:.45}.grid{stroke:var(--line)}\n"
    ".whisker,.median{stroke:var(--fg);stroke-width:2}\n"
    ".slope,.ceiling{stroke:var(--roof);stroke-width:2}\n"
    "@media print{:root{--bg:#fff;--fg:#000;--dim:#333;--line:#999;--bar:#444;--roof:#000;"
    "--bad:#000;--good:#000}nav,.skip{display:none}body{max-width:none;font-size:10pt}"
    ".wide{overflow:visible}table{font-size:7.5pt}th,td{padding:.1rem .25rem;white-space:normal}"
    "svg,tr{break-inside:avoid}}\n";

static const char *text_of(const json_t *o, const char *name)
{
    const char *value = json_string_value(json_object_get(o, name));
    return value ? value : "";
}

static double number(const json_t *o, const char *name)
{
    return json_number_value(json_object_get(o, name));
}

static void cell(struct qn__str *out, const char *tag, const char *text)
{
    qn__str_printf(out, "<%s>", tag);
    qn__html_text(out, text);
    qn__str_printf(out, "</%.*s>", (int)strcspn(tag, " "), tag);
}

static void number_cell(struct qn__str *out, const json_t *row, const char *name, double factor)
{
    if (json_object_get(row, name))
        qn__str_printf(out, "<td class=\"n\">%.4g</td>", number(row, name) * factor);
    else
        qn__str_add(out, "<td class=\"n\"></td>");
}

static void paragraph(struct qn__str *out, const char *html)
{
    qn__str_printf(out, "<p>%s</p>\n", html);
}

static void begin_section(struct qn__str *out, const char *id, const char *title)
{
    qn__str_printf(out, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">", id, id);
    qn__html_text(out, title);
    qn__str_add(out, "</h2>\n");
}

/* Of a column, which the catalogues have with its '#'. */
static const char *heading(const char *column)
{
    const char *text = qn__tr(column);
    return text + (text[0] == '#');
}

/* A table that may be wider than the screen can be scrolled by keys. Columns that begin with '#'
 * are numbers. */
static void begin_table(struct qn__str *out, const char *caption, const char *const *columns,
                        size_t n)
{
    qn__str_add(out, "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"");
    qn__html_text(out, caption);
    qn__str_add(out, "\">\n<table>\n<caption>");
    qn__html_text(out, caption);
    qn__str_add(out, "</caption>\n<thead><tr>");
    for (size_t i = 0; i < n; i++)
        cell(out, columns[i][0] == '#' ? "th scope=\"col\" class=\"n\"" : "th scope=\"col\"",
             heading(columns[i]));
    qn__str_add(out, "</tr></thead>\n<tbody>\n");
}

static void end_table(struct qn__str *out)
{
    qn__str_add(out, "</tbody>\n</table>\n</div>\n");
}

/* ---- sections ---- */

static void add_devices(struct qn__str *out, const json_t *run)
{
    static const char *const columns[] = {QN__TR("device"), QN__TR("name"),   QN__TR("driver"),
                                          QN__TR("target"), QN__TR("#units"), QN__TR("#MHz")};
    size_t i;
    const json_t *d;
    begin_section(out, "devices", qn__tr("Devices"));
    begin_table(out, qn__tr("What was measured"), columns, 6);
    json_array_foreach(json_object_get(run, "devices"), i, d)
    {
        qn__str_add(out, "<tr>");
        cell(out, "th scope=\"row\"", text_of(d, "id"));
        cell(out, "td", text_of(d, "name"));
        cell(out, "td", text_of(d, "driver"));
        cell(out, "td", text_of(d, "target"));
        number_cell(out, d, "compute_units", 1);
        number_cell(out, d, "clock_mhz", 1);
        qn__str_add(out, "</tr>\n");
    }
    end_table(out);
    qn__str_add(out, "</section>\n");
}

static void add_pictures(struct qn__str *out, const json_t *run)
{
    const json_t *rows = json_object_get(run, "rows"), *d, *row;
    const char *units[16];
    uint32_t n_units = 0;
    size_t i;
    begin_section(out, "rooflines", qn__tr("Rooflines"));
    bool any = false;
    json_array_foreach(json_object_get(run, "devices"), i, d) any |=
        qn__svg_roofline(out, rows, text_of(d, "id"));
    if (!any)
        paragraph(out, qn__tr("No ceilings of memory and arithmetic were measured in this run."));
    qn__str_add(out, "</section>\n");
    begin_section(out, "rates", qn__tr("Rates"));
    any = false;
    json_array_foreach(rows, i, row)
    {
        bool is_known = !*text_of(row, "unit") || n_units == 16;
        for (uint32_t k = 0; k < n_units; k++)
            is_known |= !strcmp(units[k], text_of(row, "unit"));
        if (is_known)
            continue;
        units[n_units++] = text_of(row, "unit");
        any |= qn__svg_bars(out, rows, text_of(row, "unit"));
    }
    if (!any)
        paragraph(out, qn__tr("No row has a rate."));
    qn__str_add(out, "</section>\n");
    begin_section(out, "spread", qn__tr("Spread"));
    if (!qn__svg_spread(out, rows))
        paragraph(out, qn__tr("No row has samples."));
    qn__str_add(out, "</section>\n");
}

static void add_rows(struct qn__str *out, const json_t *run)
{
    static const char *const columns[] = {QN__TR("kernel"),
                                          QN__TR("device"),
                                          QN__TR("kind"),
                                          QN__TR("shape"),
                                          QN__TR("caches"),
                                          QN__TR("#median ms"),
                                          QN__TR("#min ms"),
                                          QN__TR("#max ms"),
                                          QN__TR("#+- %"),
                                          QN__TR("#samples"),
                                          QN__TR("#rate"),
                                          QN__TR("unit"),
                                          /* xgettext:no-c-format */ QN__TR("#% of roof"),
                                          QN__TR("error")};
    size_t i;
    const json_t *row;
    begin_section(out, "rows", qn__tr("All rows"));
    begin_table(out, qn__tr("Medians of the samples; +- is half of their middle half"), columns,
                14);
    json_array_foreach(json_object_get(run, "rows"), i, row)
    {
        qn__str_add(out, "<tr>");
        cell(out, "th scope=\"row\"", text_of(row, "what"));
        cell(out, "td", text_of(row, "device"));
        cell(out, "td", text_of(row, "kind"));
        cell(out, "td", text_of(row, "shape"));
        cell(out, "td", text_of(row, "caches"));
        number_cell(out, row, "median_ms", 1);
        number_cell(out, row, "min_ms", 1);
        number_cell(out, row, "max_ms", 1);
        number_cell(out, row, "spread", 100);
        number_cell(out, row, "samples", 1);
        number_cell(out, row, "rate", 1);
        cell(out, "td", text_of(row, "unit"));
        number_cell(out, row, "share", 100);
        cell(out, "td class=\"bad\"", text_of(row, "error"));
        qn__str_add(out, "</tr>\n");
    }
    end_table(out);
    qn__str_add(out, "</section>\n");
}

static void add_history(struct qn__str *out, const json_t *const *runs, uint32_t n)
{
    const char **columns = calloc(n + (size_t)2, sizeof *columns);
    struct qn__str *heads = calloc(n + (size_t)1, sizeof *heads);
    size_t i;
    const json_t *row;
    begin_section(out, "history", qn__tr("History"));
    if (n < 2)
        paragraph(out, qn__tr("No earlier run was given (<code>--history FILE</code>)."));
    if (n >= 2 && columns && heads) {
        columns[0] = QN__TR("row");
        columns[1] = QN__TR("device");
        for (uint32_t r = 0; r < n; r++) {
            qn__str_printf(&heads[r], "#%s", text_of(runs[r], "time"));
            columns[r + 2] = heads[r].text ? heads[r].text : "#";
        }
        if (!qn__svg_history(out, runs, n))
            paragraph(out, qn__tr("The earlier runs have none of these rows."));
        begin_table(out, qn__tr("Median milliseconds of each run"), columns, n + (size_t)2);
        json_array_foreach(json_object_get(runs[n - 1], "rows"), i, row)
        {
            struct qn__str label = {0};
            qn__bench_label(&label, row);
            qn__str_add(out, "<tr>");
            cell(out, "th scope=\"row\"", label.text ? label.text : "");
            cell(out, "td", text_of(row, "device"));
            for (uint32_t r = 0; r < n; r++)
                number_cell(out, qn__bench_find(json_object_get(runs[r], "rows"), row), "median_ms",
                            1);
            qn__str_add(out, "</tr>\n");
            qn__str_release(&label);
        }
        end_table(out);
    }
    qn__str_add(out, "</section>\n");
    for (uint32_t r = 0; heads && r < n; r++)
        qn__str_release(&heads[r]);
    free(heads);
    free(columns);
}

static void add_changes(struct qn__str *out, const json_t *run)
{
    static const char *const columns[] = {QN__TR("kernel"), QN__TR("shape"),   QN__TR("caches"),
                                          QN__TR("device"), QN__TR("#before"), QN__TR("#now ms"),
                                          QN__TR("#p"),     QN__TR("verdict")};
    const json_t *changes = json_object_get(run, "changes"), *c;
    size_t i;
    if (!changes)
        return;
    begin_section(out, "changes", qn__tr("Changes"));
    begin_table(out, qn__tr("Against the run of --compare (Mann-Whitney)"), columns, 8);
    json_array_foreach(changes, i, c)
    {
        const char *verdict = text_of(c, "verdict");
        const bool is_bad = !strcmp(verdict, "slower") || !strcmp(verdict, "broken");
        qn__str_add(out, "<tr>");
        cell(out, "th scope=\"row\"", text_of(c, "what"));
        cell(out, "td", text_of(c, "shape"));
        cell(out, "td", text_of(c, "caches"));
        cell(out, "td", text_of(c, "device"));
        number_cell(out, c, "before_ms", 1);
        number_cell(out, c, "now_ms", 1);
        number_cell(out, c, "p", 1);
        cell(out,
             is_bad                       ? "td class=\"bad\""
             : !strcmp(verdict, "faster") ? "td class=\"good\""
                                          : "td",
             qn__tr(verdict));
        qn__str_add(out, "</tr>\n");
    }
    end_table(out);
    qn__str_add(out, "</section>\n");
}

/* What it takes to repeat the run. */
static void add_surroundings(struct qn__str *out, const json_t *run)
{
    static const char *const parts[] = {"environment", "system", "cards"};
    begin_section(out, "surroundings", qn__tr("Surroundings"));
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const json_t *part = json_object_get(run, parts[i]);
        char *text = part ? json_dumps(part, JSON_INDENT(2) | JSON_ENCODE_ANY) : NULL;
        qn__str_printf(out, "<details><summary>%s</summary>\n<pre>", parts[i]);
        qn__html_text(out, text ? text : qn__tr("not known"));
        qn__str_add(out, "</pre></details>\n");
        free(text);
    }
    qn__str_add(out, "</section>\n");
}

static void add_head(struct qn__str *out, const json_t *run)
{
    static const struct {
        const char *id, *title;
    } sections[] = {{"devices", QN__TR("Devices")}, {"rooflines", QN__TR("Rooflines")},
                    {"rates", QN__TR("Rates")},     {"spread", QN__TR("Spread")},
                    {"rows", QN__TR("All rows")},   {"history", QN__TR("History")},
                    {"changes", QN__TR("Changes")}, {"surroundings", QN__TR("Surroundings")}};
    struct qn__str time = {0}, version = {0};
    qn__html_text(&time, text_of(run, "time"));
    qn__html_text(&version, text_of(run, "version"));
    /* translators: "en" is the language of the page, for browsers: "de", "zh-CN" */
    qn__str_printf(out, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n",
                   qn__tr("en"));
    qn__str_printf(out,
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<title>quern bench, %s</title>\n<style>\n%s</style>\n</head>\n<body>\n"
                   "<a class=\"skip\" href=\"#rows\">%s</a>\n<header>\n<h1>quern bench</h1>\n<p>",
                   time.text ? time.text : "", style, qn__tr("To the table of all rows"));
    qn__str_printf(out, qn__tr("Measured %s by Quern %s; %zu rows, at most %.0f ms each."),
                   time.text ? time.text : "", version.text ? version.text : "",
                   json_array_size(json_object_get(run, "rows")), number(run, "budget_ms"));
    qn__str_printf(out, "</p>\n</header>\n<nav aria-label=\"%s\"><ul>", qn__tr("Sections"));
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (strcmp(sections[i].id, "changes") != 0 || json_object_get(run, "changes"))
            qn__str_printf(out, "<li><a href=\"#%s\">%s</a></li>", sections[i].id,
                           qn__tr(sections[i].title));
    qn__str_add(out, "</ul></nav>\n<main>\n");
    qn__str_release(&time);
    qn__str_release(&version);
}

bool qn__bench_html(const char *path, const json_t *const *runs, uint32_t n)
{
    const json_t *run = runs[n - 1];
    struct qn__str out = {0};
    add_head(&out, run);
    add_devices(&out, run);
    add_pictures(&out, run);
    add_rows(&out, run);
    add_history(&out, runs, n);
    add_changes(&out, run);
    add_surroundings(&out, run);
    qn__str_add(&out, "</main>\n</body>\n</html>\n");
    const bool good = out.failed ? qn__complain(false, "bench: out of memory for %s", path)
                                 : qn__write_file(path, out.text, out.len);
    qn__str_release(&out);
    return good;
}
