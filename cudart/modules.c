/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels on a device: the finished image of a unit that fits, else its source, compiled through
 * the cache when the first of its kernels or variables is needed. Units with relocatable device
 * code are one program and one module. */
#include "cudart/programs.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/symbol_expression.h"
#include "base/wire.h"
#include "cudart/carried_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qn__rt_module {
    struct qn__rt_module *next;
    struct qn__rt_program *program; /* NULL: all that are relocatable */
    qn_module *module;              /* NULL: it failed */
    cudaError_t error;
};

static pthread_mutex_t building = PTHREAD_MUTEX_INITIALIZER;

static bool is_translated(const struct qn__rt_device *d)
{
    const char *const backend = qn_device_get_info(d->device)->backend;
    return strcmp(backend, "opencl") == 0 || strcmp(backend, "cpu") == 0;
}

/* ---- sources ---- */

struct sources {
    qn_source whole; /* to compile */
    qn_source **units;
    uint32_t n;
    struct qn__str text; /* of a program of several units */
    const char **names, **texts, **options, **kernels;
    struct qn__arena arena; /* what kernels are called */
};

static void release_sources(struct sources *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        qn_source_release(s->units[i]);
    for (uint32_t i = 0; s->n > 1 && i < s->whole.n_headers; i++)
        free((char *)(uintptr_t)s->names[i]);
    free(s->units);
    free(s->names);
    free(s->texts);
    free(s->options);
    free(s->kernels);
    qn__arena_release(&s->arena);
    qn__str_release(&s->text);
}

static qn_status unpack(qn_source **out, const char *name, const unsigned char *fields, size_t n)
{
    struct qn__wire_reader r = qn__wire_reader(fields, n);
    struct qn__wire_field f;
    while (qn__wire_next(&r, &f))
        if (f.tag == QN__PROGRAM_SOURCE)
            return qn_source_unpack(out, f.bytes, f.n);
    return qn__fail(QN_E_MISMATCH, "%s: it was built without its source, for other targets", name);
}

static bool same_lists(const char *const *a, uint32_t n_a, const char *const *b, uint32_t n_b)
{
    bool same = n_a == n_b;
    for (uint32_t i = 0; same && i < n_a; i++)
        same = strcmp(a[i], b[i]) == 0;
    return same;
}

/* Units of one program: a source that includes them, each with its headers in a folder. */
static qn_status join(struct sources *s)
{
    const qn_source *const first = s->units[0];
    uint32_t n = 0, at = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const qn_source *const u = s->units[i];
        if (!same_lists(u->defines, u->n_defines, first->defines, first->n_defines) ||
            !same_lists(u->options, u->n_options, first->options, first->n_options))
            return qn__fail(QN_E_UNSUPPORTED,
                            "%s and %s: relocatable device code of different -D or -std",
                            first->path, u->path);
        n += u->n_headers + 1;
    }
    s->names = calloc(n, sizeof *s->names);
    s->texts = calloc(n, sizeof *s->texts);
    if (!s->names || !s->texts)
        return qn__fail(QN_E_MEMORY, "no memory for a program's source");
    for (uint32_t i = 0; i < s->n; i++) {
        const qn_source *const u = s->units[i];
        for (uint32_t h = 0; h <= u->n_headers; h++) {
            struct qn__str name = {0};
            qn__str_printf(&name, "%u/%s", i, h ? u->header_names[h - 1] : "unit.cu");
            s->names[at] = qn__str_take(&name);
            s->texts[at++] = h ? u->header_texts[h - 1] : u->text;
        }
        qn__str_printf(&s->text, "#include \"%u/unit.cu\"\n", i);
    }
    s->whole = *first;
    s->whole.path = "program.cu";
    s->whole.text = s->text.text;
    s->whole.header_names = s->names;
    s->whole.header_texts = s->texts;
    s->whole.n_headers = n;
    return qn__str_check(&s->text);
}

static bool is_of(const struct qn__rt_program *p, const struct qn__rt_program *program)
{
    return p == program || (!program && p->relocatable && !p->gone);
}

/* A vendor's compiler makes of templates what it is asked for. */
static qn_status name_instances(struct sources *s, const struct qn__rt_program *program)
{
    uint32_t n = 0, capacity;
    const struct qn__rt_kernel *const *const kernels = qn__rt_kernels_lock(&capacity);
    s->kernels = calloc(capacity + 1, sizeof *s->kernels);
    for (uint32_t i = 0; s->kernels && i < capacity; i++) {
        const char *const name =
            is_of(kernels[i]->program, program) && qn__symbol_is_instance(kernels[i]->symbol)
                ? qn__symbol_expression(&s->arena, kernels[i]->symbol)
                : NULL;
        bool is_there = !name; /* one of a lambda, which qn__rt_find_kernel() will not find */
        for (uint32_t k = 0; k < n && !is_there; k++)
            is_there = strcmp(s->kernels[k], name) == 0;
        if (!is_there)
            s->kernels[n++] = name;
    }
    qn__rt_kernels_unlock();
    s->whole.names = s->kernels;
    s->whole.n_names = n;
    return s->kernels ? QN_OK : qn__fail(QN_E_MEMORY, "no memory for the names of kernels");
}

