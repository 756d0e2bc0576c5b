/* SPDX-License-Identifier: Apache-2.0
 *
 * The OpenCL 1.2 calls that run one kernel, looked up among the symbols of this process. */
#include "tools/plain_opencl.h"

#include "base/str.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct opaque *handle; /* every OpenCL object */

struct calls {
    int32_t (*clGetPlatformIDs)(uint32_t, handle *, uint32_t *);
    int32_t (*clGetPlatformInfo)(handle, uint32_t, size_t, void *, size_t *);
    int32_t (*clGetDeviceIDs)(handle, uint64_t, uint32_t, handle *, uint32_t *);
    int32_t (*clGetDeviceInfo)(handle, uint32_t, size_t, void *, size_t *);
    handle (*clCreateContext)(const intptr_t *, uint32_t, const handle *, void *, void *,
                              int32_t *);
    handle (*clCreateCommandQueue)(handle, handle, uint64_t, int32_t *);
    handle (*clCreateProgramWithSource)(handle, uint32_t, const char **, const size_t *, int32_t *);
    int32_t (*clBuildProgram)(handle, uint32_t, const handle *, const char *, void *, void *);
    int32_t (*clGetProgramBuildInfo)(handle, handle, uint32_t, size_t, void *, size_t *);
    handle (*clCreateKernel)(handle, const char *, int32_t *);
    handle (*clCreateBuffer)(handle, uint64_t, size_t, void *, int32_t *);
    int32_t (*clEnqueueWriteBuffer)(handle, handle, uint32_t, size_t, size_t, const void *,
                                    uint32_t, const handle *, handle *);
    int32_t (*clEnqueueReadBuffer)(handle, handle, uint32_t, size_t, size_t, void *, uint32_t,
                                   const handle *, handle *);
    int32_t (*clSetKernelArg)(handle, uint32_t, size_t, const void *);
    int32_t (*clEnqueueNDRangeKernel)(handle, handle, uint32_t, const size_t *, const size_t *,
                                      const size_t *, uint32_t, const handle *, handle *);
    int32_t (*clFinish)(handle);
};

enum { READ_WRITE = 1, ALL_DEVICES = -1, BUILD_LOG = 0x1183 };
enum { PLATFORM_VERSION = 0x901, PLATFORM_NAME = 0x902, DEVICE_NAME = 0x102b };
enum { MOST_PLATFORMS = 16, MOST_DEVICES = 64, MOST_TEXT = 256 };

static qn_status look_up(struct calls *out)
{
    static const char *const names[] = {
        "clGetPlatformIDs",
        "clGetPlatformInfo",
        "clGetDeviceIDs",
        "clGetDeviceInfo",
        "clCreateContext",
        "clCreateCommandQueue",
        "clCreateProgramWithSource",
        "clBuildProgram",
        "clGetProgramBuildInfo",
        "clCreateKernel",
        "clCreateBuffer",
        "clEnqueueWriteBuffer",
        "clEnqueueReadBuffer",
        "clSetKernelArg",
        "clEnqueueNDRangeKernel",
        "clFinish",
    };
    enum { N = sizeof names / sizeof names[0] };
    void *symbols[N];
    _Static_assert(sizeof symbols == sizeof *out, "one name for each member, in order");
    void *const self = dlopen(NULL, RTLD_NOW);
    for (int i = 0; i < N; i++) {
        symbols[i] = self ? dlsym(self, names[i]) : NULL;
        if (!symbols[i])
            return qn__fail(QN_E_NO_DEVICE, "no OpenCL is preloaded: no %s", names[i]);
    }
    memcpy(out, symbols, sizeof symbols);
    return QN_OK;
}

bool qn__plain_is_here(void)
{
    struct calls cl;
    return look_up(&cl) == QN_OK;
}

enum { MOST_ARGS = 64 };

struct session {
    struct calls cl;
    handle device, context, queue, program, kernel;
    handle buffers[MOST_ARGS]; /* of the arguments that are one */
};

static qn_status check(int32_t code, const char *what)
{
    return code == 0 ? QN_OK : qn__fail(QN_E_DRIVER, "%s: OpenCL error %d", what, (int)code);
}

/* Is it the platform of the driver that the library names "PLATFORM DRIVER (PLATFORM_VERSION)"? */
static bool is_of_driver(const struct session *s, handle platform, const char *driver)
{
    char name[MOST_TEXT] = "", version[MOST_TEXT] = "";
    s->cl.clGetPlatformInfo(platform, PLATFORM_NAME, sizeof name - 1, name, NULL);
    s->cl.clGetPlatformInfo(platform, PLATFORM_VERSION, sizeof version - 1, version, NULL);
    return qn__starts_with(driver, name) && strstr(driver, version) != NULL;
}

