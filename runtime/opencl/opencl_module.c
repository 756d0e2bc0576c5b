/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs: text or a driver's binary to cl_program, and the module's variables.
 *
 * OpenCL C 1.2 has no variables that a program could set from outside: the translator turned each
 * into a hidden argument, and the memory it points to belongs to the module, made and filled when
 * it is loaded. */
#include "base/device_buffers.h"
#include "runtime/opencl/opencl_backend.h"
#include "runtime/opencl/opencl_device.h"
#include "runtime/opencl/opencl_driver.h"

#include <stdlib.h>
#include <string.h>

/* -- building -- */

static void add_build_log(struct qn__str *log, cl_program program, cl_device_id id)
{
    size_t n = 0;
    if (qn__cl.GetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) != CL_SUCCESS)
        return;
    char *text = qn__alloc(n + 1, 1);
    if (text &&
        qn__cl.GetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, n, text, NULL) == CL_SUCCESS)
        qn__str_add(log, text);
    free(text);
}

static qn_status check_needs(const struct qn__opencl_device *dev, const struct qn__reflection *r)
{
    for (uint32_t i = 0; i < r->n_needs; i++)
        if (!qn__opencl_has(dev, r->needs[i]))
            return qn__fail(QN_E_MISMATCH, "the image needs %s, which %s does not have",
                            r->needs[i], dev->base.info.name);
    return QN_OK;
}

static cl_program create_program(cl_int *code, struct qn__opencl_device *dev,
                                 const qn_image_info *image)
{
    if (image->kind == QN_IMAGE_OPENCL_C) {
        const char *text = image->bytes;
        return qn__cl.CreateProgramWithSource(dev->context, 1, &text, &image->size_bytes, code);
    }
    const unsigned char *bytes = image->bytes;
    return qn__cl.CreateProgramWithBinary(dev->context, 1, &dev->id, &image->size_bytes, &bytes,
                                          NULL, code);
}

/* Text that the translator did not make says nothing about its arguments: ask the driver to keep
 * what the text says. Text for NVIDIA's compiler, which does not tell, learns for which card it is:
 * QN_SM. */
static void add_build_options(struct qn__str *out, const struct qn__opencl_device *dev,
                              const qn_image *image)
{
    if (image->reflection.n_kernels || image->info.kind != QN_IMAGE_OPENCL_C)
        qn__str_add(out, image->reflection.build_options);
    else
        qn__str_add(out, "-cl-std=CL1.2 -cl-kernel-arg-info");
    if (dev->nvidia_sm)
        qn__str_printf(out, " -DQN_SM=%u", dev->nvidia_sm);
}

static qn_status build(struct qn__opencl_module *mod, struct qn__opencl_device *dev,
                       const qn_image *image, struct qn__str *log)
{
    cl_int code = CL_SUCCESS;
    if (image->info.kind != QN_IMAGE_OPENCL_C && image->info.kind != QN_IMAGE_OPENCL_BINARY)
        return qn__fail(QN_E_MISMATCH, "the image holds no OpenCL program");
    QN_TRY(check_needs(dev, &image->reflection));
    mod->program = create_program(&code, dev, &image->info);
    QN__CL_TRY(code, "%s",
               image->info.kind == QN_IMAGE_OPENCL_C ? "clCreateProgramWithSource"
                                                     : "clCreateProgramWithBinary");
    struct qn__str options = {0};
    add_build_options(&options, dev, image);
    const qn_status s = qn__str_check(&options);
    if (s == QN_OK)
        code = qn__cl.BuildProgram(mod->program, 1, &dev->id, options.text, NULL, NULL);
    qn__str_release(&options);
    QN_TRY(s); /* ours, and no refusal by the driver */
    add_build_log(log, mod->program, dev->id);
    if (code == CL_SUCCESS)
        return QN_OK;
    (void)qn__opencl_fail(code, "clBuildProgram"); /* never a kernel's fault, whatever the code */
    return qn__fail_code(QN_E_DRIVER, code, "%s", qn_message());
}

/* -- variables -- */

