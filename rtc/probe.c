/* SPDX-License-Identifier: Apache-2.0
 *
 * qn_device_probe(): small kernels compiled and run, judged by the values they give.
 *
 * An ability is *native* when a kernel that asks for the device's own instruction compiles and
 * computes right; else *emulated* when the plain C form computes right; else absent. Each source
 * has up to two native spellings (QN_TRY 1, 2: instruction sets differ between generations of one
 * maker) and the plain form (QN_TRY 0). OpenCL has no inline instructions: there the plain operator
 * is native when the translated text asks for the extension that makes it so.
 */
#include "base/threads.h"
#include "base/wire.h"
#include "rtc/cache/cache_folder.h"
#include "rtc/job/locate.h"
#include "rtc/key/request.h"
#include "runtime/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 4, ABILITIES = 4, BACKENDS = 4 };

struct probe {
    const char *name;
    const char *source; /* kernel probe(out, in): one word of out per column of in's three rows */
    const char *forms[BACKENDS]; /* cuda, hip, opencl, cpu: digits of QN_FORM */
    const char *extension;       /* OpenCL: native with it; "": native always */
    uint32_t in[3 * WORDS], want[WORDS];
};

/* out = a * b + c on 16-bit floats in the low half of each word. The inputs are exact in both
 * formats, or round to even, or overflow. */
#define FLOAT16_MAIN                                                                               \
    "extern \"C\" __global__ void probe(unsigned *out, const unsigned *in)\n"                      \
    "{\n"                                                                                          \
    "    for (int i = 0; i < 4; i++)\n"                                                            \
    "        out[i] = muladd(in[i], in[4 + i], in[8 + i]);\n"                                      \
    "}\n"

static const char fp16_source[] =
    "#include \"quern_kernel.cuh\"\n"
    "#if QN_FORM == 1 && defined(QUERN_OPENCL)\n"
    "static __device__ unsigned muladd(unsigned a, unsigned b, unsigned c)\n"
    "{\n"
    "    _Float16 r = __builtin_bit_cast(_Float16, (unsigned short)a);\n"
    "    r = r * __builtin_bit_cast(_Float16, (unsigned short)b);\n"
    "    r = r + __builtin_bit_cast(_Float16, (unsigned short)c);\n"
    "    return __builtin_bit_cast(unsigned short, r);\n"
    "}\n"
    "#elif QN_FORM == 9\n"
    "static __device__ unsigned muladd(unsigned a, unsigned b, unsigned c)\n"
    "{\n"
    "    qk_half x, y, z;\n"
    "    x.bits = a; y.bits = b; z.bits = c;\n"
    "    return qk_half_of(qk_float(qk_half_of(qk_float(x) * qk_float(y))) + qk_float(z)).bits;\n"
    "}\n"
    "#elif QN_FORM == 1 && defined(__CUDACC_RTC__)\n"
    "static __device__ unsigned muladd(unsigned a, unsigned b, unsigned c)\n"
    "{\n"
    "    unsigned short r;\n"
    "    asm(\"fma.rn.f16 %0, %1, %2, %3;\" : \"=h\"(r) : \"h\"((unsigned short)a),\n"
    "        \"h\"((unsigned short)b), \"h\"((unsigned short)c));\n"
    "    return r;\n"
    "}\n"
    "#elif QN_FORM == 1 && defined(__AMDGCN__)\n"
    "static __device__ unsigned muladd(unsigned a, unsigned b, unsigned c)\n"
    "{\n"
    "    _Float16 r = __builtin_bit_cast(_Float16, (unsigned short)a);\n"
    "    /* the half reciprocal exists only where 16-bit instructions do */\n"
    "    _Float16 one = __builtin_amdgcn_rcph((_Float16)1.0f);\n"
    "    r = r * one * __builtin_bit_cast(_Float16, (unsigned short)b);\n"
    "    r = r + __builtin_bit_cast(_Float16, (unsigned short)c);\n"
    "    return __builtin_bit_cast(unsigned short, r);\n"
    "}\n"
    "#else\n"
    "#error no such instruction\n"
    "#endif\n" FLOAT16_MAIN;

