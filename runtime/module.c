/* SPDX-License-Identifier: Apache-2.0
 *
 * Modules and kernels: may the image run here, and which symbol does a name mean.
 *
 * Programs call kernels as their source does ("ns::scale<float, 4>"), images hold symbols. The
 * image's reflection translates; without one, a name is taken as a symbol and the driver decides.
 */
#include "base/log.h"
#include "base/name_expression.h"
#include "runtime/backend.h"
#include "runtime/stream_queue.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- loading -- */

static qn_status check_target(const qn_device *dev, const qn_image *image)
{
    struct qn__target target, device = dev->target;
    QN_TRY(qn__target_parse(&target, image->info.target));
    if (target.is_binary) {
        char text[QN__HASH_HEX + 8] = "opencl:";
        qn__device_fingerprint(text + strlen(text), dev);
        QN_TRY(qn__target_parse(&device, text));
    }
    return qn__target_accepts(&device, &target);
}

/* The line of a driver's log that says what is wrong: the first with an error, as Intel's log
 * begins with what its compiler is doing, else the first that says anything. */
static const char *telling_line(const struct qn__str *log, int *n)
{
    const char *first = log->text ? log->text : "";
    first += strspn(first, " \t\r\n");
    const char *line = strstr(first, "error");
    while (line && line > first && line[-1] != '\n')
        line--;
    line = line ? line : first;
    *n = (int)strcspn(line, "\r\n");
    return line;
}

qn_status qn__module_load(qn_module **out, qn_device *dev, qn_image *image, struct qn__str *log)
{
    *out = NULL;
    *log = (struct qn__str){0};
    qn_status s = check_target(dev, image);
    if (s != QN_OK)
        return qn__fail_prefix(s, "%s (%s)", dev->info.name, dev->info.id);
    qn_module *mod;
    s = dev->backend->module_load(&mod, dev, image, log);
    int n;
    const char *line = telling_line(log, &n);
    if (s == QN_E_DRIVER && n)
        s = qn__fail_code(s, qn_message_code(), "%s: %.*s", qn_message(), n, line);
    if (s != QN_OK)
        return s;
    mod->device = qn__device_retain(dev);
    mod->image = qn_image_retain(image);
    mod->kernels = NULL;
    mod->shapes = NULL;
    pthread_mutex_init(&mod->lock, NULL);
    *out = mod;
    return QN_OK;
}

qn_status qn_module_load(qn_module **out, qn_device *dev, qn_image *image)
{
    QN_ARG_CHECK(out != NULL);
    *out = NULL;
    QN_ARG_CHECK(dev != NULL && image != NULL);
    struct qn__str log;
    const qn_status s = qn__module_load(out, dev, image, &log);
    qn__str_release(&log);
    return s;
}

void qn_module_close(qn_module *mod)
{
    if (!mod)
        return;
    qn_device *dev = mod->device;
    qn_image *image = mod->image;
    if (!qn__device_settled(dev)) {
        qn__log(QN_LOG_WARNING, "%s: a module whose kernels may still run is left as it is",
                dev->info.id);
        return;
    }
    qn__device_forget(dev, mod);
    if (mod->shapes)
        qn__shapes_settle(mod->shapes, mod);
    qn__shapes_destroy(mod->shapes);
    for (qn_kernel *k = mod->kernels, *next; k; k = next) {
        next = k->next;
        dev->backend->kernel_close(k);
    }
    pthread_mutex_destroy(&mod->lock);
    dev->backend->module_close(mod);
    qn_image_release(image);
    qn__device_release(dev);
}

qn_image *qn_module_get_image(const qn_module *mod)
{
    return mod->image;
}

/* -- names -- */

/* Equal but for blanks. */
static bool same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (isspace((unsigned char)*a))
            a++;
        while (isspace((unsigned char)*b))
            b++;
        if (*a != *b)
            return false;
        if (!*a)
            return true;
    }
}

/* Where the name stands in a symbol of C++ ("_Z5scalePfi", "_ZN2ns5scaleEPf"): the last of its
 * <length><name> parts. False: not such a symbol. */
