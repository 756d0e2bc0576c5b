/* SPDX-License-Identifier: Apache-2.0
 *
 * cuBLAS, for blas.h. It works in the context that is current on the thread, which the runtime
 * sets to the device's primary one when it hands out the driver's stream, and in every later call.
 */
#include "engine/blas.h"

#include "base/arena.h"
#include "base/dl.h"
#include "runtime/native_stream.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cublas {
#define QN_SYM(name, symbol, ret, args) ret(*name) args;
#include "engine/cublas.sym"
#undef QN_SYM
} cublas;

static const struct qn__dl_symbol symbols[] = {
#define QN_SYM(name, symbol, ret, args) {#symbol, offsetof(struct cublas, name), true},
#include "engine/cublas.sym"
#undef QN_SYM
};

/* Of cublas_api.h and library_types.h; part of its ABI. */
enum { AS_IS = 0, TRANSPOSED = 1, TYPE_F32 = 0, TYPE_F16 = 2, COMPUTE_F32 = 68, DEFAULT = -1 };

struct qn__blas {
    void *handle;
    char name[32];
};

static bool is_loaded;

static void load(void)
{
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                                        "libcublas.so", NULL};
    void *library;
    const char *which;
    is_loaded = qn__dl_open(&library, &which, names) == QN_OK &&
                qn__dl_load(&cublas, library, symbols, sizeof symbols / sizeof *symbols) == QN_OK;
}

static bool is_installed(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

bool qn__blas_is_there(const qn_device *dev)
{
    return strcmp(qn_device_get_info(dev)->backend, "cuda") == 0 && is_installed();
}

static qn_status check(int code, const char *what)
{
    return code == 0 ? QN_OK
                     : qn__fail_code(QN_E_DRIVER, code, "cuBLAS: %s: status %d", what, code);
}

static qn_status start(struct qn__blas *b, qn_stream *stream, qn_addr work)
{
    void *native;
    int version = 0;
    QN_TRY(qn__stream_native(&native, stream));
    QN_TRY(check(cublas.create(&b->handle), "create"));
    QN_TRY(check(cublas.set_stream(b->handle, native), "set stream"));
    QN_TRY(check(cublas.set_workspace(b->handle, (void *)(uintptr_t)work, QN__BLAS_WORK_BYTES),
                 "set workspace"));
    QN_TRY(check(cublas.get_version(b->handle, &version), "version"));
    const int divisor = version >= 100000 ? 10000 : 1000;
    snprintf(b->name, sizeof b->name, "cuBLAS %d.%d", version / divisor,
             version % divisor / (divisor / 100));
    return QN_OK;
}

qn_status qn__blas_open(struct qn__blas **out, qn_stream *stream, qn_addr work)
{
    *out = NULL;
    if (!is_installed())
        return qn__fail(QN_E_NO_DEVICE, "there is no cuBLAS");
    struct qn__blas *b = qn__alloc(1, sizeof *b);
    if (!b)
        return qn__fail(QN_E_MEMORY, "no memory for cuBLAS");
    memset(b, 0, sizeof *b);
    const qn_status s = start(b, stream, work);
    if (s != QN_OK) {
        qn__blas_close(b);
        return s;
    }
    *out = b;
    return QN_OK;
}

void qn__blas_close(struct qn__blas *b)
{
    if (!b)
        return;
    if (b->handle)
        cublas.destroy(b->handle);
    free(b);
}

const char *qn__blas_name(const struct qn__blas *b)
{
    return b->name;
}

/* cuBLAS counts columns first: what is (tokens, rows) to us is a (rows x tokens) matrix to it. */
qn_status qn__blas_matmul(const struct qn__blas *b, qn_addr y, qn_addr w, qn_addr x, uint32_t rows,
                          uint32_t n, uint32_t tokens, bool add)
{
    const float alpha = 1.0f, beta = add ? 1.0f : 0.0f;
    return check(cublas.gemm(b->handle, TRANSPOSED, AS_IS, (int)rows, (int)tokens, (int)n, &alpha,
                             (const void *)(uintptr_t)w, TYPE_F16, (int)n,
                             (const void *)(uintptr_t)x, TYPE_F16, (int)n, &beta,
                             (void *)(uintptr_t)y, TYPE_F32, (int)rows, COMPUTE_F32, DEFAULT),
                 "matrix product");
}