static const char bf16_source[] =
    "#include \"quern_kernel.cuh\"\n"
    "#if QN_FORM == 9\n"
    "static __device__ unsigned muladd(unsigned a, unsigned b, unsigned c)\n"
    "{\n"
    "    qk_bf16 x, y, z;\n"
    "    x.bits = a; y.bits = b; z.bits = c;\n"
    "    return qk_bf16_of(qk_float(qk_bf16_of(qk_float(x) * qk_float(y))) + qk_float(z)).bits;\n"
    "}\n"
    "#elif QN_FORM == 1 && defined(__CUDACC_RTC__)\n"
    "static __device__ unsigned muladd(unsigned a, unsigned b, unsigned c)\n"
    "{\n"
    "    unsigned short r;\n"
    "    asm(\"fma.rn.bf16 %0, %1, %2, %3;\" : \"=h\"(r) : \"h\"((unsigned short)a),\n"
    "        \"h\"((unsigned short)b), \"h\"((unsigned short)c));\n"
    "    return r;\n"
    "}\n"
    "#elif QN_FORM == 1 && defined(__AMDGCN__)\n"
    "typedef short qn_pair __attribute__((ext_vector_type(2)));\n"
    "static __device__ unsigned muladd(unsigned a, unsigned b, unsigned c)\n"
    "{\n"
    "    const qn_pair x = {(short)a, (short)c}, y = {(short)b, (short)0x3f80};\n"
    "    return qk_bf16_of(__builtin_amdgcn_fdot2_f32_bf16(x, y, 0.0f, false)).bits;\n"
    "}\n"
    "#else\n"
    "#error no such instruction\n"
    "#endif\n" FLOAT16_MAIN;

/* 2^-40 survives beside 1 only in double arithmetic: out = (1 + a * 2^-40 - 1) * 2^40. */
static const char fp64_source[] =
    "extern \"C\" __global__ void probe(unsigned *out, const unsigned *in)\n"
    "{\n"
    "    for (int i = 0; i < 4; i++) {\n"
    "        const double one = (double)in[4 + i];\n"
    "        const double scale = 1.0 / 1099511627776.0;\n"
    "        const double sum = one + (double)in[i] * scale;\n"
    "        out[i] = (unsigned)((sum - one) * 1099511627776.0 + (double)in[8 + i]);\n"
    "    }\n"
    "}\n";

static const char dot_source[] =
    "#if QN_FORM == 1 && (defined(__CUDACC_RTC__) || defined(QUERN_OPENCL))\n"
    "static __device__ int dot(int a, int b, int c)\n"
    "{\n"
    "    return __dp4a(a, b, c);\n"
    "}\n"
    "#elif QN_FORM == 1 && defined(__AMDGCN__)\n"
    "static __device__ int dot(int a, int b, int c)\n"
    "{\n"
    "    return __builtin_amdgcn_sdot4(a, b, c, false);\n"
    "}\n"
    "#elif QN_FORM == 2 && defined(__AMDGCN__)\n"
    "static __device__ int dot(int a, int b, int c)\n"
    "{\n"
    "    return __builtin_amdgcn_sudot4(true, a, true, b, c, false);\n"
    "}\n"
    "#elif QN_FORM == 9\n"
    "static __device__ int dot(int a, int b, int c)\n"
    "{\n"
    "    for (int i = 0; i < 32; i += 8)\n"
    "        c += (int)(signed char)(a >> i) * (int)(signed char)(b >> i);\n"
    "    return c;\n"
    "}\n"
    "#else\n"
    "#error no such instruction\n"
    "#endif\n"
    "extern \"C\" __global__ void probe(unsigned *out, const unsigned *in)\n"
    "{\n"
    "    for (int i = 0; i < 4; i++)\n"
    "        out[i] = (unsigned)dot((int)in[i], (int)in[4 + i], (int)in[8 + i]);\n"
    "}\n";

static const struct probe probes[ABILITIES] = {
    /* 1.5 * 2.25 + 0.125 = 3.5; 2048 * 1 + 1 = 2048 (even); 60000 * 1 + 60000 = infinity;
     * 2^-14 * 2^-10 + 0 = 2^-24, a subnormal */
    {"fp16",
     fp16_source,
     {"19", "19", "19", "9"},
     "cl_khr_fp16",
     {0x3e00, 0x6800, 0x7b53, 0x0400, 0x4080, 0x3c00, 0x3c00, 0x1400, 0x3000, 0x3c00, 0x7b53, 0},
     {0x4300, 0x6800, 0x7c00, 0x0001}},
    /* 1.5 * 2.25 + 0.125 = 3.5; 256 * 1 + 1 = 256 (even); 3 * 5 + 1 = 16; -2 * 4 + 1 = -7 */
    {"bf16",
     bf16_source,
     {"19", "19", "9", "9"},
     NULL,
     {0x3fc0, 0x4380, 0x4040, 0xc000, 0x4010, 0x3f80, 0x40a0, 0x4080, 0x3e00, 0x3f80, 0x3f80,
      0x3f80},
     {0x4060, 0x4380, 0x4180, 0xc0e0}},
    {"fp64",
     fp64_source,
     {"1", "1", "1", "1"},
     "",
     {1, 3, 1000, 77, 1, 1, 1, 1, 0, 5, 0, 1},
     {1, 8, 1000, 78}},
    /* 1*5+2*6+3*7+4*8 = 70; (-1)*4*1 = -4; 127*127*4 + 1; (-128)*127*4 - 1 */
    {"int8 dot",
     dot_source,
     {"19", "129", "19", "9"},
     "cl_khr_integer_dot_product",
     {0x04030201, 0xffffffff, 0x7f7f7f7f, 0x80808080, 0x08070605, 0x01010101, 0x7f7f7f7f,
      0x7f7f7f7f, 0, 0, 1, 0xffffffff},
     {70, 0xfffffffc, 64517, 0xffff01ff}},
};

