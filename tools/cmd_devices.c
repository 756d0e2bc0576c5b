/* SPDX-License-Identifier: Apache-2.0
 *
 * quern devices: every device that can be used, everything that was seen and cannot be, the
 * environment variables that played a part, and the compilers found. */
#include "base/environment.h"
#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/terminal.h"
#include "tools/variable_text.h"
#include "tools/version.h"

#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>

struct values {
    bool json, no_probe;
};

static const struct qn__option options[] = {
    QN__FLAG(struct values, json, 0, "json", "print JSON"),
    QN__FLAG(struct values, no_probe, 0, "no-probe",
             "leave out the abilities, which are found by compiling and running small kernels"),
};

/* Abilities of one device, or the reason why they could not be found out. */
struct probe {
    qn_device *device; /* owns the strings; closed by probe_release() */
    bool known;
    qn_device_abilities abilities;
    char reason[512];
};

enum { N_ABILITIES = 4 };
static const char *const ability_names[N_ABILITIES] = {"fp16", "bf16", "fp64", "int8-dot"};

static qn_ability ability(const qn_device_abilities *a, int index)
{
    const qn_ability all[N_ABILITIES] = {a->fp16, a->bf16, a->fp64, a->int8_dot};
    return all[index];
}

static const char *ability_text(qn_ability a)
{
    switch (a) {
    case QN_ABILITY_NO: return "no";
    case QN_ABILITY_EMULATED: return "emulated";
    case QN_ABILITY_NATIVE: return "native";
    }
    return "";
}

static void probe(struct probe *out, const char *id)
{
    *out = (struct probe){0};
    qn__progress(0, 0, "probing %s ...", id);
    if (qn_device_open(&out->device, id) == QN_OK &&
        qn_device_probe(&out->abilities, out->device) == QN_OK)
        out->known = true;
    else
        snprintf(out->reason, sizeof out->reason, "%s", qn_message());
    qn__progress_clear();
}

static void probe_release(struct probe *p)
{
    qn_device_close(p->device);
}

static const char *class_text(qn_device_class c)
{
    switch (c) {
    case QN_DEVICE_DISCRETE: return "discrete GPU";
    case QN_DEVICE_INTEGRATED: return "integrated GPU";
    case QN_DEVICE_CPU: return "CPU";
    }
    return "";
}

/* ---- for people ---- */

static void print_abilities(const struct probe *p)
{
    struct qn__str text = {0};
    if (p->known)
        for (int i = 0; i < N_ABILITIES; i++)
            qn__str_printf(&text, "%s%s %s", i ? ", " : "", ability_names[i],
                           ability_text(ability(&p->abilities, i)));
    else
        qn__str_printf(&text, "unknown: %s", p->reason);
    for (int i = 0; p->known && i < N_ABILITIES; i++)
        if (p->abilities.reasons[i] && p->abilities.reasons[i][0])
            qn__str_printf(&text, "\n%s: %s", ability_names[i], p->abilities.reasons[i]);
    qn__print_field("abilities", text.text ? text.text : "");
    qn__str_release(&text);
}

static void print_device(const qn_device_info *d, bool is_preferred, const struct probe *p)
{
    char total[QN__SIZE_TEXT], free_[QN__SIZE_TEXT], shared[QN__SIZE_TEXT], clock[32] = "";
    printf("%s%s%s  %s%s\n", qn__style_on(stdout, QN__STYLE_BOLD), d->id, qn__style_off(stdout),
           d->name, is_preferred ? "  (used by default)" : "");
    printf("  %-10s %s, %s\n", "kind", d->kind, class_text(d->device_class));
    printf("  %-10s %s, compiled as %s\n", "arch", d->arch, d->target);
    printf("  %-10s %s, %s free\n", "memory", qn__size_text(total, d->memory_total_bytes),
           qn__size_text(free_, d->memory_free_bytes));
    if (d->clock_mhz)
        snprintf(clock, sizeof clock, " at %u MHz", d->clock_mhz);
    printf("  %-10s %u %s%s, wave width %u\n", "compute", d->compute_units,
           d->device_class == QN_DEVICE_CPU ? "threads" : "units", clock, d->wave_width);
    printf("  %-10s up to %u threads, %s shared memory\n", "blocks", d->block_threads_max,
           qn__size_text(shared, d->shared_bytes_max));
    qn__print_field("driver", d->driver);
    qn__print_field("toolkit", d->toolkit);
    qn__print_field("pci", d->pci);
    if (d->same_as[0])
        printf("  %-10s the same card as %s\n", "note", d->same_as);
    if (p)
        print_abilities(p);
    printf("\n");
}

