/* SPDX-License-Identifier: Apache-2.0
 *
 * NVRTC's calls: a source is compiled for the device that the program runs on, through the kernel
 * cache. What nvrtcGetPTX() and nvrtcGetCUBIN() give is a carried program (carried_program.h): the
 * image and the source with all its headers, so that another device may load it as well. */
#include "base/arena.h"
#include "base/name_expression.h"
#include "base/str.h"
#include "base/wire.h"
#include "cudart/carried_program.h"
#include "cudart/loaded_image.h"
#include "cudart/runtime_compiler.h"
#include "rtc/cache/entry.h"

#include <stdlib.h>
#include <string.h>

struct name {
    const char *expression, *lowered; /* lowered: NULL where the source has none of that name */
};

struct _nvrtcProgram {
    struct qn__arena arena;
    const char *source, *path;
    const char **header_names, **header_texts;
    uint32_t n_headers;
    struct name *names;
    uint32_t n_names, capacity;
    bool compiled; /* or tried */
    struct qn__str log, carried;
    char *text; /* carried, as text */
};

const char *nvrtcGetErrorString(nvrtcResult result)
{
    static const char *const names[] = {"NVRTC_SUCCESS",
                                        "NVRTC_ERROR_OUT_OF_MEMORY",
                                        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                        "NVRTC_ERROR_INVALID_INPUT",
                                        "NVRTC_ERROR_INVALID_PROGRAM",
                                        "NVRTC_ERROR_INVALID_OPTION",
                                        "NVRTC_ERROR_COMPILATION",
                                        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                        "NVRTC_ERROR_INTERNAL_ERROR",
                                        "NVRTC_ERROR_TIME_FILE_WRITE_FAILED"};
    return (unsigned)result < sizeof names / sizeof *names ? names[result] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor)
{
    if (!major || !minor)
        return NVRTC_ERROR_INVALID_INPUT;
    *major = 12;
    *minor = 4;
    return NVRTC_SUCCESS;
}

/* The device that the calling thread works on. */
static struct qn__rt_device *device_of(cudaError_t *error)
{
    int device;
    (void)qn__rt_device_chosen(&device);
    return qn__rt_device_of(device, error);
}

nvrtcResult nvrtcGetNumSupportedArchs(int *n)
{
    if (!n)
        return NVRTC_ERROR_INVALID_INPUT;
    *n = 1;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *archs)
{
    enum { TEN = 10 };
    cudaError_t error;
    cudaDeviceProp p;
    const struct qn__rt_device *const d = archs ? device_of(&error) : NULL;
    if (!d || cudaGetDeviceProperties(&p, d->index) != cudaSuccess)
        return archs ? NVRTC_ERROR_INTERNAL_ERROR : NVRTC_ERROR_INVALID_INPUT;
    *archs = p.major * TEN + p.minor;
    return NVRTC_SUCCESS;
}

