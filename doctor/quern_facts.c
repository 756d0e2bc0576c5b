/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts of Quern itself on this machine, by its own public calls in a child: helpers and compilers,
 * the cache, and every device with what it can, which a kernel of its own shows for each. */
#include "doctor/facts.h"
#include "doctor/probe_process.h"

#include <quern/quern.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_S = 300 };

/* ---- matrix units ---- */

/* D = A * B + C on one wave, C the lane's number, A all 1; NVIDIA: 8 products with B all 2, AMD: 16
 * with B all 1. So D is 16 more than C. */
static const char matrix_source[] =
    "extern \"C\" __global__ void probe(float *out)\n"
    "{\n"
    "    const float c = threadIdx.x;\n"
    "#if defined(__AMDGCN__)\n"
    "    typedef _Float16 half_n __attribute__((ext_vector_type(QN_HALVES)));\n"
    "    typedef float float_n __attribute__((ext_vector_type(QN_FLOATS)));\n"
    "    half_n a, b;\n"
    "    float_n d;\n"
    "    for (int i = 0; i < QN_HALVES; i++)\n"
    "        a[i] = b[i] = (_Float16)1;\n"
    "    for (int i = 0; i < QN_FLOATS; i++)\n"
    "        d[i] = c;\n"
    "    d = QN_MATRIX;\n"
    "    out[threadIdx.x] = d[0];\n"
    "#else\n"
    "    const unsigned one = 0x3c003c00u, two = 0x40004000u;\n"
    "    float d0, d1, d2, d3;\n"
    "    asm volatile(\"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, "
    "\"\n"
    "                 \"{%6}, {%7,%8,%9,%10};\"\n"
    "                 : \"=f\"(d0), \"=f\"(d1), \"=f\"(d2), \"=f\"(d3)\n"
    "                 : \"r\"(one), \"r\"(one), \"r\"(two), \"f\"(c), \"f\"(c), \"f\"(c), "
    "\"f\"(c));\n"
    "    out[threadIdx.x] = d0;\n"
    "#endif\n"
    "}\n";

/* AMD's instruction differs between families. */
static const char *const amd_forms[][3] = {
    {"QN_HALVES=4", "QN_FLOATS=4", "QN_MATRIX=__builtin_amdgcn_mfma_f32_16x16x16f16(a,b,d,0,0,0)"},
    {"QN_HALVES=16", "QN_FLOATS=8", "QN_MATRIX=__builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a,b,d)"},
    {"QN_HALVES=8", "QN_FLOATS=8",
     "QN_MATRIX=__builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a,b,d)"},
};

/* One form; the child that runs it ends with its device, so nothing is given back. */
static qn_status run_matrix(float *got, uint32_t lanes, qn_device *dev, const char *const *defines)
{
    const qn_source source = {.text = matrix_source,
                              .path = "matrix.cu",
                              .defines = defines,
                              .n_defines = defines ? 3 : 0};
    const qn_dims dims = {.grid = {1, 1, 1}, .block = {lanes, 1, 1}};
    qn_module *mod = NULL;
    qn_stream *stream = NULL;
    const qn_kernel *kernel;
    qn_addr out = 0;
    void *const args[] = {&out};
    qn_status s = qn_module_build(&mod, dev, &source, NULL, NULL);
    if (s == QN_OK)
        s = qn_kernel_find(&kernel, mod, "probe");
    if (s == QN_OK)
        s = qn_stream_create(&stream, dev, NULL);
    if (s == QN_OK)
        s = qn_memory_alloc(&out, dev, lanes * sizeof *got);
    if (s == QN_OK)
        s = qn_stream_launch(stream, kernel, &dims, args);
    if (s == QN_OK)
        s = qn_stream_sync(stream);
    if (s == QN_OK)
        s = qn_memory_download(dev, got, out, lanes * sizeof *got, NULL);
    return s;
}

/* "native": the device's own instruction; "emulated": the same by plain arithmetic. */
static const char *matrix_units(qn_device *dev, const qn_device_info *info)
{
    enum { LANES_MAX = 64, AMD_FORMS = sizeof amd_forms / sizeof amd_forms[0] };
    const bool is_amd = strcmp(info->backend, "hip") == 0;
    const bool is_own = is_amd || strcmp(info->backend, "cuda") == 0;
    const uint32_t lanes = is_amd ? info->wave_width : 32;
    float got[LANES_MAX] = {0};
    qn_status s = QN_E_UNSUPPORTED;
    for (int form = 0; lanes <= LANES_MAX && s != QN_OK && form < (is_amd ? AMD_FORMS : 1); form++)
        s = run_matrix(got, lanes, dev, is_amd ? amd_forms[form] : NULL);
    if (s != QN_OK)
        return "no";
    for (uint32_t i = 0; i < lanes; i++)
        if (got[i] != (float)i + 16.0f)
            return "wrong";
    return is_own ? "native" : "emulated";
}

