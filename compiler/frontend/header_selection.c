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
    size_t n; /* of `begin` */
} on_demand[] = {
#define ROW(header, begin) {header, begin, sizeof begin - 1}
    ROW("quern_atomic.h", "atomic"),
    ROW("quern_atomic.h", "__nv_atomic"),
    ROW("quern_atomic.h", "__NV_"),
    ROW("quern_driver.h", "CU_"),
    ROW("quern_driver.h", "CUDA_"),
    ROW("quern_driver.h", "CUa"),
    ROW("quern_driver.h", "CUc"),
    ROW("quern_driver.h", "CUd"),
    ROW("quern_driver.h", "CUf"),
    ROW("quern_driver.h", "CUg"),
    ROW("quern_driver.h", "CUh"),
    ROW("quern_driver.h", "CUj"),
    ROW("quern_driver.h", "CUk"),
    ROW("quern_driver.h", "CUl"),
    ROW("quern_driver.h", "CUm"),
    ROW("quern_driver.h", "CUo"),
    ROW("quern_driver.h", "CUr"),
    ROW("quern_driver.h", "CUs"),
    ROW("quern_driver.h", "CUt"),
    ROW("quern_driver.h", "CUe"),
    ROW("quern_driver.h", "CUp"),
    ROW("quern_driver.h", "CUu"),
    ROW("quern_driver.h", "cuA"),
    ROW("quern_driver.h", "cuC"),
    ROW("quern_driver.h", "cuD"),
    ROW("quern_driver.h", "cuE"),
    ROW("quern_driver.h", "cuF"),
    ROW("quern_driver.h", "cuG"),
    ROW("quern_driver.h", "cuI"),
    ROW("quern_driver.h", "cuL"),
    ROW("quern_driver.h", "cuM"),
    ROW("quern_driver.h", "cuO"),
    ROW("quern_driver.h", "cuP"),
    ROW("quern_driver.h", "cuS"),
    ROW("quern_driver.h", "cuT"),
    ROW("quern_driver.h", "cuuint"),
    ROW("hip/hip_driver.h", "HIP_"),
    ROW("hip/hip_driver.h", "hipCtx"),
    ROW("hip/hip_driver.h", "hipDeviceCompute"),
    ROW("hip/hip_driver.h", "hipDeviceGet"),
    ROW("hip/hip_driver.h", "hipDevicePrimary"),
    ROW("hip/hip_driver.h", "hipDeviceTotal"),
    ROW("hip/hip_driver.h", "hipDevice_t"),
    ROW("hip/hip_driver.h", "hipDeviceptr"),
    ROW("hip/hip_driver.h", "hipErrorFile"),
    ROW("hip/hip_driver.h", "hipErrorInvalidCon"),
    ROW("hip/hip_driver.h", "hipErrorInvalidHan"),
    ROW("hip/hip_driver.h", "hipErrorInvalidIm"),
    ROW("hip/hip_driver.h", "hipErrorInvalidKernelF"),
    ROW("hip/hip_driver.h", "hipErrorNotInit"),
    ROW("hip/hip_driver.h", "hipFuncGetAttribute"),
    ROW("hip/hip_driver.h", "hipFunction"),
    ROW("hip/hip_driver.h", "hipInit"),
    ROW("hip/hip_driver.h", "hipJit"),
    ROW("hip/hip_driver.h", "hipMemGetAddress"),
    ROW("hip/hip_driver.h", "hipMemcpyDto"),
    ROW("hip/hip_driver.h", "hipMemcpyHto"),
    ROW("hip/hip_driver.h", "hipMemsetD"),
    ROW("hip/hip_driver.h", "hipModule"),
    ROW("hip/hip_driver.h", "hipUUID"),
    ROW("quern_driver.h", "HIP_"),
    ROW("quern_driver.h", "hipCtx"),
    ROW("quern_driver.h", "hipDeviceCompute"),
    ROW("quern_driver.h", "hipDeviceGet"),
    ROW("quern_driver.h", "hipDevicePrimary"),
    ROW("quern_driver.h", "hipDeviceTotal"),
    ROW("quern_driver.h", "hipDevice_t"),
    ROW("quern_driver.h", "hipDeviceptr"),
    ROW("quern_driver.h", "hipErrorFile"),
    ROW("quern_driver.h", "hipErrorInvalidCon"),
    ROW("quern_driver.h", "hipErrorInvalidHan"),
    ROW("quern_driver.h", "hipErrorInvalidIm"),
    ROW("quern_driver.h", "hipErrorInvalidKernelF"),
    ROW("quern_driver.h", "hipErrorNotInit"),
    ROW("quern_driver.h", "hipFuncGetAttribute"),
    ROW("quern_driver.h", "hipFunction"),
    ROW("quern_driver.h", "hipInit"),
    ROW("quern_driver.h", "hipJit"),
    ROW("quern_driver.h", "hipMemGetAddress"),
    ROW("quern_driver.h", "hipMemcpyDto"),
    ROW("quern_driver.h", "hipMemcpyHto"),
    ROW("quern_driver.h", "hipMemsetD"),
    ROW("quern_driver.h", "hipModule"),
    ROW("quern_driver.h", "hipUUID"),
    ROW("quern_runtime.h", "cuda"),
    ROW("quern_runtime.h", "make_cuda"),
    ROW("quern_runtime.h", "CUevent"),
    ROW("quern_runtime.h", "CUfunc"),
    ROW("quern_runtime.h", "CUgraph"),
    ROW("quern_runtime.h", "CUmem"),
    ROW("quern_runtime.h", "CUstream"),
    ROW("quern_runtime.h", "__cuda"),
    ROW("quern_runtime_rare.h", "cudaDeviceGetDef"),
    ROW("quern_runtime_rare.h", "cudaFuncSetShared"),
    ROW("quern_runtime_rare.h", "cudaGraphExecK"),
    ROW("quern_runtime_rare.h", "cudaGraphKernel"),
    ROW("quern_runtime_rare.h", "cudaGraphNodeG"),
    ROW("quern_runtime_rare.h", "cudaGraphNodeT"),
    ROW("quern_runtime_rare.h", "cudaGraphics"),
    ROW("quern_runtime_rare.h", "cudaIpc"),
    ROW("quern_runtime_rare.h", "cudaMemPool"),
    ROW("quern_runtime_rare.h", "cudaStreamGet"),
    ROW("quern_runtime_rare.h", "cudaStreamSet"),
    ROW("quern_runtime_rare.h", "cudaThreadExch"),
    ROW("quern_simd.h", "__v"),
    ROW("quern_texture.h", "cuda"),
    ROW("quern_texture.h", "texture"),
    ROW("quern_texture.h", "tex1D"),
    ROW("quern_texture.h", "tex2D"),
    ROW("quern_texture.h", "tex3D"),
    ROW("quern_texture.h", "texCubemap"),
    ROW("quern_texture.h", "surface"),
    ROW("quern_texture.h", "surf1D"),
    ROW("quern_texture.h", "surf2D"),
    ROW("quern_texture.h", "surf3D"),
    ROW("quern_texture.h", "surfCubemap"),
    ROW("quern_texture_read.h", "tex1D"),
    ROW("quern_texture_read.h", "tex2D"),
    ROW("quern_texture_read.h", "tex3D"),
    ROW("quern_texture_read.h", "texCubemap"),
    ROW("quern_texture_read.h", "surf1D"),
    ROW("quern_texture_read.h", "surf2D"),
    ROW("quern_texture_read.h", "surf3D"),
    ROW("quern_texture_read.h", "surfCubemap"),
#undef ROW
};
enum { N_ON_DEMAND = sizeof on_demand / sizeof *on_demand };

