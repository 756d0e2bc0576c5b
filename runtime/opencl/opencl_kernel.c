/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels and their launch.
 *
 * A cl_kernel holds the argument values of its next launch, so threads cannot share one. Each
 * kernel keeps a list of cl_kernel objects; a launch claims one that is free with one atomic
 * flag, and makes another only when all are busy. The list only grows, to the number of threads
 * that ever launched at the same moment, so walking it needs no lock.
 *
 * A struct that the translator moved out of the argument block is copied into a buffer of its own
 * at each launch, so launches that overlap do not see each other's. */
#include "runtime/opencl/opencl_backend.h"
#include "runtime/opencl/opencl_device.h"
#include "runtime/opencl/opencl_driver.h"
#include "runtime/opencl/opencl_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHARED_BYTES_MIN = 16 }; /* a local argument of 0 bytes is an error in OpenCL */

/* -- clones -- */

/* What does not change from launch to launch: addresses of the module's variables. */
static qn_status set_variables(struct qn__opencl_clone *c, const struct qn__opencl_kernel *k)
{
    for (uint32_t i = 0; i < k->n_hidden; i++) {
        if (k->hidden[i].kind != QN__HIDDEN_GLOBAL)
            continue;
        void *at;
        memcpy(&at, &k->module->globals[k->hidden[i].index], sizeof at);
        QN__CL_TRY(qn__cl.SetKernelArgSVMPointer(c->handle, k->base.info.n_args + i, at),
                   "%s: hidden argument %u", k->symbol, i);
    }
    return QN_OK;
}

/* A fresh cl_kernel for the clone, its old one released. */
static qn_status renew_handle(struct qn__opencl_clone *c, const struct qn__opencl_kernel *k)
{
    cl_int code;
    if (c->handle)
        qn__cl.ReleaseKernel(c->handle);
    c->handle = qn__cl.CreateKernel(k->module->program, k->symbol, &code);
    c->shared_bytes = UINT32_MAX;
    c->generation = UINT32_MAX;
    c->is_set = c->has_values = false;
    if (code == CL_INVALID_KERNEL_NAME)
        return qn__fail(QN_E_NOT_FOUND, "no kernel '%s'", k->symbol);
    QN__CL_TRY(code, "%s: clCreateKernel", k->symbol);
    return set_variables(c, k);
}

static void close_clone(struct qn__opencl_clone *c)
{
    if (c->handle)
        qn__cl.ReleaseKernel(c->handle);
    free(c->copies);
    free(c->values);
    free(c);
}

static bool has_arguments_in_buffers(const qn_kernel_info *info)
{
    for (uint32_t i = 0; i < info->n_args; i++)
        if (info->args[i].in_buffer)
            return true;
    return false;
}

/* A new clone, busy. */
static qn_status make_clone(struct qn__opencl_clone **out, const struct qn__opencl_kernel *k)
{
    struct qn__opencl_clone *c = qn__alloc(1, sizeof *c);
    if (c && has_arguments_in_buffers(&k->base.info))
        c->copies = qn__alloc(k->base.info.n_args, sizeof *c->copies);
    if (!c || (has_arguments_in_buffers(&k->base.info) && !c->copies)) {
        free(c);
        return qn__fail(QN_E_MEMORY, "no memory for kernel %s", k->symbol);
    }
    const qn_status s = renew_handle(c, k);
    if (s != QN_OK) {
        close_clone(c);
        return s;
    }
    atomic_flag_test_and_set(&c->is_busy);
    *out = c;
    return QN_OK;
}

static void add_clone(struct qn__opencl_clones *clones, struct qn__opencl_clone *c)
{
    c->next = atomic_load_explicit(&clones->first, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&clones->first, &c->next, c, memory_order_release,
                                                  memory_order_relaxed)) {
    }
}

/* A free clone: one whose last launch had the same null arguments, or a fresh one, while there are
 * few; else any. */
