/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of our stand-in headers a source can reach. There are many, and clang wants them as files:
 * writing only those saves a fifth of the time a small kernel takes.
 *
 * Found by reading, not by preprocessing: every `include` that is followed by a name in <> or "" in
 * the request's files, then in the headers that were found. Conditions are ignored and a name fits
 * in whatever folder it is, so the set is too large rather than too small; after an #include of a
 * macro it is all of them.
 *
 * The prelude includes everything, and clang would spend a third of its time on declarations that
 * most kernels never mention. Headers whose functions share a prefix are reached by a word that
 * begins with it, outside of comments and strings. A name may also be put together by the
 * preprocessor; then clang does not know it, and frontend.c comes back for the whole prelude. */
#include "compiler/frontend/header_selection.h"

#include <ctype.h>
#include <string.h>

struct text {
    const char *at, *end;
    bool is_driver; /* of the driver API's headers */
};

/* What the names in the prelude's headers begin with. */
static const struct {
    const char *header, *begin;
} on_demand[] = {
    {"quern_atomic.h", "atomic"},
    {"quern_atomic.h", "__nv_atomic"},
    {"quern_atomic.h", "__NV_"},
    {"quern_driver.h", "CU_"},
    {"quern_driver.h", "CUDA_"},
    {"quern_driver.h", "CUa"},
    {"quern_driver.h", "CUc"},
    {"quern_driver.h", "CUd"},
    {"quern_driver.h", "CUf"},
    {"quern_driver.h", "CUg"},
    {"quern_driver.h", "CUh"},
    {"quern_driver.h", "CUj"},
    {"quern_driver.h", "CUk"},
    {"quern_driver.h", "CUl"},
    {"quern_driver.h", "CUm"},
    {"quern_driver.h", "CUo"},
    {"quern_driver.h", "CUr"},
    {"quern_driver.h", "CUs"},
    {"quern_driver.h", "CUt"},
    {"quern_driver.h", "CUe"},
    {"quern_driver.h", "CUp"},
    {"quern_driver.h", "CUu"},
    {"quern_driver.h", "cuA"},
    {"quern_driver.h", "cuC"},
    {"quern_driver.h", "cuD"},
    {"quern_driver.h", "cuE"},
    {"quern_driver.h", "cuF"},
    {"quern_driver.h", "cuG"},
    {"quern_driver.h", "cuI"},
    {"quern_driver.h", "cuL"},
    {"quern_driver.h", "cuM"},
    {"quern_driver.h", "cuO"},
    {"quern_driver.h", "cuP"},
    {"quern_driver.h", "cuS"},
    {"quern_driver.h", "cuT"},
    {"quern_driver.h", "cuuint"},
    {"hip/hip_driver.h", "HIP_"},
    {"hip/hip_driver.h", "hipCtx"},
    {"hip/hip_driver.h", "hipDeviceCompute"},
    {"hip/hip_driver.h", "hipDeviceGet"},
    {"hip/hip_driver.h", "hipDevicePrimary"},
    {"hip/hip_driver.h", "hipDeviceTotal"},
    {"hip/hip_driver.h", "hipDevice_t"},
    {"hip/hip_driver.h", "hipDeviceptr"},
    {"hip/hip_driver.h", "hipErrorFile"},
    {"hip/hip_driver.h", "hipErrorInvalidCon"},
    {"hip/hip_driver.h", "hipErrorInvalidHan"},
    {"hip/hip_driver.h", "hipErrorInvalidIm"},
    {"hip/hip_driver.h", "hipErrorInvalidKernelF"},
    {"hip/hip_driver.h", "hipErrorNotInit"},
    {"hip/hip_driver.h", "hipFuncGetAttribute"},
    {"hip/hip_driver.h", "hipFunction"},
    {"hip/hip_driver.h", "hipInit"},
    {"hip/hip_driver.h", "hipJit"},
    {"hip/hip_driver.h", "hipMemGetAddress"},
    {"hip/hip_driver.h", "hipMemcpyDto"},
    {"hip/hip_driver.h", "hipMemcpyHto"},
    {"hip/hip_driver.h", "hipMemsetD"},
    {"hip/hip_driver.h", "hipModule"},
    {"hip/hip_driver.h", "hipUUID"},
    {"quern_driver.h", "HIP_"},
    {"quern_driver.h", "hipCtx"},
    {"quern_driver.h", "hipDeviceCompute"},
    {"quern_driver.h", "hipDeviceGet"},
    {"quern_driver.h", "hipDevicePrimary"},
    {"quern_driver.h", "hipDeviceTotal"},
    {"quern_driver.h", "hipDevice_t"},
    {"quern_driver.h", "hipDeviceptr"},
    {"quern_driver.h", "hipErrorFile"},
    {"quern_driver.h", "hipErrorInvalidCon"},
    {"quern_driver.h", "hipErrorInvalidHan"},
    {"quern_driver.h", "hipErrorInvalidIm"},
    {"quern_driver.h", "hipErrorInvalidKernelF"},
    {"quern_driver.h", "hipErrorNotInit"},
    {"quern_driver.h", "hipFuncGetAttribute"},
    {"quern_driver.h", "hipFunction"},
    {"quern_driver.h", "hipInit"},
    {"quern_driver.h", "hipJit"},
    {"quern_driver.h", "hipMemGetAddress"},
    {"quern_driver.h", "hipMemcpyDto"},
    {"quern_driver.h", "hipMemcpyHto"},
    {"quern_driver.h", "hipMemsetD"},
    {"quern_driver.h", "hipModule"},
    {"quern_driver.h", "hipUUID"},
    {"quern_runtime.h", "cuda"},
    {"quern_runtime.h", "make_cuda"},
    {"quern_runtime.h", "CUevent"},
    {"quern_runtime.h", "CUfunc"},
    {"quern_runtime.h", "CUgraph"},
    {"quern_runtime.h", "CUmem"},
    {"quern_runtime.h", "CUstream"},
    {"quern_runtime.h", "__cuda"},
    {"quern_runtime_rare.h", "cudaDeviceGetDef"},
    {"quern_runtime_rare.h", "cudaFuncSetShared"},
    {"quern_runtime_rare.h", "cudaGraphExecK"},
    {"quern_runtime_rare.h", "cudaGraphKernel"},
    {"quern_runtime_rare.h", "cudaGraphNodeG"},
    {"quern_runtime_rare.h", "cudaGraphNodeT"},
    {"quern_runtime_rare.h", "cudaGraphics"},
    {"quern_runtime_rare.h", "cudaIpc"},
    {"quern_runtime_rare.h", "cudaMemPool"},
    {"quern_runtime_rare.h", "cudaStreamGet"},
    {"quern_runtime_rare.h", "cudaStreamSet"},
    {"quern_runtime_rare.h", "cudaThreadExch"},
    {"quern_simd.h", "__v"},
    {"quern_texture.h", "cuda"},
    {"quern_texture.h", "texture"},
    {"quern_texture.h", "tex1D"},
    {"quern_texture.h", "tex2D"},
    {"quern_texture.h", "tex3D"},
    {"quern_texture.h", "texCubemap"},
    {"quern_texture.h", "surface"},
    {"quern_texture.h", "surf1D"},
    {"quern_texture.h", "surf2D"},
    {"quern_texture.h", "surf3D"},
    {"quern_texture.h", "surfCubemap"},
    {"quern_texture_read.h", "tex1D"},
    {"quern_texture_read.h", "tex2D"},
    {"quern_texture_read.h", "tex3D"},
    {"quern_texture_read.h", "texCubemap"},
    {"quern_texture_read.h", "surf1D"},
    {"quern_texture_read.h", "surf2D"},
    {"quern_texture_read.h", "surf3D"},
    {"quern_texture_read.h", "surfCubemap"},
};
enum { N_ON_DEMAND = sizeof on_demand / sizeof *on_demand };