static void print_refusals(const qn_device_list *list)
{
    if (!list->n_refusals)
        return;
    printf("not usable:\n");
    for (uint32_t i = 0; i < list->n_refusals; i++) {
        const qn_device_refusal *r = &list->refusals[i];
        struct qn__str text = {0};
        if (!qn__starts_with(r->reason, r->what)) /* the loader's reasons begin with the file */
            qn__str_printf(&text, "%s: ", r->what);
        qn__str_add(&text, r->reason);
        qn__print_field(r->backend, text.text);
        qn__str_release(&text);
    }
    printf("\n");
}

/* The value of a variable that influences devices, be it set or a configuration file's. HOME and
 * its like say nothing of them. */
static const char *device_variable(const struct qn__variable *v)
{
    return strcmp(v->owner, "system") ? qn__getenv(v->name) : NULL;
}

static void print_environment(void)
{
    bool any = false;
    for (uint32_t i = 0; i < qn__n_environment; i++) {
        const char *value = device_variable(&qn__environment[i]);
        char place[QN__VARIABLE_PLACE_BYTES];
        const bool is_set = qn__is_in_environment(qn__environment[i].name);
        struct qn__str shown = {0};
        if (value)
            qn__variable_show(&shown, qn__environment[i].name, value);
        if (value)
            printf("%s  %s=%s%s%s%s\n", any ? "" : "environment:\n", qn__environment[i].name,
                   shown.text ? shown.text : "", is_set ? "" : " (",
                   is_set ? "" : qn__variable_place(place, qn__environment[i].name),
                   is_set ? "" : ")");
        qn__str_release(&shown);
        any |= value != NULL;
    }
    printf("%s\n", any ? "" : "environment: no variable that matters is set\n");
}

static int print_text(const qn_device_list *list, const struct probe *probes)
{
    if (!list->n_devices)
        printf("no device can be used\n\n");
    for (uint32_t i = 0; i < list->n_devices; i++)
        print_device(&list->devices[i], i == 0, probes ? &probes[i] : NULL);
    print_refusals(list);
    print_environment();
    printf("compilers:\n");
    return qn__print_compilers();
}

/* ---- for programs ---- */

static json_t *json_of_abilities(const struct probe *p)
{
    if (!p->known)
        return json_pack("{s:o}", "unknown", qn__json_string(p->reason));
    json_t *all = json_object();
    for (int i = 0; i < N_ABILITIES; i++) {
        const char *reason = p->abilities.reasons[i] ? p->abilities.reasons[i] : "";
        json_object_set_new(all, ability_names[i],
                            json_pack("{s:s, s:o}", "is", ability_text(ability(&p->abilities, i)),
                                      "reason", qn__json_string(reason)));
    }
    return all;
}