/* cuda.h and HIP's headers include these, which few sources with kernels use: the words decide. */
static bool is_driver(const char *header)
{
    return qn__equal(header, "quern_driver.h") || qn__equal(header, "hip/hip_driver.h");
}

bool qn__standin_on_demand(const char *header)
{
    const char *before = NULL; /* rows of one header stand side by side */
    if (!qn__starts_with(header, "quern_") && !qn__starts_with(header, "hip/")) /* most */
        return false;
    for (size_t i = 0; i < N_ON_DEMAND; before = on_demand[i++].header)
        if (on_demand[i].header != before && qn__equal(on_demand[i].header, header))
            return true;
    return false;
}

/* What a character is, as bits: one of a word, one that begins a comment or a string, the second or
 * third of a row's name; and the rows whose names begin with it. */
enum { OF_WORD = 1, OF_OTHER = 2, SECOND = 4, THIRD = 8 };

struct letters {
    uint8_t kind[256];
    uint8_t first[256], next[N_ON_DEMAND]; /* a row's number and 1; 0 ends */
};

struct reach {
    const struct qn__embedded *headers;
    size_t *lengths; /* of their names */
    bool *wanted;
    struct letters letters;
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
        const size_t length = r->lengths[i];
        if (length >= n && n && whole[length - n] == *name &&
            memcmp(whole + length - n, name, n) == 0 &&
            (length == n || whole[length - n - 1] == '/'))
            want(r, i);
    }
}