/* ---- programs ---- */

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name,
                               int n_headers, const char *const *headers,
                               const char *const *header_names)
{
    if (!program || !source || n_headers < 0 || (n_headers && (!headers || !header_names)))
        return NVRTC_ERROR_INVALID_INPUT;
    struct _nvrtcProgram *const p = calloc(1, sizeof *p);
    *program = NULL;
    if (!p)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    p->source = qn__arena_strdup(&p->arena, source);
    p->path = qn__arena_strdup(&p->arena, name && *name ? name : "default_program");
    p->n_headers = (uint32_t)n_headers;
    p->header_names = QN__ARENA_ARRAY(&p->arena, const char *, (size_t)n_headers + 1);
    p->header_texts = QN__ARENA_ARRAY(&p->arena, const char *, (size_t)n_headers + 1);
    bool good = p->source && p->path && p->header_names && p->header_texts;
    for (int i = 0; i < n_headers && good; i++) {
        p->header_names[i] = qn__arena_strdup(&p->arena, header_names[i]);
        p->header_texts[i] = qn__arena_strdup(&p->arena, headers[i]);
        good = p->header_names[i] && p->header_texts[i];
    }
    *program = p;
    if (!good)
        nvrtcDestroyProgram(program);
    return good ? NVRTC_SUCCESS : NVRTC_ERROR_OUT_OF_MEMORY;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    if (!program || !*program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    struct _nvrtcProgram *const p = *program;
    *program = NULL;
    qn__arena_release(&p->arena);
    qn__str_release(&p->log);
    qn__str_release(&p->carried);
    free(p->names);
    free(p->text);
    free(p);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression)
{
    enum { FIRST = 8 };
    if (!program || !expression)
        return program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
    if (program->compiled)
        return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    if (program->n_names == program->capacity) {
        const uint32_t capacity = program->capacity ? program->capacity * 2 : FIRST;
        struct name *const grown = realloc(program->names, capacity * sizeof *grown);
        if (!grown)
            return NVRTC_ERROR_OUT_OF_MEMORY;
        program->names = grown;
        program->capacity = capacity;
    }
    const char *const copy = qn__arena_strdup(&program->arena, expression);
    if (!copy)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    program->names[program->n_names++] = (struct name){.expression = copy};
    return NVRTC_SUCCESS;
}

/* ---- compiling ---- */

static bool is_translated(const struct qn__rt_device *d)
{
    const char *const backend = qn_device_get_info(d->device)->backend;
    return strcmp(backend, "opencl") == 0 || strcmp(backend, "cpu") == 0;
}

static bool same_expression(const char *a, const char *b)
{
    struct qn__str x = {0}, y = {0};
    qn__name_expression_print(&x, a);
    qn__name_expression_print(&y, b);
    const bool same = x.text && y.text && strcmp(x.text, y.text) == 0;
    qn__str_release(&x);
    qn__str_release(&y);
    return same;
}

/* Names of kernels are their symbols; what is none is a variable, which is found by its name. */
static bool lower_names(struct _nvrtcProgram *p, const qn_image *image)
{
    const qn_image_info *const info = qn_image_get_info(image);
    for (uint32_t i = 0; i < p->n_names; i++) {
        struct name *const n = &p->names[i];
        const char *lowered = n->expression + strspn(n->expression, "& ");
        for (uint32_t k = 0; k < info->n_kernels; k++) {
            const qn_kernel_info *const kernel = &info->kernels[k];
            if (same_expression(kernel->expression, n->expression) ||
                qn__name_expression_is_plain(lowered, kernel->expression)) {
                lowered = kernel->symbol[0] ? kernel->symbol : kernel->name;
                break;
            }
        }
        n->lowered = qn__arena_strdup(&p->arena, lowered);
        if (!n->lowered)
            return false;
    }
    return true;
}

/* The image, and the source for other devices. */
static qn_status carry(struct _nvrtcProgram *p, const qn_source *src, const qn_image *image)
{
    struct qn__str fields = {0}, encoded = {0};
    unsigned char size[8];
    void *packed = NULL;
    size_t n;
    QN_TRY(qn_source_pack(&packed, &n, src));
    qn__entry_encode(&encoded, image, NULL, QN__ENTRY_FOR_AWAY);
    qn_status s = qn__str_check(&encoded);
    if (s == QN_OK) {
        qn__wire_text(&fields, QN__PROGRAM_NAME, p->path);
        qn__wire_bytes(&fields, QN__PROGRAM_IMAGE, encoded.text, encoded.len);
        qn__wire_bytes(&fields, QN__PROGRAM_SOURCE, packed, n);
        for (uint32_t i = 0; i < p->n_names; i++)
            qn__wire_text(&fields, QN__PROGRAM_KERNEL, p->names[i].expression);
        s = qn__str_check(&fields);
    }
    if (s == QN_OK) {
        qn__put_u64(size, fields.len);
        qn__str_add(&p->carried, QN__PROGRAM_MAGIC);
        qn__str_add_bytes(&p->carried, (const char *)size, sizeof size);
        qn__str_add_bytes(&p->carried, fields.text, fields.len);
        s = qn__str_check(&p->carried);
    }
    free(packed);
    qn__str_release(&encoded);
    qn__str_release(&fields);
    return s;
}

static nvrtcResult result_of(qn_status s)
{
    switch (s) {
    case QN_OK: return NVRTC_SUCCESS;
    case QN_E_MEMORY: return NVRTC_ERROR_OUT_OF_MEMORY;
    case QN_E_INVALID: return NVRTC_ERROR_INVALID_OPTION;
    case QN_E_COMPILE:
    case QN_E_UNSUPPORTED:
    case QN_E_IO: return NVRTC_ERROR_COMPILATION;
    default: return NVRTC_ERROR_INTERNAL_ERROR;
    }
}

static nvrtcResult compile(struct _nvrtcProgram *p, struct qn__rt_device *d,
                           const struct qn__nvrtc_words *words)
{
    const char **const names = QN__ARENA_ARRAY(&p->arena, const char *, p->n_names + (size_t)1);
    const char *text;
    qn_image *image = NULL;
    qn_log log = {0};
    if (!names)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < p->n_names; i++)
        names[i] = p->names[i].expression;
    /* what NVRTC knows without a header; NVRTC and hipRTC themselves try the rest */
    const bool unmarked = words->unmarked_is_device && is_translated(d);
    text =
        qn__arena_printf(&p->arena,
                         "#ifdef __QUERN__\n#include <assert.h>\ntypedef long clock_t;\n#endif\n"
                         "%s#line 1\n%s%s",
                         unmarked ? "#pragma clang force_cuda_host_device begin\n" : "", p->source,
                         unmarked ? "\n#pragma clang force_cuda_host_device end\n" : "");
    if (!text)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    const qn_source src = {.text = text,
                           .path = p->path,
                           .defines = words->defines,
                           .n_defines = words->n_defines,
                           .include_dirs = words->folders,
                           .n_include_dirs = words->n_folders,
                           .header_names = p->header_names,
                           .header_texts = p->header_texts,
                           .n_headers = p->n_headers,
                           .names = names,
                           .n_names = p->n_names,
                           .options = words->options,
                           .n_options = words->n_options};
    qn_status s = qn_compile(&image, &src, qn_device_get_info(d->device)->target, NULL, &log);
    if (log.text)
        qn__str_add(&p->log, log.text);
    if (s != QN_OK && !(log.text && log.text[0]))
        qn__str_printf(&p->log, "%s\n", qn_message());
    if (s == QN_OK && !lower_names(p, image))
        s = qn__fail(QN_E_MEMORY, "no memory for the names of kernels");
    if (s == QN_OK)
        s = carry(p, &src, image);
    qn_image_release(image);
    qn_log_release(&log);
    return result_of(s);
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int n, const char *const *options)
{
    struct qn__nvrtc_words words;
    const char *wrong;
    cudaError_t error;
    if (!program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (n < 0 || (n && !options))
        return NVRTC_ERROR_INVALID_INPUT;
    qn__str_clear(&program->log);
    qn__str_clear(&program->carried);
    free(program->text);
    program->text = NULL;
    program->compiled = true;
    if (!qn__nvrtc_options_read(&words, &program->arena, n, options, &wrong)) {
        if (!*wrong)
            return NVRTC_ERROR_OUT_OF_MEMORY;
        qn__str_printf(&program->log, "nvrtc: error: option %s is not known, or lacks its value\n",
                       wrong);
        return NVRTC_ERROR_INVALID_OPTION;
    }
    struct qn__rt_device *const d = device_of(&error);
    if (!d) {
        qn__str_printf(&program->log, "nvrtc: error: no device to compile for: %s\n",
                       cudaGetErrorString(error));
        return NVRTC_ERROR_INTERNAL_ERROR;
    }
    return compile(program, d, &words);
}

/* ---- what came of it ---- */

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name)
{
    if (!program || !expression || !name)
        return program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
    *name = NULL;
    if (program->carried.len == 0)
        return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (uint32_t i = 0; i < program->n_names && !*name; i++)
        if (same_expression(program->names[i].expression, expression))
            *name = program->names[i].lowered;
    return *name ? NVRTC_SUCCESS : NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *n)
{
    if (!program || !n)
        return program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
    *n = program->log.len + 1;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
    if (!program || !log)
        return program ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
    memcpy(log, program->log.len ? program->log.text : "", program->log.len + 1);
    return NVRTC_SUCCESS;
}