static qn_status claim_clone(struct qn__opencl_clone **out, const struct qn__opencl_kernel *k,
                             uint64_t nulls)
{
    enum { FEW = 16 };
    struct qn__opencl_clone *c = atomic_load_explicit(&k->clones->first, memory_order_acquire);
    struct qn__opencl_clone *other = NULL;
    uint32_t n = 0;
    for (; c; c = c->next, n++) {
        if (atomic_flag_test_and_set_explicit(&c->is_busy, memory_order_acquire))
            continue;
        if (!c->is_set || c->nulls == nulls) {
            if (other)
                atomic_flag_clear_explicit(&other->is_busy, memory_order_release);
            return *out = c, QN_OK;
        }
        if (other)
            atomic_flag_clear_explicit(&c->is_busy, memory_order_release);
        else
            other = c;
    }
    if (other && n >= FEW)
        return *out = other, QN_OK;
    if (other)
        atomic_flag_clear_explicit(&other->is_busy, memory_order_release);
    QN_TRY(make_clone(out, k));
    add_clone(k->clones, *out);
    return QN_OK;
}

/* -- arguments the driver knows -- */

/* Size of an OpenCL C type by its name, "float4" or "unsigned int"; 0 where it is none of these. */
static uint32_t size_of_type(const char *type)
{
    static const struct {
        const char *name;
        uint32_t bytes;
    } scalars[] = {
        {"unsigned char", 1}, {"unsigned short", 2}, {"unsigned int", 4}, {"unsigned long", 8},
        {"uchar", 1},         {"ushort", 2},         {"uint", 4},         {"ulong", 8},
        {"char", 1},          {"short", 2},          {"int", 4},          {"long", 8},
        {"half", 2},          {"float", 4},          {"double", 8},
    };
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        if (!qn__starts_with(type, scalars[i].name))
            continue;
        const char *lanes = type + strlen(scalars[i].name);
        if (!*lanes)
            return scalars[i].bytes;
        if (!strcmp(lanes, "2"))
            return 2 * scalars[i].bytes;
        if (!strcmp(lanes, "3") || !strcmp(lanes, "4"))
            return 4 * scalars[i].bytes;
        if (!strcmp(lanes, "8"))
            return 8 * scalars[i].bytes;
        if (!strcmp(lanes, "16"))
            return 16 * scalars[i].bytes;
    }
    return 0;
}

static char *ask_arg_text(struct qn__opencl_kernel *k, cl_kernel handle, uint32_t i,
                          cl_kernel_arg_info what)
{
    char text[256];
    if (qn__cl.GetKernelArgInfo(handle, i, what, sizeof text, text, NULL) != CL_SUCCESS)
        text[0] = 0;
    return qn__arena_strdup(&k->arena, text);
}

static qn_status describe_arg(qn_arg_info *arg, struct qn__opencl_kernel *k, cl_kernel handle,
                              uint32_t i)
{
    cl_uint space = 0;
    const cl_int code = qn__cl.GetKernelArgInfo(handle, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                                                sizeof space, &space, NULL);
    if (code == CL_KERNEL_ARG_INFO_NOT_AVAILABLE)
        return qn__fail(QN_E_UNSUPPORTED,
                        "%s: the image does not describe its arguments and the driver does not "
                        "know them: translate it, or build it from text",
                        k->symbol);
    QN__CL_TRY(code, "%s: argument %u", k->symbol, i);
    arg->name = ask_arg_text(k, handle, i, CL_KERNEL_ARG_NAME);
    arg->type = ask_arg_text(k, handle, i, CL_KERNEL_ARG_TYPE_NAME);
    if (!arg->name || !arg->type)
        return qn__fail(QN_E_MEMORY, "no memory for the arguments of %s", k->symbol);
    if (space == CL_KERNEL_ARG_ADDRESS_LOCAL)
        return qn__fail(QN_E_UNSUPPORTED,
                        "%s: argument %u (%s) is a __local pointer, whose size only an image made "
                        "by the translator describes",
                        k->symbol, i, arg->name);
    arg->kind = space == CL_KERNEL_ARG_ADDRESS_PRIVATE ? QN_ARG_VALUE : QN_ARG_POINTER;
    arg->size_bytes = arg->kind == QN_ARG_POINTER ? 8 : size_of_type(arg->type);
    arg->align_bytes = arg->size_bytes;
    if (!arg->size_bytes)
        return qn__fail(QN_E_UNSUPPORTED,
                        "%s: argument %u (%s) is a '%s', whose size OpenCL does not tell",
                        k->symbol, i, arg->name, arg->type);
    return QN_OK;
}