/* ---- devices ---- */

static const char *ability_text(qn_ability a)
{
    return a == QN_ABILITY_NATIVE ? "native" : a == QN_ABILITY_EMULATED ? "emulated" : "no";
}

static void set_abilities(json_t *out, const qn_device_info *info)
{
    qn_device *dev = NULL;
    qn_device_abilities a;
    if (qn_device_open(&dev, info->id) != QN_OK || qn_device_probe(&a, dev) != QN_OK) {
        qn__facts_set_text(out, "cannot_build", qn_message());
        return;
    }
    const struct {
        const char *name;
        qn_ability is;
    } four[] = {{"fp16", a.fp16}, {"bf16", a.bf16}, {"fp64", a.fp64}, {"int8_dot", a.int8_dot}};
    json_t *abilities = json_object();
    for (int i = 0; i < 4; i++) {
        qn__facts_set_text(abilities, four[i].name, ability_text(four[i].is));
        if (a.reasons[i] && strstr(a.reasons[i], "is wrong on this device"))
            qn__facts_set_text(out, "computes_wrong", a.reasons[i]);
    }
    const char *matrix = matrix_units(dev, info);
    qn__facts_set_text(abilities, "matrix", matrix);
    if (strcmp(matrix, "wrong") == 0)
        qn__facts_set_text(out, "computes_wrong", "the matrix instruction gives other numbers");
    json_object_set_new(out, "abilities", abilities);
}

static const char *class_text(qn_device_class c)
{
    return c == QN_DEVICE_DISCRETE ? "discrete" : c == QN_DEVICE_INTEGRATED ? "integrated" : "cpu";
}

static json_t *device(const qn_device_info *d)
{
    json_t *out = json_object();
    const char *const texts[][2] = {
        {"id", d->id},     {"kind", d->kind},       {"name", d->name},
        {"arch", d->arch}, {"target", d->target},   {"driver", d->driver},
        {"pci", d->pci},   {"same_as", d->same_as}, {"toolkit", d->toolkit}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        qn__facts_set_text(out, texts[i][0], texts[i][1]);
    qn__facts_set_text(out, "class", class_text(d->device_class));
    qn__facts_set_number(out, "memory_bytes", (int64_t)d->memory_total_bytes);
    qn__facts_set_number(out, "memory_free_bytes", (int64_t)d->memory_free_bytes);
    qn__facts_set_number(out, "compute_units", d->compute_units);
    set_abilities(out, d);
    return out;
}

static void set_devices(json_t *out)
{
    qn_device_list list;
    json_t *devices = json_array(), *refusals = json_array();
    if (qn_device_list_init(&list) != QN_OK) {
        qn__facts_set_text(out, "error", qn_message());
        list = (qn_device_list){0};
    }
    for (uint32_t i = 0; i < list.n_devices; i++)
        json_array_append_new(devices, device(&list.devices[i]));
    for (uint32_t i = 0; i < list.n_refusals; i++) {
        const qn_device_refusal *r = &list.refusals[i];
        json_array_append_new(refusals, json_pack("{s:s, s:o, s:o}", "backend", r->backend, "what",
                                                  qn__facts_string(r->what), "reason",
                                                  qn__facts_string(r->reason)));
    }
    json_object_set_new(out, "devices", devices);
    json_object_set_new(out, "refusals", refusals);
}

static void set_compilers(json_t *out)
{
    const qn_compiler_info *rows = NULL;
    uint32_t n = 0;
    json_t *list = json_array();
    if (qn_compilers(&rows, &n) != QN_OK)
        qn__facts_set_text(out, "helper_error", qn_message());
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(list,
                              json_pack("{s:s, s:b, s:o, s:o}", "name", rows[i].name, "found",
                                        rows[i].found, "version", qn__facts_string(rows[i].version),
                                        "where", qn__facts_string(rows[i].where)));
    free((void *)(uintptr_t)rows);
    json_object_set_new(out, "compilers", list);
}

static json_t *ask_quern(void *unused)
{
    json_t *out = json_object();
    const char *why = "";
    (void)unused;
    qn__child_step("while compilers were looked for");
    set_compilers(out);
    const char *folder = qn_cache_get_dir(&why);
    qn__facts_set_text(out, "cache_folder", folder);
    if (!*folder)
        qn__facts_set_text(out, "cache_error", why);
    qn__facts_set_text(out, "cache_network", qn_cache_get_network());
    qn__child_step("while devices were opened");
    set_devices(out);
    return out;
}

void qn__gather_quern(json_t *facts)
{
    json_object_set_new(facts, "quern", qn__child_run(ask_quern, NULL, LIMIT_S));
}