/* The carried program as text, made when it is first asked for. */
static nvrtcResult text_of(struct _nvrtcProgram *p)
{
    if (!p || p->carried.len == 0)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!p->text)
        p->text = qn__loaded_image_text(p->carried.text, p->carried.len);
    return p->text ? NVRTC_SUCCESS : NVRTC_ERROR_OUT_OF_MEMORY;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *n)
{
    const nvrtcResult result = n ? text_of(program) : NVRTC_ERROR_INVALID_INPUT;
    if (result == NVRTC_SUCCESS)
        *n = strlen(program->text) + 1;
    return result;
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx)
{
    const nvrtcResult result = ptx ? text_of(program) : NVRTC_ERROR_INVALID_INPUT;
    if (result == NVRTC_SUCCESS)
        memcpy(ptx, program->text, strlen(program->text) + 1);
    return result;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *n)
{
    if (!program || !n || program->carried.len == 0)
        return n ? NVRTC_ERROR_INVALID_PROGRAM : NVRTC_ERROR_INVALID_INPUT;
    *n = program->carried.len;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin)
{
    if (!program || !cubin || program->carried.len == 0)
        return cubin ? NVRTC_ERROR_INVALID_PROGRAM : NVRTC_ERROR_INVALID_INPUT;
    memcpy(cubin, program->carried.text, program->carried.len);
    return NVRTC_SUCCESS;
}
