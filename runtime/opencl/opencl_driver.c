/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading OpenCL, and naming its errors. */
#include "runtime/opencl/opencl_driver.h"

#include "base/dl.h"
#include "base/forks.h"

#include <stdarg.h>
#include <stdio.h>

struct qn__opencl_driver qn__cl;

static const struct qn__dl_symbol symbols[] = {
#define QN_SYM(name, symbol, ret, args) {#symbol, offsetof(struct qn__opencl_driver, name), true},
#define QN_OPT(name, symbol, ret, args) {#symbol, offsetof(struct qn__opencl_driver, name), false},
#include "runtime/opencl/opencl.sym"
#undef QN_SYM
#undef QN_OPT
};

static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;

/* In a forked child: a thread that was loading is not there. */
static void forget_load(void)
{
    load_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
QN__FORK_PART(NULL, forget_load)

const char *const qn__opencl_libraries[] = {"libOpenCL.so.1", "libOpenCL.so", NULL};
static bool is_loaded; /* guarded by load_lock */

static qn_status load(void)
{
    void *handle;
    if (is_loaded)
        return QN_OK;
    QN_TRY(qn__dl_open(&handle, NULL, qn__opencl_libraries));
    QN_TRY(qn__dl_load(&qn__cl, handle, symbols, sizeof symbols / sizeof *symbols));
    is_loaded = true;
    return QN_OK;
}

qn_status qn__opencl_load(void)
{
    pthread_mutex_lock(&load_lock);
    const qn_status s = load();
    pthread_mutex_unlock(&load_lock);
    return s;
}

bool qn__opencl_is_loaded(void)
{
    pthread_mutex_lock(&load_lock);
    const bool is = is_loaded;
    pthread_mutex_unlock(&load_lock);
    return is;
}

void qn__opencl_load_functions(const struct qn__opencl_driver *functions)
{
    pthread_mutex_lock(&load_lock);
    if (!is_loaded)
        qn__cl = *functions;
    is_loaded = true;
    pthread_mutex_unlock(&load_lock);
}

static const char *error_name(cl_int code)
{
    switch (code) {
#define CASE(name, value)                                                                          \
    case name: return #name;
        QN_CL_ERRORS(CASE)
#undef CASE
    }
    return "OpenCL error";
}

/* Which of our statuses an error is. After a fault on a GPU the queue is dead, and drivers say so
 * by these codes. */
static qn_status status_of(cl_int code)
{
    switch (code) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE: return QN_E_DEVICE_MEMORY;
    case CL_OUT_OF_HOST_MEMORY: return QN_E_MEMORY;
    case CL_OUT_OF_RESOURCES:
    case CL_INVALID_COMMAND_QUEUE:
    case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: return QN_E_FAULT;
    case CL_INVALID_WORK_DIMENSION:
    case CL_INVALID_WORK_GROUP_SIZE:
    case CL_INVALID_WORK_ITEM_SIZE:
    case CL_INVALID_GLOBAL_WORK_SIZE: return QN_E_LIMIT;
    default: return QN_E_DRIVER;
    }
}

qn_status qn__opencl_fail(cl_int code, const char *fmt, ...)
{
    char what[QN__MESSAGE_MAX / 2];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    return qn__fail_code(status_of(code), code, "%s: %s (%d)", what, error_name(code), code);
}