static json_t *json_of_device(const qn_device_info *d, const struct probe *p)
{
    json_t *o = json_object();
    const struct {
        const char *name, *text;
    } texts[] = {
        {"id", d->id},
        {"backend", d->backend},
        {"kind", d->kind},
        {"name", d->name},
        {"arch", d->arch},
        {"target", d->target},
        {"driver", d->driver},
        {"toolkit", d->toolkit},
        {"pci", d->pci},
        {"same_as", d->same_as},
        {"class", class_text(d->device_class)},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        json_object_set_new(o, texts[i].name, qn__json_string(texts[i].text));
    const struct {
        const char *name;
        uint64_t value;
    } numbers[] = {
        {"memory_total_bytes", d->memory_total_bytes},
        {"memory_free_bytes", d->memory_free_bytes},
        {"compute_units", d->compute_units},
        {"wave_width", d->wave_width},
        {"block_threads_max", d->block_threads_max},
        {"shared_bytes_max", d->shared_bytes_max},
        {"clock_mhz", d->clock_mhz},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        json_object_set_new(o, numbers[i].name, json_integer((json_int_t)numbers[i].value));
    json_t *block = json_array(), *grid = json_array();
    for (int axis = 0; axis < 3; axis++) {
        json_array_append_new(block, json_integer(d->block_max[axis]));
        json_array_append_new(grid, json_integer((json_int_t)d->grid_max[axis]));
    }
    json_object_set_new(o, "block_max", block);
    json_object_set_new(o, "grid_max", grid);
    json_object_set_new(o, "abilities", p ? json_of_abilities(p) : json_null());
    return o;
}

static json_t *json_of_compilers(void)
{
    const qn_compiler_info *rows;
    uint32_t n;
    json_t *list = json_array();
    if (qn_compilers(&rows, &n) != QN_OK)
        return list;
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(list,
                              json_pack("{s:s, s:b, s:o, s:o}", "name", rows[i].name, "found",
                                        rows[i].found, "version", qn__json_string(rows[i].version),
                                        "where", qn__json_string(rows[i].where)));
    free((void *)(uintptr_t)rows);
    return list;
}

static int print_json(const qn_device_list *list, const struct probe *probes)
{
    json_t *devices = json_array(), *refusals = json_array(), *environment = json_object();
    for (uint32_t i = 0; i < list->n_devices; i++)
        json_array_append_new(devices,
                              json_of_device(&list->devices[i], probes ? &probes[i] : NULL));
    for (uint32_t i = 0; i < list->n_refusals; i++) {
        const qn_device_refusal *r = &list->refusals[i];
        json_array_append_new(
            refusals, json_pack("{s:o, s:o, s:o}", "backend", qn__json_string(r->backend), "what",
                                qn__json_string(r->what), "reason", qn__json_string(r->reason)));
    }
    for (uint32_t i = 0; i < qn__n_environment; i++) {
        const char *value = device_variable(&qn__environment[i]);
        struct qn__str shown = {0};
        if (value)
            qn__variable_show(&shown, qn__environment[i].name, value);
        if (value)
            json_object_set_new(environment, qn__environment[i].name,
                                qn__json_string(shown.text ? shown.text : ""));
        qn__str_release(&shown);
    }
    return qn__json_print(json_pack("{s:o, s:o, s:o, s:o}", "devices", devices, "not_usable",
                                    refusals, "environment", environment, "compilers",
                                    json_of_compilers()));
}

static int run(const void *values)
{
    const struct values *v = values;
    qn_device_list list;
    if (qn_device_list_init(&list) != QN_OK)
        return qn__complain_status("devices");
    struct probe *probes = NULL;
    if (!v->no_probe && list.n_devices) {
        probes = calloc(list.n_devices, sizeof *probes);
        if (!probes) {
            qn_device_list_release(&list);
            return qn__complain(QN__EXIT_FAILED, "out of memory");
        }
        for (uint32_t i = 0; i < list.n_devices; i++)
            probe(&probes[i], list.devices[i].id);
    }
    const int status = v->json ? print_json(&list, probes) : print_text(&list, probes);
    for (uint32_t i = 0; probes && i < list.n_devices; i++)
        probe_release(&probes[i]);
    free(probes);
    qn_device_list_release(&list);
    return status;
}

const struct qn__command qn__cmd_devices = {
    .name = "devices",
    .brief = "what computes here, what cannot and why",
    .about = "List every device of every backend in order of preference, then every device or "
             "library that was seen and refused with the reason, the environment variables in "
             "effect, and the compilers found. Abilities are found by compiling and running a "
             "small kernel for each, not by tables.",
    .sample = "devices\ndevices --no-probe --json",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values_bytes = sizeof(struct values),
    .run = run,
};