/* -- running one -- */

static qn_status run(uint32_t out[WORDS], qn_device *dev, qn_module *mod, const struct probe *p)
{
    const qn_kernel *kernel;
    qn_stream *stream = NULL;
    qn_addr in = 0, result = 0;
    static const qn_dims one = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    void *const args[] = {&result, &in};
    qn_status s = qn_kernel_find(&kernel, mod, "probe");
    if (s == QN_OK)
        s = qn_stream_create(&stream, dev, NULL);
    if (s == QN_OK)
        s = qn_memory_alloc(&in, dev, sizeof p->in);
    if (s == QN_OK)
        s = qn_memory_alloc(&result, dev, sizeof p->want);
    if (s == QN_OK)
        s = qn_memory_upload(dev, in, p->in, sizeof p->in, stream);
    if (s == QN_OK)
        s = qn_stream_launch(stream, kernel, &one, args);
    if (s == QN_OK)
        s = qn_memory_download(dev, out, result, sizeof p->want, stream);
    if (s == QN_OK)
        s = qn_stream_sync(stream);
    struct qn__message m;
    if (s != QN_OK)
        qn__message_save(&m);
    qn_memory_free(dev, in);
    qn_memory_free(dev, result);
    qn_stream_destroy(stream);
    if (s != QN_OK)
        qn__message_restore(&m);
    return s;
}

static bool needs(const qn_module *mod, const char *extension)
{
    const struct qn__reflection *r = &mod->image->reflection;
    for (uint32_t i = 0; i < r->n_needs; i++)
        if (strcmp(r->needs[i], extension) == 0)
            return true;
    return false;
}

/* One form of one ability. QN_E_MISMATCH: it ran and was wrong. *native: the form, or the extension
 * the text asks for, is the device's own. */
static qn_status try_form(bool *native, qn_device *dev, const struct probe *p, char form)
{
    char define[] = "QN_FORM=0";
    const char *const defines[] = {define};
    const qn_source source = {
        .text = p->source, .path = "probe.cu", .defines = defines, .n_defines = 1};
    qn_module *mod;
    uint32_t got[WORDS] = {0};
    define[sizeof define - 2] = form;
    *native = form != '9';
    QN_TRY(qn_module_build(&mod, dev, &source, NULL, NULL));
    if (dev->target.backend == QN__TARGET_OPENCL)
        *native = p->extension && (!p->extension[0] || needs(mod, p->extension));
    qn_status s = run(got, dev, mod, p);
    for (uint32_t i = 0; s == QN_OK && i < WORDS; i++)
        if (got[i] != p->want[i])
            s = qn__fail(QN_E_MISMATCH, "%s is wrong on this device: 0x%x instead of 0x%x", p->name,
                         got[i], p->want[i]);
    struct qn__message m;
    if (s != QN_OK)
        qn__message_save(&m);
    qn_module_close(mod);
    if (s != QN_OK)
        qn__message_restore(&m);
    return s;
}

/* That the device lacks an ability is an answer; that it could not be asked is none. */
static bool is_answer(qn_status s)
{
    return s == QN_OK || s == QN_E_COMPILE || s == QN_E_UNSUPPORTED || s == QN_E_MISMATCH ||
           s == QN_E_DRIVER;
}

static const char *keep(qn_device *dev, const char *text)
{
    pthread_mutex_lock(&dev->lock);
    const char *kept = qn__arena_strdup(&dev->arena, text);
    pthread_mutex_unlock(&dev->lock);
    return kept ? kept : "";
}