/* cuda.h and HIP's headers include these, which few sources with kernels use: the words decide. */
static bool is_driver(const char *header)
{
    return qn__equal(header, "quern_driver.h") || qn__equal(header, "hip/hip_driver.h");
}

bool qn__standin_on_demand(const char *header)
{
    for (size_t i = 0; i < N_ON_DEMAND; i++)
        if (qn__equal(on_demand[i].header, header))
            return true;
    return false;
}

struct reach {
    const struct qn__embedded *headers;
    bool *wanted;
    struct text *work; /* headers that were found and not yet read */
    uint32_t n_headers, n_work;
    bool keeps_demand; /* the prelude's #include does not reach those on demand */
    bool keeps_driver; /* nor that of another header the driver API's */
};

static void want(struct reach *r, uint32_t i)
{
    const char *const name = r->headers[i].name;
    if (r->wanted[i] || (r->keeps_demand && qn__standin_on_demand(name)) ||
        (r->keeps_driver && is_driver(name)))
        return;
    r->wanted[i] = true;
    r->work[r->n_work++] = (struct text){r->headers[i].text, r->headers[i].end, is_driver(name)};
}

/* "../std/cmath" fits std/cmath, "cmath" too. */
static void want_named(struct reach *r, const char *name, size_t n)
{
    while (n > 3 && memcmp(name, "../", 3) == 0) {
        name += 3;
        n -= 3;
    }
    for (uint32_t i = 0; i < r->n_headers; i++) {
        const char *const whole = r->headers[i].name;
        const size_t length = strlen(whole);
        if (length >= n && memcmp(whole + length - n, name, n) == 0 &&
            (length == n || whole[length - n - 1] == '/'))
            want(r, i);
    }
}