static qn_status describe(struct qn__opencl_kernel *k, cl_kernel handle)
{
    qn_kernel_info *info = &k->base.info;
    cl_uint n = 0;
    QN__CL_TRY(qn__cl.GetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL),
               "%s: CL_KERNEL_NUM_ARGS", k->symbol);
    qn_arg_info *args = QN__ARENA_ARRAY(&k->arena, qn_arg_info, n);
    if (!args)
        return qn__fail(QN_E_MEMORY, "no memory for the arguments of %s", k->symbol);
    for (uint32_t i = 0; i < n; i++)
        QN_TRY(describe_arg(&args[i], k, handle, i));
    info->args = args;
    info->n_args = n;
    info->args_known = true;
    return QN_OK;
}

/* -- opening -- */

static qn_status ask_group(cl_ulong *out, const struct qn__opencl_kernel *k, cl_kernel handle,
                           cl_kernel_work_group_info what)
{
    *out = 0;
    QN__CL_TRY(qn__cl.GetKernelWorkGroupInfo(handle, k->device->id, what, sizeof *out, out, NULL),
               "%s: clGetKernelWorkGroupInfo 0x%x", k->symbol, what);
    return QN_OK;
}

static qn_status read_attributes(struct qn__opencl_kernel *k, cl_kernel handle)
{
    enum { PREFERRED = 256 }; /* enough waves to hide latency, few enough to fit */
    qn_kernel_attributes *a = &k->base.attributes;
    cl_ulong threads, multiple, shared, local;
    QN_TRY(ask_group(&threads, k, handle, CL_KERNEL_WORK_GROUP_SIZE));
    QN_TRY(ask_group(&multiple, k, handle, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE));
    QN_TRY(ask_group(&shared, k, handle, CL_KERNEL_LOCAL_MEM_SIZE));
    QN_TRY(ask_group(&local, k, handle, CL_KERNEL_PRIVATE_MEM_SIZE));
    /* NVIDIA's driver says 256 for every kernel and runs any block that the card can hold */
    if (qn__opencl_has(k->device, "cl_nv_device_attribute_query"))
        threads = k->device->base.info.block_threads_max;
    const uint32_t bound = k->base.info.block_threads_max;
    a->block_threads_max = bound && bound < threads ? bound : (uint32_t)threads;
    a->static_shared_bytes = shared;
    a->local_bytes = local;
    a->wave_width = k->device->base.info.wave_width;
    a->block_threads_preferred =
        a->block_threads_max < PREFERRED ? a->block_threads_max : PREFERRED;
    if (multiple && a->block_threads_preferred > multiple)
        a->block_threads_preferred -= a->block_threads_preferred % (uint32_t)multiple;
    return QN_OK;
}

static qn_status check_parameters(const struct qn__opencl_kernel *k)
{
    const qn_kernel_info *info = &k->base.info;
    uint64_t bytes = 8u * (uint64_t)k->n_hidden;
    for (uint32_t i = 0; i < info->n_args; i++)
        bytes += info->args[i].in_buffer ? 8 : info->args[i].size_bytes;
    if (bytes > k->device->parameter_bytes_max)
        return qn__fail(QN_E_LIMIT, "%s: %llu bytes of arguments: %s allows %zu", info->expression,
                        (unsigned long long)bytes, k->device->base.info.id,
                        k->device->parameter_bytes_max);
    return QN_OK;
}

static qn_status open_kernel(struct qn__opencl_kernel *k, const char *symbol,
                             const struct qn__kernel *signature)
{
    struct qn__opencl_clone *c;
    k->symbol = qn__arena_strdup(&k->arena, symbol);
    k->clones = QN__ARENA_NEW(&k->arena, struct qn__opencl_clones);
    if (!k->symbol || !k->clones)
        return qn__fail(QN_E_MEMORY, "no memory for kernel %s", symbol);
    k->base.info.name = k->base.info.expression = k->base.info.symbol = k->symbol;
    k->has_indirect_pointers = true; /* as far as is known */
    if (signature) {
        k->base.info = signature->info;
        k->hidden = signature->hidden;
        k->n_hidden = signature->n_hidden;
        k->has_indirect_pointers = signature->has_indirect_pointers;
        for (uint32_t i = 0; i < k->n_hidden; i++)
            k->has_assertions |= k->hidden[i].kind == QN__HIDDEN_GLOBAL &&
                                 k->module->globals[k->hidden[i].index] == k->device->fault;
    }
    QN_TRY(make_clone(&c, k));
    add_clone(k->clones, c);
    if (!k->base.info.args_known)
        QN_TRY(describe(k, c->handle));
    QN_TRY(read_attributes(k, c->handle));
    QN_TRY(check_parameters(k));
    atomic_flag_clear_explicit(&c->is_busy, memory_order_release);
    return QN_OK;
}