static bool plain_part(const char **begin, size_t *n, const char *symbol)
{
    if (strncmp(symbol, "_Z", 2) != 0)
        return false;
    const char *at = symbol + 2;
    at += *at == 'N';
    *n = 0;
    while (*at >= '1' && *at <= '9') {
        char *rest;
        const unsigned long length = strtoul(at, &rest, 10);
        if (length > strlen(rest))
            break;
        *begin = rest;
        *n = length;
        at = rest + length;
    }
    return *n > 0;
}

/* Is `name` the plain name of an expression or symbol: without namespaces, template arguments and
 * parameters? */
static bool is_plain_name_of(const char *name, const char *expression)
{
    const char *part;
    size_t n;
    if (!plain_part(&part, &n, expression))
        return qn__name_expression_is_plain(name, expression);
    return strlen(name) == n && !memcmp(name, part, n);
}

/* Was this kernel listed before, under another expression? */
static bool is_again(const struct qn__reflection *r, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (!strcmp(r->kernels[k].info.name, r->kernels[i].info.name))
            return true;
    return false;
}

/* List the kernels of an image: all, or those whose plain name is `name`. */
static uint32_t list_names(char *out, size_t capacity, const struct qn__reflection *r,
                           const char *name)
{
    size_t used = 0;
    uint32_t n = 0;
    out[0] = 0;
    for (uint32_t i = 0; i < r->n_kernels; i++) {
        const char *expression = r->kernels[i].info.expression;
        if (name && (!is_plain_name_of(name, expression) || is_again(r, i)))
            continue;
        if (used < capacity)
            used +=
                (size_t)snprintf(out + used, capacity - used, "%s%s", n ? ", " : "", expression);
        n++;
    }
    return n;
}

/* The signature a name means: expression, then symbol or plain name, which is refused where several
 * kernels have that plain name: the symbol of one of them may be the same word. NULL with QN_OK:
 * the image knows no kernels at all, or none of that name. */
static qn_status find_signature(const struct qn__kernel **out, const qn_image *image,
                                const char *name)
{
    const struct qn__reflection *r = &image->reflection;
    *out = NULL;
    for (uint32_t i = 0; i < r->n_kernels; i++)
        if (same_name(r->kernels[i].info.expression, name))
            return *out = &r->kernels[i], QN_OK;
    char names[QN__MESSAGE_MAX / 2];
    if (list_names(names, sizeof names, r, name) > 1)
        return qn__fail(QN_E_NOT_FOUND, "kernel '%s' could be each of %s", name, names);
    for (uint32_t i = 0; i < r->n_kernels; i++)
        if (!strcmp(r->kernels[i].info.name, name))
            return *out = &r->kernels[i], QN_OK;
    for (uint32_t i = 0; i < r->n_kernels; i++)
        if (is_plain_name_of(name, r->kernels[i].info.expression))
            return *out = &r->kernels[i], QN_OK;
    return QN_OK;
}

static qn_status no_kernel(const qn_module *mod, const char *name)
{
    char names[QN__MESSAGE_MAX / 2];
    if (!list_names(names, sizeof names, &mod->image->reflection, NULL))
        return qn__fail_prefix(QN_E_NOT_FOUND, "kernel '%s': the image does not list its kernels",
                               name);
    return qn__fail(QN_E_NOT_FOUND, "no kernel '%s'; the image has %s", name, names);
}

/* -- kernels -- */

static qn_status open_kernel(qn_kernel **out, qn_module *mod, const char *symbol,
                             const struct qn__kernel *signature)
{
    qn_kernel *k;
    QN_TRY(mod->device->backend->kernel_open(&k, mod, symbol, signature));
    k->module = mod;
    k->signature = signature;
    if (signature && !k->info.args_known) /* else the driver knew more than the image */
        k->info = signature->info;
    atomic_init(&k->is_described, !k->describe);
    k->next = mod->kernels;
    mod->kernels = k;
    *out = k;
    return QN_OK;
}