/* The source of that unit, or of all that are relocatable. */
static qn_status collect(struct sources *s, struct qn__rt_program *program, bool translated,
                         bool keeps_going)
{
    uint32_t n = 0;
    for (struct qn__rt_program *p = qn__rt_programs(); p; p = p->next)
        n += is_of(p, program);
    *s = (struct sources){.units = calloc(n, sizeof *s->units)};
    if (!s->units)
        return qn__fail(QN_E_MEMORY, "no memory for a program's source");
    for (struct qn__rt_program *p = qn__rt_programs(); p; p = p->next)
        if (is_of(p, program)) {
            QN_TRY(unpack(&s->units[s->n], p->name, p->fields, p->n));
            s->n++;
        }
    s->whole = *s->units[0];
    if (s->n > 1)
        QN_TRY(join(s));
    s->options = calloc(s->whole.n_options + 1, sizeof *s->options);
    if (!s->options)
        return qn__fail(QN_E_MEMORY, "no memory for a program's options");
    if (s->whole.n_options)
        memcpy(s->options, s->whole.options, s->whole.n_options * sizeof *s->options);
    if (keeps_going)
        s->options[s->whole.n_options++] = "--keep-going";
    s->whole.options = s->options;
    return translated ? QN_OK : name_instances(s, program);
}

/* ---- modules ---- */

/* A finished image that runs on the device. */
static qn_module *load_image(struct qn__rt_device *d, const unsigned char *fields, size_t n)
{
    struct qn__wire_reader r = qn__wire_reader(fields, n);
    struct qn__wire_field f;
    while (qn__wire_next(&r, &f)) {
        qn_image *image;
        qn_module *module = NULL;
        if (f.tag != QN__PROGRAM_IMAGE || qn_image_load_bytes(&image, f.bytes, f.n, NULL) != QN_OK)
            continue;
        const qn_status s = qn_module_load(&module, d->device, image);
        qn_image_release(image);
        if (s == QN_OK)
            return module;
    }
    return NULL;
}

static cudaError_t build(struct qn__rt_module *m, struct qn__rt_device *d)
{
    struct sources s;
    qn_log log = {0};
    if (m->program && (m->module = load_image(d, m->program->fields, m->program->n)) != NULL)
        return cudaSuccess;
    qn_status status = collect(&s, m->program, is_translated(d), true);
    if (status == QN_OK)
        status = qn_module_build(&m->module, d->device, &s.whole, NULL, &log);
    if (status != QN_OK && log.text && log.text[0] && status != QN_E_COMPILER)
        fputs(log.text, stderr);
    const cudaError_t error =
        qn__rt_status(status, is_translated(d) ? "compiling the program's kernels"
                                               : "compiling the program's kernels by the vendor's "
                                                 "compiler (QUERN_DEVICE=opencl:0 takes clang)");
    qn_log_release(&log);
    release_sources(&s);
    return error;
}

/* The names that a vendor's compiler is asked for; the caller owns the list, and each. */
static qn_status read_names(const char ***out, uint32_t *n, const unsigned char *fields,
                            size_t size)
{
    struct qn__wire_reader r = qn__wire_reader(fields, size);
    struct qn__wire_field f;
    *out = NULL;
    *n = 0;
    while (qn__wire_next(&r, &f)) {
        if (f.tag != QN__PROGRAM_KERNEL)
            continue;
        const char **const grown = realloc(*out, (*n + (size_t)1) * sizeof *grown);
        if (grown)
            *out = grown;
        const char *const name = grown ? strndup((const char *)f.bytes, f.n) : NULL;
        if (!name)
            return qn__fail(QN_E_MEMORY, "no memory for the names of kernels");
        grown[(*n)++] = name;
    }
    return QN_OK;
}