/* The headers with names that begin as this one does. */
static void want_mentioned(struct reach *r, const char *name, size_t n)
{
    for (size_t i = 0; i < N_ON_DEMAND; i++) {
        const char *const begin = on_demand[i].begin;
        if (*begin == *name && strlen(begin) <= n && memcmp(begin, name, strlen(begin)) == 0)
            want_named(r, on_demand[i].header, strlen(on_demand[i].header));
    }
}

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* After a string or a character, or after its line, where it ends at the latest. */
static const char *skip_quoted(const char *p, const char *end)
{
    const char *q = p + 1;
    while (q < end && *q != *p && *q != '\n')
        q += *q == '\\' && end - q > 1 ? 2 : 1;
    return q < end ? q + 1 : end;
}

/* After a comment, a string or a character if one begins here, else after one character. */
static const char *skip_other(const char *p, const char *end, bool after_digit)
{
    if (*p == '"' || (*p == '\'' && !after_digit))
        return skip_quoted(p, end);
    if (*p != '/' || end - p < 2 || (p[1] != '/' && p[1] != '*'))
        return p + 1;
    if (p[1] == '/') {
        const char *const newline = memchr(p, '\n', (size_t)(end - p));
        return newline ? newline : end;
    }
    for (p += 2; (p = memchr(p, '*', (size_t)(end - p))) != NULL; p++)
        if (end - p > 1 && p[1] == '/')
            return p + 2;
    return end;
}

static void read_words(struct reach *r, struct text t)
{
    for (const char *p = t.at; p < t.end;) {
        const char *const word = p;
        while (p < t.end && is_of_word(*p))
            p++;
        if (p > word)
            want_mentioned(r, word, (size_t)(p - word));
        else
            p = skip_other(p, t.end, p > t.at && is_of_word(p[-1]));
    }
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

static bool is_directive(const char *begin, const char *word)
{
    while (word > begin && (word[-1] == ' ' || word[-1] == '\t'))
        word--;
    return word > begin && word[-1] == '#';
}

static void read_includes(struct reach *r, struct text t)
{
    static const char word[] = "include";
    enum { LENGTH = sizeof word - 1 };
    for (const char *p = t.at; (p = memchr(p, 'i', (size_t)(t.end - p))) != NULL; p++) {
        if (t.end - p < LENGTH || memcmp(p, word, LENGTH) != 0)
            continue;
        const char *q = p + LENGTH;
        if (t.end - q > 5 && memcmp(q, "_next", 5) == 0)
            q += 5;
        q = skip_blanks(q, t.end);
        if (q < t.end && *q == '(')
            q = skip_blanks(q + 1, t.end);
        const char close = q < t.end && *q == '<' ? '>' : '"';
        const char *const stop = q < t.end && (*q == '<' || *q == '"')
                                     ? memchr(q + 1, close, (size_t)(t.end - q - 1))
                                     : NULL;
        if (stop)
            want_named(r, q + 1, (size_t)(stop - q - 1));
        else if (is_directive(t.at, p))
            for (uint32_t i = 0; i < r->n_headers; i++)
                want(r, i);
    }
}

/* The headers that were found, and what they include. */
static void read_found(struct reach *r, bool words, bool whole)
{
    while (r->n_work) {
        const struct text t = r->work[--r->n_work];
        r->keeps_driver = !whole && !t.is_driver;
        if (words)
            read_words(r, t);
        read_includes(r, t);
        r->keeps_driver = false;
    }
}

const bool *qn__standins_reached(struct qn__unit *u, const struct qn__embedded *headers, bool whole)
{
    struct reach r = {.headers = headers};
    while (headers[r.n_headers].name)
        r.n_headers++;
    r.wanted = QN__NEED_ARRAY(u, bool, r.n_headers);
    r.work = QN__NEED_ARRAY(u, struct text, r.n_headers);
    for (uint32_t i = 0; i < u->request->n_files; i++) {
        const struct qn__source_file *const f = &u->request->files[i];
        read_words(&r, (struct text){f->text, f->text + f->n, false});
        read_includes(&r, (struct text){f->text, f->text + f->n, false});
    }
    read_found(&r, true, whole);
    want_named(&r, QN__PRELUDE, strlen(QN__PRELUDE));
    r.keeps_demand = !whole;
    read_found(&r, false, whole);
    return r.wanted;
}