qn_status qn__opencl_kernel_open(qn_kernel **out, qn_module *mod, const char *symbol,
                                 const struct qn__kernel *signature)
{
    *out = NULL;
    struct qn__opencl_kernel *k = qn__alloc(1, sizeof *k);
    if (!k)
        return qn__fail(QN_E_MEMORY, "no memory for kernel %s", symbol);
    k->module = (struct qn__opencl_module *)mod;
    k->device = k->module->device;
    const qn_status s = open_kernel(k, symbol, signature);
    if (s != QN_OK) {
        qn__opencl_kernel_close(&k->base);
        return s;
    }
    *out = &k->base;
    return QN_OK;
}

void qn__opencl_kernel_close(qn_kernel *kernel)
{
    struct qn__opencl_kernel *k = (struct qn__opencl_kernel *)kernel;
    struct qn__opencl_clone *c =
        k->clones ? atomic_load_explicit(&k->clones->first, memory_order_acquire) : NULL;
    while (c) {
        struct qn__opencl_clone *next = c->next;
        close_clone(c);
        c = next;
    }
    qn__arena_release(&k->arena);
    free(k);
}

/* -- launch -- */

static uint64_t null_arguments(const qn_kernel_info *info, void *const *args)
{
    uint64_t nulls = 0;
    for (uint32_t i = 0; i < info->n_args && i < 64; i++) {
        uint64_t address = 1;
        if (info->args[i].kind == QN_ARG_POINTER)
            memcpy(&address, args[i], sizeof address);
        nulls |= (uint64_t)(address == 0) << i;
    }
    return nulls;
}

/* A launch's own copy of an argument that the kernel takes the address of. */
static qn_status set_copy(struct qn__opencl_clone *c, const struct qn__opencl_kernel *k, uint32_t i,
                          void *value)
{
    const qn_arg_info *arg = &k->base.info.args[i];
    cl_int code;
    c->copies[i] = qn__cl.CreateBuffer(k->device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                       arg->size_bytes, value, &code);
    if (code == CL_SUCCESS)
        code = qn__cl.SetKernelArg(c->handle, i, sizeof c->copies[i], &c->copies[i]);
    QN__CL_TRY(code, "%s: argument %u (%s), %u bytes in a buffer", k->base.info.expression, i,
               arg->name, arg->size_bytes);
    return QN_OK;
}

/* What is queued keeps its buffers until it is done, says OpenCL. */
static void release_copies(struct qn__opencl_clone *c, const struct qn__opencl_kernel *k)
{
    for (uint32_t i = 0; c->copies && i < k->base.info.n_args; i++) {
        if (c->copies[i])
            qn__cl.ReleaseMemObject(c->copies[i]);
        c->copies[i] = NULL;
    }
}

/* The clone's last launch had the same, as most arguments of an engine's launches. What is at an
 * address may be another allocation since: then nothing is known. */
static bool is_as_before(struct qn__opencl_clone *c, uint32_t i, const qn_arg_info *arg,
                         const void *value, bool is_known)
{
    uint64_t bits = 0;
    if (arg->size_bytes > sizeof bits)
        return false;
    memcpy(&bits, value, arg->size_bytes);
    if (is_known && c->values[i] == bits)
        return true;
    c->values[i] = bits;
    return false;
}

/* NVIDIA's driver takes a null pointer only as a null buffer, and only in a cl_kernel whose
 * argument was never an address: a launch with other nulls than the clone's last one gets a fresh
 * cl_kernel. */