/* Its memory, with the initial value. */
static qn_status make_global(qn_addr *out, struct qn__opencl_device *dev,
                             const struct qn__global *g)
{
    const char zero = 0;
    void *at;
    QN_TRY(qn__opencl_alloc(out, &dev->base, g->size_bytes ? g->size_bytes : 1));
    memcpy(&at, out, sizeof at);
    QN__CL_TRY(
        g->init ? qn__cl.EnqueueSVMMemcpy(dev->queue, CL_TRUE, at, g->init, g->size_bytes, 0, NULL,
                                          NULL)
                : qn__cl.EnqueueSVMMemFill(dev->queue, at, &zero, 1, g->size_bytes, 0, NULL, NULL),
        "initial value of %s", g->name);
    return QN_OK;
}

/* The addresses in its initial value, once all variables have theirs. */
static qn_status put_addresses(const struct qn__opencl_module *mod, struct qn__opencl_device *dev,
                               const struct qn__global *g, qn_addr own)
{
    for (uint32_t i = 0; i < g->n_addresses; i++) {
        const struct qn__address *const a = &g->addresses[i];
        const qn_addr to = own + a->offset, address = mod->globals[a->global] + a->addend;
        void *at;
        memcpy(&at, &to, sizeof at);
        QN__CL_TRY(qn__cl.EnqueueSVMMemcpy(dev->queue, CL_TRUE, at, &address, sizeof address, 0,
                                           NULL, NULL),
                   "initial value of %s", g->name);
    }
    return QN_OK;
}

/* -- buffers that are the device's, made for the first module that wants one -- */

static qn_status make_fault_buffer(qn_addr *out, struct qn__opencl_device *dev)
{
    static const struct qn__global g = {.name = QN__FAULT_NAME,
                                        .size_bytes = sizeof(struct qn__fault)};
    return make_global(out, dev, &g);
}

/* Its size is fixed now. */
static qn_status make_heap(qn_addr *out, struct qn__opencl_device *dev)
{
    pthread_mutex_lock(&dev->base.lock);
    const uint64_t wanted = dev->base.heap_bytes;
    dev->base.heap_is_made = true;
    pthread_mutex_unlock(&dev->base.lock);
    const uint64_t unit = QN__HEAP_UNIT, step = QN__HEAP_UNITS;
    const uint64_t n_units = (wanted + unit * step - 1) / (unit * step) * step;
    const struct qn__heap head = {.n_units = (uint32_t)n_units};
    const uint64_t to_clear = sizeof head + n_units / 8;
    const char zero = 0;
    void *at;
    const qn_status s = qn__opencl_alloc(out, &dev->base, to_clear + n_units * unit);
    if (s != QN_OK)
        return qn__fail_prefix(s, "the heap of kernels");
    memcpy(&at, out, sizeof at);
    QN__CL_TRY(qn__cl.EnqueueSVMMemFill(dev->queue, at, &zero, 1, to_clear, 0, NULL, NULL),
               "the heap of kernels");
    QN__CL_TRY(qn__cl.EnqueueSVMMemcpy(dev->queue, CL_TRUE, at, &head, sizeof head, 0, NULL, NULL),
               "the heap of kernels");
    return QN_OK;
}

/* One that another thread was faster with is freed only when it has been filled. */
static qn_status find_buffer(qn_addr *out, struct qn__opencl_device *dev, qn_addr *place,
                             qn_status (*make)(qn_addr *, struct qn__opencl_device *))
{
    qn_addr mine;
    pthread_mutex_lock(&dev->base.lock);
    *out = *place;
    pthread_mutex_unlock(&dev->base.lock);
    if (*out)
        return QN_OK;
    QN_TRY(make(&mine, dev));
    QN__CL_TRY(qn__cl.Finish(dev->queue), "initial value of a device's buffer");
    pthread_mutex_lock(&dev->base.lock);
    const qn_addr other = *place;
    *out = *place = other ? other : mine;
    pthread_mutex_unlock(&dev->base.lock);
    return other ? qn__opencl_free(&dev->base, mine) : QN_OK;
}

static qn_status find_or_make(qn_addr *out, struct qn__opencl_device *dev,
                              const struct qn__global *g)
{
    if (strcmp(g->symbol, QN__FAULT_NAME) == 0)
        return find_buffer(out, dev, &dev->fault, make_fault_buffer);
    if (strcmp(g->symbol, QN__HEAP_NAME) == 0)
        return find_buffer(out, dev, &dev->heap, make_heap);
    return make_global(out, dev, g);
}