cudaError_t qn__rt_module_of_fields(qn_module **out, struct qn__rt_device *d, const char *name,
                                    const unsigned char *fields, size_t n)
{
    static const char *const keep_going = "--keep-going";
    qn_source *unit = NULL;
    qn_log log = {0};
    const char **names = NULL, **options = NULL;
    uint32_t n_names = 0;
    if ((*out = load_image(d, fields, n)) != NULL)
        return cudaSuccess;
    qn_status s = unpack(&unit, name, fields, n);
    if (s == QN_OK)
        s = read_names(&names, &n_names, fields, n);
    if (s == QN_OK && !(options = calloc(unit->n_options + (size_t)1, sizeof *options)))
        s = qn__fail(QN_E_MEMORY, "no memory for a program's options");
    if (s == QN_OK) {
        qn_source whole = *unit;
        if (unit->n_options)
            memcpy(options, unit->options, unit->n_options * sizeof *options);
        options[unit->n_options] = keep_going;
        whole.options = options;
        whole.n_options = unit->n_options + (n_names == 0);
        whole.names = names;
        whole.n_names = n_names;
        s = qn_module_build(out, d->device, &whole, NULL, &log);
    }
    if (s != QN_OK && log.text && log.text[0] && s != QN_E_COMPILER)
        fputs(log.text, stderr);
    const cudaError_t error = qn__rt_status(s, name);
    for (uint32_t i = 0; i < n_names; i++)
        free((char *)(uintptr_t)names[i]);
    free(names);
    free(options);
    qn_log_release(&log);
    qn_source_release(unit);
    return error;
}

/* The name of a variable in the image: its symbol, ns::x of _ZN2ns1xE, or x alone. */
qn_status qn__rt_find_variable(qn_addr *address, uint64_t *n, qn_module *module, const char *symbol)
{
    qn_status s = qn_module_find_global(address, n, module, symbol);
    if (s == QN_OK || strncmp(symbol, "_Z", 2) != 0)
        return s;
    struct qn__str name = {0};
    const char *p = symbol + 2 + (symbol[2] == 'N'), *last = "";
    size_t n_last = 0;
    while (*p) {
        p += *p == 'L'; /* of internal linkage */
        char *end;
        const size_t length = strtoul(p, &end, 10);
        if (end == p || length > strlen(end))
            break;
        qn__str_add(&name, name.len ? "::" : "");
        qn__str_add_bytes(&name, end, length);
        last = end;
        n_last = length;
        p = end + length;
    }
    if (name.text)
        s = qn_module_find_global(address, n, module, name.text);
    qn__str_clear(&name);
    qn__str_add_bytes(&name, last, n_last);
    if (s != QN_OK && n_last && name.text)
        s = qn_module_find_global(address, n, module, name.text);
    qn__str_release(&name);
    return s;
}

/* The host's copies of managed variables move to where the kernels' are. */
static cudaError_t move_managed(struct qn__rt_module *m, struct qn__rt_device *d)
{
    for (struct qn__rt_program *p = qn__rt_programs(); p; p = p->next) {
        if (p != m->program && !(m->program == NULL && p->relocatable))
            continue;
        for (struct qn__rt_variable *v = p->variables; v; v = v->next) {
            qn_addr a;
            uint64_t n;
            if (!v->managed || qn__rt_find_variable(&a, &n, m->module, v->symbol) != QN_OK)
                continue; /* no kernel uses it */
            if (!qn__rt_shares_memory(d))
                return qn__rt_fail(cudaErrorNotSupported,
                                   "%s: a __managed__ variable on %s, which shares no memory with "
                                   "the host (QUERN_DEVICE=cpu:0 does)",
                                   v->symbol, qn_device_get_info(d->device)->id);
            const qn_status s =
                qn_memory_upload(d->device, a, *v->managed, n < v->n ? n : v->n, NULL);
            if (s != QN_OK)
                return qn__rt_status(s, v->symbol);
            *v->managed = qn__rt_pointer(a);
        }
    }
    return cudaSuccess;
}

static struct qn__rt_module *module_of(struct qn__rt_device *d, struct qn__rt_program *program)
{
    if (program->relocatable)
        program = NULL;
    pthread_mutex_lock(&building);
    struct qn__rt_module *m = d->modules;
    while (m && m->program != program)
        m = m->next;
    if (!m && (m = calloc(1, sizeof *m)) != NULL) {
        m->program = program;
        m->error = build(m, d);
        if (m->error == cudaSuccess)
            m->error = move_managed(m, d);
        m->next = d->modules;
        d->modules = m;
    }
    pthread_mutex_unlock(&building);
    return m;
}

void qn__rt_modules_close(struct qn__rt_device *d)
{
    qn__rt_programs_reset(d->index);
    while (d->modules) {
        struct qn__rt_module *const m = d->modules;
        d->modules = m->next;
        qn_module_close(m->module);
        free(m);
    }
}

/* ---- kernels ---- */