static qn_status set_args(struct qn__opencl_clone *c, const struct qn__opencl_kernel *k,
                          void *const *args, uint64_t nulls)
{
    const qn_kernel_info *info = &k->base.info;
    if (!c->values && !(c->values = qn__alloc(info->n_args ? info->n_args : 1, sizeof *c->values)))
        return qn__fail(QN_E_MEMORY, "no memory for kernel %s", k->symbol);
    if (c->is_set && nulls != c->nulls)
        QN_TRY(renew_handle(c, k));
    const uint32_t generation = atomic_load_explicit(&k->device->generation, memory_order_acquire);
    const bool is_known = c->has_values && c->set_at == generation;
    c->is_set = true;
    c->has_values = false;
    c->nulls = nulls;
    for (uint32_t i = 0; i < info->n_args; i++) {
        const qn_arg_info *arg = &info->args[i];
        void *p = NULL;
        if (arg->in_buffer) {
            QN_TRY(set_copy(c, k, i, args[i]));
            continue;
        }
        if (is_as_before(c, i, arg, args[i], is_known))
            continue;
        if (arg->kind == QN_ARG_POINTER)
            memcpy(&p, args[i], sizeof p);
        const cl_int code = p ? qn__cl.SetKernelArgSVMPointer(c->handle, i, p)
                              : qn__cl.SetKernelArg(c->handle, i, arg->size_bytes, args[i]);
        QN__CL_TRY(code, "%s: argument %u (%s)", info->expression, i, arg->name);
    }
    c->has_values = true;
    c->set_at = generation;
    return QN_OK;
}

static qn_status set_shared(struct qn__opencl_clone *c, const struct qn__opencl_kernel *k,
                            uint32_t shared_bytes)
{
    if (c->shared_bytes == shared_bytes)
        return QN_OK;
    for (uint32_t i = 0; i < k->n_hidden; i++)
        if (k->hidden[i].kind == QN__HIDDEN_SHARED)
            QN__CL_TRY(qn__cl.SetKernelArg(
                           c->handle, k->base.info.n_args + i,
                           shared_bytes > SHARED_BYTES_MIN ? shared_bytes : SHARED_BYTES_MIN, NULL),
                       "%s: %u bytes of dynamic shared memory", k->symbol, shared_bytes);
    c->shared_bytes = shared_bytes;
    return QN_OK;
}

/* The driver (NVIDIA's) refused the arguments of a launch: say which address is the reason. */
static qn_status refused_args(const struct qn__opencl_kernel *k, void *const *args)
{
    const qn_kernel_info *info = &k->base.info;
    for (uint32_t i = 0; i < info->n_args; i++) {
        uint64_t address;
        if (info->args[i].kind != QN_ARG_POINTER)
            continue;
        memcpy(&address, args[i], sizeof address);
        if (!address)
            continue;
        const qn_status s = qn__opencl_check_range(k->device, "address", address, 1);
        if (s != QN_OK)
            return qn__fail_prefix(s, "%s: argument %u (%s)", info->expression, i,
                                   info->args[i].name);
    }
    return qn__opencl_fail(CL_INVALID_KERNEL_ARGS, "%s: clEnqueueNDRangeKernel", info->expression);
}

static qn_status enqueue(struct qn__opencl_stream *s, struct qn__opencl_clone *c,
                         const struct qn__opencl_kernel *k, const qn_dims *d, void *const *args,
                         uint64_t nulls)
{
    const size_t local[3] = {d->block[0], d->block[1], d->block[2]};
    const size_t global[3] = {d->grid[0] * local[0], d->grid[1] * local[1], d->grid[2] * local[2]};
    QN_TRY(set_args(c, k, args, nulls));
    QN_TRY(set_shared(c, k, d->shared_bytes));
    if (k->has_indirect_pointers)
        QN_TRY(qn__opencl_show_memory(k->device, c));
    s->n_queued++;
    if (k->has_assertions)
        atomic_store_explicit(&s->has_assertions, true, memory_order_release);
    const cl_int code =
        qn__cl.EnqueueNDRangeKernel(s->queue, c->handle, 3, NULL, global, local, 0, NULL, NULL);
    if (code == CL_INVALID_KERNEL_ARGS)
        return refused_args(k, args);
    QN__CL_TRY(code, "%s: clEnqueueNDRangeKernel", k->base.info.expression);
    return QN_OK;
}

qn_status qn__opencl_launch(qn_stream *stream, const qn_kernel *kernel, const qn_dims *dims,
                            void *const *args)
{
    const struct qn__opencl_kernel *k = (const struct qn__opencl_kernel *)kernel;
    struct qn__opencl_clone *c;
    const uint64_t nulls = null_arguments(&k->base.info, args);
    QN_TRY(claim_clone(&c, k, nulls));
    const qn_status s = enqueue((struct qn__opencl_stream *)stream, c, k, dims, args, nulls);
    release_copies(c, k);
    atomic_flag_clear_explicit(&c->is_busy, memory_order_release);
    return s;
}