static qn_status find_kernel(const qn_kernel **out, qn_module *mod, const char *name)
{
    const struct qn__kernel *signature;
    QN_TRY(find_signature(&signature, mod->image, name));
    const char *symbol = signature ? signature->info.name : name;
    for (const qn_kernel *k = mod->kernels; k; k = k->next)
        if (!strcmp(k->info.name, symbol))
            return *out = k, QN_OK;
    qn_kernel *k;
    const qn_status s = open_kernel(&k, mod, symbol, signature);
    if (s == QN_E_NOT_FOUND)
        return no_kernel(mod, name);
    QN_TRY(s);
    *out = k;
    return QN_OK;
}

qn_status qn_kernel_find(const qn_kernel **out, qn_module *mod, const char *name)
{
    QN_ARG_CHECK(out != NULL);
    *out = NULL;
    QN_ARG_CHECK(mod != NULL && name != NULL);
    pthread_mutex_lock(&mod->lock);
    const qn_status s = find_kernel(out, mod, name);
    pthread_mutex_unlock(&mod->lock);
    return s;
}

qn_status qn__kernel_describe(const qn_kernel *kernel)
{
    qn_kernel *k = (qn_kernel *)(uintptr_t)kernel; /* handed out as const, made by this file */
    qn_status s = QN_OK;
    if (atomic_load_explicit(&k->is_described, memory_order_acquire))
        return QN_OK;
    pthread_mutex_lock(&k->module->lock);
    if (!atomic_load_explicit(&k->is_described, memory_order_relaxed)) {
        s = k->describe(k);
        atomic_store_explicit(&k->is_described, s == QN_OK, memory_order_release);
    }
    pthread_mutex_unlock(&k->module->lock);
    return s;
}

qn_status qn_kernel_get_attributes(qn_kernel_attributes *out, const qn_kernel *kernel)
{
    QN_ARG_CHECK(out != NULL);
    *out = (qn_kernel_attributes){0};
    QN_ARG_CHECK(kernel != NULL);
    QN_TRY(qn__kernel_describe(kernel));
    *out = kernel->attributes;
    return QN_OK;
}

qn_status qn_kernel_get_occupancy(double *share, const qn_kernel *kernel, uint32_t block_threads,
                                  uint64_t shared_bytes)
{
    QN_ARG_CHECK(share != NULL);
    *share = 0;
    QN_ARG_CHECK(kernel != NULL && block_threads > 0);
    qn_kernel *k = (qn_kernel *)(uintptr_t)kernel; /* as above */
    uint32_t threads, most;
    if (!k->occupancy)
        return QN_OK;
    QN_TRY(k->occupancy(&threads, &most, k, block_threads, shared_bytes));
    *share = most ? (double)threads / most : 0;
    return QN_OK;
}

const qn_kernel_info *qn_kernel_get_info(const qn_kernel *kernel)
{
    struct qn__message message;
    qn__message_save(&message);
    if (qn__kernel_describe(kernel) != QN_OK)
        qn__message_restore(&message); /* the driver does not tell: args_known stays false */
    return &kernel->info;
}

/* -- variables -- */

qn_status qn_module_find_global(qn_addr *addr, uint64_t *size_bytes, qn_module *mod,
                                const char *name)
{
    QN_ARG_CHECK(addr != NULL && size_bytes != NULL);
    *addr = 0;
    *size_bytes = 0;
    QN_ARG_CHECK(mod != NULL && name != NULL);
    const struct qn__reflection *r = &mod->image->reflection;
    const char *symbol = name;
    name += *name == '&'; /* "&table<3>", as in qn_source.names */
    for (uint32_t i = 0; i < r->n_globals; i++)
        if (same_name(r->globals[i].name, name))
            symbol = r->globals[i].symbol;
    const qn_status s = mod->device->backend->global_find(addr, size_bytes, mod, symbol);
    if (s == QN_E_NOT_FOUND)
        return qn__fail(s, "no variable '%s': not in the source, or no kernel uses it", name);
    return s;
}