/* Of a processor the C compiler chooses the instructions; which there are the target says. */
static bool has_dot_instruction(const struct qn__cpu_target *t)
{
    static const char *const names[] = {"avx512vnni", "avxvnni", "dotprod"};
    const char *feature;
    for (uint32_t i = 0; (feature = qn__cpu_feature_name(qn__cpu_level_machine(t->level), i)); i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if ((t->features >> i & 1) && strcmp(feature, names[k]) == 0)
                return true;
    return false;
}

static qn_status ask(qn_ability *out, const char **reason, qn_device *dev, const struct probe *p)
{
    struct qn__str why = {0};
    qn_status s = QN_OK;
    *out = QN_ABILITY_NO;
    *reason = "";
    for (const char *form = p->forms[dev->target.backend]; *form && *out == QN_ABILITY_NO; form++) {
        bool native;
        s = try_form(&native, dev, p, *form);
        if (s == QN_OK)
            *out = native ? QN_ABILITY_NATIVE : QN_ABILITY_EMULATED;
        else if (!is_answer(s))
            break;
        else if (!why.len)
            qn__str_add(&why, qn_message());
    }
    if (*out == QN_ABILITY_EMULATED && dev->target.backend == QN__TARGET_CPU &&
        p->source == dot_source && has_dot_instruction(&dev->target.cpu))
        *out = QN_ABILITY_NATIVE;
    if (*out == QN_ABILITY_EMULATED && dev->target.backend == QN__TARGET_OPENCL) {
        qn__str_clear(&why); /* the driver's message would mean nothing to the user */
        qn__str_printf(&why, "plain arithmetic: %s%s",
                       p->extension ? "the driver has no " : "OpenCL has no such type",
                       p->extension ? p->extension : "");
    }
    const char *const plain = dev->target.backend == QN__TARGET_CPU && p->source != dot_source
                                  ? "computed as f32 and rounded"
                                  : "plain arithmetic: no instruction of its own";
    if (*out != QN_ABILITY_NATIVE && is_answer(s))
        *reason = keep(dev, why.len ? why.text : plain);
    qn__str_release(&why);
    return is_answer(s) ? QN_OK : s;
}

/* -- all -- */

/* The answers hold for this device and driver, these compilers and these sources. */
static void record_name(char out[80], const qn_device *dev)
{
    struct qn__arena arena = {0};
    struct qn__str fields = {0};
    struct qn__compiler c;
    char fingerprint[QN__HASH_HEX], hex[QN__HASH_HEX];
    unsigned char hash[QN__HASH_BYTES];
    qn__device_fingerprint(fingerprint, dev);
    qn__wire_text(&fields, 1, fingerprint);
    qn__wire_text(&fields, 2, dev->info.target);
    for (int i = 0; qn__compiler_names[i]; i++)
        if (qn__compiler_serves(dev->target.backend, qn__compiler_names[i]) &&
            qn__compiler_find(&c, &arena, qn__compiler_names[i]) == QN_OK)
            qn__wire_text(&fields, 3, c.identity);
    for (int i = 0; i < ABILITIES; i++) {
        qn__wire_text(&fields, 4, probes[i].source);
        qn__wire_text(&fields, 5, probes[i].forms[dev->target.backend]);
    }
    qn__hash_of(hash, fields.text, fields.len);
    qn__hash_to_hex(hex, hash);
    snprintf(out, 80, "probes/%s", hex);
    qn__str_release(&fields);
    qn__arena_release(&arena);
}

/* Each ability is two fields: the answer and its reason. */
static bool read_answers(qn_device_abilities *out, qn_ability *const abilities[], qn_device *dev,
                         const char *name)
{
    size_t n;
    char *bytes = qn__folder_read_record(&n, name);
    struct qn__wire_reader r = qn__wire_reader(bytes, n);
    struct qn__wire_field f;
    int i = 0;
    for (; bytes && i < ABILITIES; i++) {
        uint32_t v;
        if (!qn__wire_next(&r, &f) || !qn__wire_get_u32(f, &v) || v > QN_ABILITY_NATIVE ||
            !qn__wire_next(&r, &f))
            break;
        char *reason = strndup((const char *)f.bytes, f.n);
        *abilities[i] = (qn_ability)v;
        out->reasons[i] = keep(dev, reason ? reason : "");
        free(reason);
    }
    free(bytes);
    return i == ABILITIES;
}

static void write_answers(const qn_device_abilities *answers, qn_ability *const abilities[],
                          const char *name)
{
    struct qn__str bytes = {0};
    for (int i = 0; i < ABILITIES; i++) {
        qn__wire_u32(&bytes, 1, *abilities[i]);
        qn__wire_text(&bytes, 2, answers->reasons[i]);
    }
    qn__folder_write_record(name, &bytes);
    qn__str_release(&bytes);
}

qn_status qn_device_probe(qn_device_abilities *out, qn_device *dev)
{
    QN_ARG_CHECK(out && dev);
    QN__NOT_CANCELLED;
    *out = (qn_device_abilities){.reasons = {"", "", "", ""}};
    qn_ability *const abilities[ABILITIES] = {&out->fp16, &out->bf16, &out->fp64, &out->int8_dot};
    char name[80];
    record_name(name, dev);
    if (read_answers(out, abilities, dev, name))
        return QN_OK;
    for (int i = 0; i < ABILITIES; i++) {
        const qn_status s = ask(abilities[i], &out->reasons[i], dev, &probes[i]);
        if (s != QN_OK)
            return qn__fail_prefix(s, "%s: probing %s", dev->info.id, probes[i].name);
    }
    write_answers(out, abilities, name);
    return QN_OK;
}