static qn_status find_device(struct session *s, const struct qn__plain_device *wanted)
{
    handle platforms[MOST_PLATFORMS], devices[MOST_DEVICES];
    uint32_t n_platforms = 0;
    QN_TRY(
        check(s->cl.clGetPlatformIDs(MOST_PLATFORMS, platforms, &n_platforms), "clGetPlatformIDs"));
    for (uint32_t i = 0; i < n_platforms && i < MOST_PLATFORMS; i++) {
        uint32_t n = 0;
        if (wanted && !is_of_driver(s, platforms[i], wanted->driver))
            continue;
        if (s->cl.clGetDeviceIDs(platforms[i], (uint32_t)ALL_DEVICES, MOST_DEVICES, devices, &n))
            continue; /* it has none */
        for (uint32_t k = 0; k < n && k < MOST_DEVICES; k++) {
            char name[MOST_TEXT] = "";
            s->cl.clGetDeviceInfo(devices[k], DEVICE_NAME, sizeof name - 1, name, NULL);
            if (!wanted || qn__equal(name, wanted->name)) {
                s->device = devices[k];
                return QN_OK;
            }
        }
    }
    return wanted ? qn__fail(QN_E_NO_DEVICE, "the OpenCL of this process has no %s of %s",
                             wanted->name, wanted->driver)
                  : qn__fail(QN_E_NO_DEVICE, "the OpenCL of this process has no device");
}

static qn_status open_queue(struct session *s)
{
    int32_t code;
    s->context = s->cl.clCreateContext(NULL, 1, &s->device, NULL, NULL, &code);
    QN_TRY(check(code, "clCreateContext"));
    s->queue = s->cl.clCreateCommandQueue(s->context, s->device, 0, &code);
    return check(code, "clCreateCommandQueue");
}

static qn_status build(struct session *s, const char *text, const char *options, const char *kernel)
{
    int32_t code;
    s->program = s->cl.clCreateProgramWithSource(s->context, 1, &text, NULL, &code);
    QN_TRY(check(code, "clCreateProgramWithSource"));
    if (s->cl.clBuildProgram(s->program, 1, &s->device, options, NULL, NULL) != 0) {
        char log[4096] = "";
        s->cl.clGetProgramBuildInfo(s->program, s->device, BUILD_LOG, sizeof log - 1, log, NULL);
        return qn__fail(QN_E_COMPILE, "clBuildProgram: %s", log);
    }
    s->kernel = s->cl.clCreateKernel(s->program, kernel, &code);
    return code == 0 ? QN_OK : qn__fail(QN_E_NOT_FOUND, "no kernel %s in the text", kernel);
}

static qn_status set_arg(struct session *s, uint32_t index, const struct qn__plain_arg *arg)
{
    int32_t code = 0;
    handle buffer = NULL;
    switch (arg->kind) {
    case QN__PLAIN_VALUE: code = s->cl.clSetKernelArg(s->kernel, index, arg->n, arg->bytes); break;
    case QN__PLAIN_LOCAL: code = s->cl.clSetKernelArg(s->kernel, index, arg->n, NULL); break;
    case QN__PLAIN_NULL:
        code = s->cl.clSetKernelArg(s->kernel, index, sizeof buffer, &buffer);
        break;
    case QN__PLAIN_BUFFER:
        buffer = s->cl.clCreateBuffer(s->context, READ_WRITE, arg->n, NULL, &code);
        if (code == 0 && arg->bytes)
            code = s->cl.clEnqueueWriteBuffer(s->queue, buffer, 1, 0, arg->n, arg->bytes, 0, NULL,
                                              NULL);
        if (code == 0)
            code = s->cl.clSetKernelArg(s->kernel, index, sizeof buffer, &buffer);
        s->buffers[index] = buffer;
        break;
    }
    return code == 0 ? QN_OK
                     : qn__fail(QN_E_DRIVER, "argument %u: OpenCL error %d", index, (int)code);
}

static qn_status read_results(struct session *s, const struct qn__plain_arg *args, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (args[i].result)
            QN_TRY(check(s->cl.clEnqueueReadBuffer(s->queue, s->buffers[i], 1, 0, args[i].n,
                                                   args[i].result, 0, NULL, NULL),
                         "clEnqueueReadBuffer"));
    return QN_OK;
}

/* What the session holds goes with the process, which has nothing else to do. */
qn_status qn__plain_run(const struct qn__plain_device *device, const char *text,
                        const char *build_options, const char *kernel, const uint32_t grid[3],
                        const uint32_t block[3], const struct qn__plain_arg *args, uint32_t n)
{
    struct session s = {0};
    size_t all[3], group[3];
    if (n > MOST_ARGS)
        return qn__fail(QN_E_LIMIT, "%u arguments: at most %d here", n, MOST_ARGS);
    QN_TRY(look_up(&s.cl));
    QN_TRY(find_device(&s, device));
    QN_TRY(open_queue(&s));
    QN_TRY(build(&s, text, build_options, kernel));
    for (uint32_t i = 0; i < n; i++)
        QN_TRY(set_arg(&s, i, &args[i]));
    for (int axis = 0; axis < 3; axis++) {
        group[axis] = block[axis];
        all[axis] = (size_t)grid[axis] * block[axis];
    }
    QN_TRY(check(s.cl.clEnqueueNDRangeKernel(s.queue, s.kernel, 3, NULL, all, group, 0, NULL, NULL),
                 "clEnqueueNDRangeKernel"));
    QN_TRY(check(s.cl.clFinish(s.queue), "clFinish"));
    return read_results(&s, args, n);
}