static void know_letters(struct letters *l)
{
    for (int c = 0; c < 256; c++)
        l->kind[c] = isalnum(c) || c == '_'              ? OF_WORD
                     : c == '"' || c == '\'' || c == '/' ? OF_OTHER
                                                         : 0;
    for (size_t i = N_ON_DEMAND; i-- > 0;) {
        const unsigned char *const begin = (const unsigned char *)on_demand[i].begin;
        l->next[i] = l->first[begin[0]];
        l->first[begin[0]] = (uint8_t)(i + 1);
        l->kind[begin[1]] |= SECOND;
        l->kind[begin[2]] |= THIRD;
    }
}

/* The headers with names that begin as this one does. */
static void want_mentioned(struct reach *r, const char *name, size_t n)
{
    const unsigned char *const c = (const unsigned char *)name;
    const struct letters *const l = &r->letters;
    if (n < 3 || !(l->kind[c[1]] & SECOND) || !(l->kind[c[2]] & THIRD))
        return;
    for (size_t i = l->first[*c]; i; i = l->next[i - 1])
        if (on_demand[i - 1].n <= n &&
            memcmp(on_demand[i - 1].begin, name, on_demand[i - 1].n) == 0)
            want_named(r, on_demand[i - 1].header, strlen(on_demand[i - 1].header));
}

static bool is_of_word(const struct letters *l, char c)
{
    return l->kind[(unsigned char)c] & OF_WORD;
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
    const struct letters *const l = &r->letters;
    for (const char *p = t.at; p < t.end;) {
        const char *const word = p;
        const uint8_t kind = l->kind[(unsigned char)*p];
        if (kind & OF_WORD) {
            while (++p < t.end && is_of_word(l, *p))
                ;
            if (l->first[(unsigned char)*word])
                want_mentioned(r, word, (size_t)(p - word));
        } else {
            p = kind & OF_OTHER ? skip_other(p, t.end, p > t.at && is_of_word(l, p[-1])) : p + 1;
        }
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

/* What a line names that has a #, or tells whether it is there. */
static void read_directive(struct reach *r, struct text line)
{
    static const char word[] = "include";
    enum { LENGTH = sizeof word - 1 };
    for (const char *p = line.at; (p = memchr(p, 'i', (size_t)(line.end - p))) != NULL; p++) {
        if (line.end - p < LENGTH || memcmp(p, word, LENGTH) != 0)
            continue;
        const char *q = p + LENGTH;
        if (line.end - q > 5 && memcmp(q, "_next", 5) == 0)
            q += 5;
        q = skip_blanks(q, line.end);
        if (q < line.end && *q == '(')
            q = skip_blanks(q + 1, line.end);
        const char close = q < line.end && *q == '<' ? '>' : '"';
        const char *const stop = q < line.end && (*q == '<' || *q == '"')
                                     ? memchr(q + 1, close, (size_t)(line.end - q - 1))
                                     : NULL;
        if (stop)
            want_named(r, q + 1, (size_t)(stop - q - 1));
        else if (is_directive(line.at, p))
            for (uint32_t i = 0; i < r->n_headers; i++)
                want(r, i);
    }
}

/* The lines with a #, and those that go on after a backslash. */
static void read_includes(struct reach *r, struct text t)
{
    for (const char *p = t.at; (p = memchr(p, '#', (size_t)(t.end - p))) != NULL;) {
        const char *end = p;
        do
            end = memchr(end + 1, '\n', (size_t)(t.end - end - 1));
        while (end && (end[-1] == '\\' || (end[-1] == '\r' && end[-2] == '\\')));
        read_directive(r, (struct text){p, end ? end : t.end, false});
        p = end ? end : t.end;
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
    r.lengths = QN__NEED_ARRAY(u, size_t, r.n_headers);
    r.wanted = QN__NEED_ARRAY(u, bool, r.n_headers);
    r.work = QN__NEED_ARRAY(u, struct text, r.n_headers);
    for (uint32_t i = 0; i < r.n_headers; i++)
        r.lengths[i] = strlen(headers[i].name);
    know_letters(&r.letters);
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