static qn_status make_globals(struct qn__opencl_module *mod, struct qn__opencl_device *dev,
                              const struct qn__reflection *r)
{
    mod->globals = qn__alloc(r->n_globals, sizeof *mod->globals);
    if (!mod->globals)
        return qn__fail(QN_E_MEMORY, "no memory for %u variables", r->n_globals);
    mod->n_globals = r->n_globals;
    for (uint32_t i = 0; i < r->n_globals; i++)
        QN_TRY(find_or_make(&mod->globals[i], dev, &r->globals[i]));
    for (uint32_t i = 0; i < r->n_globals; i++)
        QN_TRY(put_addresses(mod, dev, &r->globals[i], mod->globals[i]));
    if (r->n_globals)
        QN__CL_TRY(qn__cl.Finish(dev->queue), "initial values of the module's variables");
    return QN_OK;
}

qn_status qn__opencl_global_find(qn_addr *addr, uint64_t *bytes, qn_module *module,
                                 const char *symbol)
{
    const struct qn__opencl_module *mod = (const struct qn__opencl_module *)module;
    const struct qn__reflection *r = &module->image->reflection;
    for (uint32_t i = 0; i < r->n_globals; i++)
        if (!strcmp(r->globals[i].symbol, symbol)) {
            *addr = mod->globals[i];
            *bytes = r->globals[i].size_bytes;
            return QN_OK;
        }
    return qn__fail(QN_E_NOT_FOUND, "no variable '%s'", symbol);
}

/* -- modules -- */

qn_status qn__opencl_module_load(qn_module **out, qn_device *device, qn_image *image,
                                 struct qn__str *log)
{
    struct qn__opencl_device *dev = (struct qn__opencl_device *)device;
    *out = NULL;
    struct qn__opencl_module *mod = qn__alloc(1, sizeof *mod);
    if (!mod)
        return qn__fail(QN_E_MEMORY, "no memory for a module");
    mod->device = dev;
    qn_status s = build(mod, dev, image, log);
    if (s == QN_OK)
        s = make_globals(mod, dev, &image->reflection);
    if (s != QN_OK) {
        qn__opencl_module_close(&mod->base);
        return s;
    }
    *out = &mod->base;
    return QN_OK;
}

void qn__opencl_module_close(qn_module *module)
{
    struct qn__opencl_module *mod = (struct qn__opencl_module *)module;
    for (uint32_t i = 0; i < mod->n_globals; i++) /* 0 where loading stopped early */
        if (mod->globals[i] && mod->globals[i] != mod->device->fault &&
            mod->globals[i] != mod->device->heap)
            (void)qn__opencl_free(&mod->device->base, mod->globals[i]);
    free(mod->globals);
    if (mod->program)
        qn__cl.ReleaseProgram(mod->program);
    free(mod);
}

qn_status qn__opencl_module_binary(qn_image **out, qn_module *module)
{
    const struct qn__opencl_module *mod = (const struct qn__opencl_module *)module;
    const qn_image *image = module->image;
    char target[QN__HASH_HEX + 8] = "opencl:";
    size_t n = 0;
    *out = NULL;
    QN__CL_TRY(qn__cl.GetProgramInfo(mod->program, CL_PROGRAM_BINARY_SIZES, sizeof n, &n, NULL),
               "CL_PROGRAM_BINARY_SIZES");
    if (!n)
        return qn__fail(QN_E_UNSUPPORTED, "the driver has no binary of this program");
    unsigned char *bytes = qn__alloc(n, 1);
    if (!bytes)
        return qn__fail(QN_E_MEMORY, "no memory for a program binary of %zu bytes", n);
    const cl_int code =
        qn__cl.GetProgramInfo(mod->program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL);
    qn__device_fingerprint(target + strlen(target), module->device);
    const qn_status s =
        code == CL_SUCCESS
            ? qn__image_create(out, target, image->info.compiler, QN_IMAGE_OPENCL_BINARY, bytes, n,
                               image->reflection_wire, image->reflection_wire_n)
            : qn__opencl_fail(code, "CL_PROGRAM_BINARIES");
    free(bytes);
    return s;
}