/* Compile once more, without leaving anything out: that says why the kernel is missing. */
static void explain(struct qn__rt_device *d, struct qn__rt_program *program)
{
    struct sources s;
    qn_log log = {0};
    qn_image *image = NULL;
    qn_status status = collect(&s, program->relocatable ? NULL : program, is_translated(d), false);
    if (status == QN_OK)
        status = qn_compile(&image, &s.whole, qn_device_get_info(d->device)->target, NULL, &log);
    if (status != QN_OK && log.text)
        fputs(log.text, stderr);
    qn_image_release(image);
    qn_log_release(&log);
    release_sources(&s);
}

/* A part of a name: "5scale", behind the mark of internal linkage, or a namespace without a name,
 * which each compiler calls differently. */
static const char *skip_nameless(const char *p)
{
    char *end;
    const unsigned long n = strtoul(p, &end, 10);
    return end > p && strncmp(end, "_GLOBAL__N_", 11) == 0 && n <= strlen(end) ? end + n : p;
}

/* Two compilers' symbols of one kernel. */
static bool is_same_symbol(const char *a, const char *b)
{
    if (strcmp(a, b) == 0)
        return true;
    if (strncmp(a, "_Z", 2) != 0 || strncmp(b, "_Z", 2) != 0)
        return false;
    a += a[2] == 'N' ? 3 : 2;
    b += b[2] == 'N' ? 3 : 2;
    a = skip_nameless(a);
    b = skip_nameless(b);
    return strcmp(a + (*a == 'L'), b + (*b == 'L')) == 0;
}

const qn_kernel *qn__rt_find_kernel(qn_module *module, const char *symbol)
{
    const qn_image_info *const info = qn_image_get_info(qn_module_get_image(module));
    const qn_kernel *kernel = NULL;
    for (uint32_t i = 0; i < info->n_kernels; i++)
        if (is_same_symbol(info->kernels[i].symbol, symbol) ||
            is_same_symbol(info->kernels[i].name, symbol))
            return qn_kernel_find(&kernel, module, info->kernels[i].name) == QN_OK ? kernel : NULL;
    return NULL;
}

static bool has_name(const char *symbol)
{
    struct qn__arena arena = {0};
    const bool has = qn__symbol_expression(&arena, symbol) != NULL;
    qn__arena_release(&arena);
    return has;
}

const qn_kernel *qn__rt_kernel_on(struct qn__rt_device *d, const void *host, const char **symbol,
                                  cudaError_t *error)
{
    struct qn__rt_kernel *const k = qn__rt_kernel_find(host);
    *symbol = k ? k->symbol : "";
    *error = cudaErrorInvalidDeviceFunction;
    if (!k || k->on[d->index])
        return k ? k->on[d->index] : NULL;
    const struct qn__rt_module *const m = module_of(d, k->program);
    *error = m ? m->error : cudaErrorMemoryAllocation;
    if (*error != cudaSuccess)
        return NULL;
    k->on[d->index] = qn__rt_find_kernel(m->module, k->symbol);
    if (!k->on[d->index]) {
        *error = cudaErrorInvalidDeviceFunction;
        explain(d, k->program);
        qn__rt_fail(*error, "%s: kernel %s is not there on %s: %s", k->program->name, k->symbol,
                    qn_device_get_info(d->device)->id,
                    is_translated(d) || has_name(k->symbol)
                        ? "it was refused"
                        : "a kernel of a lambda, or of a type inside a function, is not "
                          "served there (QUERN_DEVICE=opencl:0 does)");
    }
    return k->on[d->index];
}

/* A variable that no kernel uses is in no image. It has memory of its own, once it is written. */
static cudaError_t unused_variable(qn_addr *address, uint64_t *n, struct qn__rt_device *d,
                                   struct qn__rt_variable *v, bool reads)
{
    if (!v->unused_on[d->index]) {
        void *p;
        if (reads)
            return qn__rt_fail(cudaErrorNotSupported,
                               "%s: no kernel uses it, so its initial value was not kept",
                               v->symbol);
        const cudaError_t error = cudaMalloc(&p, v->n);
        if (error != cudaSuccess)
            return error;
        v->unused_on[d->index] = qn__rt_address(p);
    }
    *address = v->unused_on[d->index];
    *n = v->n;
    return cudaSuccess;
}

cudaError_t qn__rt_variable_on(qn_addr *address, uint64_t *n, struct qn__rt_device *d,
                               const void *host, bool reads)
{
    struct qn__rt_variable *v = qn__rt_variable_find(host);
    if (!v)
        return qn__rt_error(cudaErrorInvalidSymbol);
    const struct qn__rt_module *const m = module_of(d, v->program);
    if (!m || m->error != cudaSuccess)
        return qn__rt_error(m ? m->error : cudaErrorMemoryAllocation);
    if (qn__rt_find_variable(address, n, m->module, v->symbol) == QN_OK)
        return cudaSuccess;
    return unused_variable(address, n, d, v, reads);
}
