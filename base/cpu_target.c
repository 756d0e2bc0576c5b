/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading and printing CPU targets, and asking this processor: cpuid and the register that says
 * which state the system saves, or the kernel's list of capabilities. */
#include "base/cpu_target.h"

#include "base/str.h"

#include <stdio.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

static const struct {
    const char *name, *triple, *march;
    enum qn__cpu_machine machine;
} levels[] = {
#define QN_CPU_LEVEL(LEVEL, name, machine, triple, march) {name, triple, march, QN__CPU_##machine},
#include "base/cpu_target.def"
#undef QN_CPU_LEVEL
};

enum cpuid_register { EAX, EBX, ECX, EDX };

static const struct {
    const char *name;
    enum qn__cpu_level lowest;
    unsigned leaf, subleaf;
    enum cpuid_register in;
    unsigned bit;
} x86[] = {
#define QN_CPU_X86(name, lowest, leaf, subleaf, in, bit)                                           \
    {#name, QN__CPU_##lowest, leaf, subleaf, in, bit},
#include "base/cpu_target.def"
#undef QN_CPU_X86
};

static const struct {
    const char *name;
    int word;
    unsigned bit;
} arm[] = {
#define QN_CPU_ARM(name, word, bit) {#name, word, bit},
#include "base/cpu_target.def"
#undef QN_CPU_ARM
};

enum { N_X86 = sizeof x86 / sizeof *x86, N_ARM = sizeof arm / sizeof *arm };

const char *qn__cpu_level_name(enum qn__cpu_level level)
{
    return levels[level].name;
}

enum qn__cpu_machine qn__cpu_level_machine(enum qn__cpu_level level)
{
    return levels[level].machine;
}

const char *qn__cpu_level_triple(enum qn__cpu_level level)
{
    return levels[level].triple;
}

const char *qn__cpu_level_march(enum qn__cpu_level level)
{
    return levels[level].march;
}

const char *qn__cpu_feature_name(enum qn__cpu_machine machine, uint32_t i)
{
    if (machine == QN__CPU_X86)
        return i < N_X86 ? x86[i].name : NULL;
    return i < N_ARM ? arm[i].name : NULL;
}

/* -- reading and printing -- */

static qn_status no_level(const char *arch, size_t n)
{
    struct qn__str names = {0};
    for (int i = 0; i < QN__CPU_LEVELS; i++)
        qn__str_printf(&names, "%s, ", levels[i].name);
    const qn_status s = qn__fail(QN_E_INVALID, "'%.*s' is no CPU target; there are %snative",
                                 n < 60 ? (int)n : 60, arch, names.text ? names.text : "");
    qn__str_release(&names);
    return s;
}

static qn_status no_feature(enum qn__cpu_level level, const char *text)
{
    struct qn__str names = {0};
    const char *name;
    for (uint32_t i = 0; (name = qn__cpu_feature_name(levels[level].machine, i)); i++)
        if (levels[level].machine != QN__CPU_X86 || x86[i].lowest <= level)
            qn__str_printf(&names, "%s%s+", names.len ? ", " : "", name);
    const qn_status s =
        qn__fail(QN_E_INVALID, "'%.60s' is no feature of %s: %s, each at most once, after a colon",
                 text + (text[0] == ':'), levels[level].name, names.text ? names.text : "");
    qn__str_release(&names);
    return s;
}

static qn_status parse_feature(struct qn__cpu_target *t, const char **p)
{
    const char *text = *p, *name;
    const size_t n = text[0] == ':' ? strcspn(text + 1, ":+") : 0;
    for (uint32_t i = 0; n && (name = qn__cpu_feature_name(levels[t->level].machine, i)); i++)
        if (strlen(name) == n && memcmp(name, text + 1, n) == 0 && text[1 + n] == '+' &&
            !(t->features >> i & 1) &&
            (levels[t->level].machine != QN__CPU_X86 || x86[i].lowest <= t->level)) {
            t->features |= 1u << i;
            *p = text + n + 2;
            return QN_OK;
        }
    return no_feature(t->level, text);
}

qn_status qn__cpu_target_parse(struct qn__cpu_target *out, const char *arch)
{
    const size_t n = strcspn(arch, ":");
    *out = (struct qn__cpu_target){.level = QN__CPU_LEVELS};
    if (strcmp(arch, "native") == 0)
        return qn__cpu_target_native(out);
    for (int i = 0; i < QN__CPU_LEVELS; i++)
        if (strlen(levels[i].name) == n && memcmp(levels[i].name, arch, n) == 0)
            out->level = (enum qn__cpu_level)i;
    if (out->level == QN__CPU_LEVELS)
        return no_level(arch, n);
    for (const char *p = arch + n; *p;)
        QN_TRY(parse_feature(out, &p));
    return QN_OK;
}

void qn__cpu_target_print(char out[QN__CPU_ARCH_MAX], const struct qn__cpu_target *t)
{
    const char *name;
    size_t used = (size_t)snprintf(out, QN__CPU_ARCH_MAX, "%s", levels[t->level].name);
    for (uint32_t i = 0; (name = qn__cpu_feature_name(levels[t->level].machine, i)); i++)
        if (t->features >> i & 1 && used < QN__CPU_ARCH_MAX)
            used += (size_t)snprintf(out + used, QN__CPU_ARCH_MAX - used, ":%s+", name);
}

const char *qn__cpu_target_lacks(const struct qn__cpu_target *device,
                                 const struct qn__cpu_target *image)
{
    if (levels[device->level].machine != levels[image->level].machine ||
        device->level < image->level)
        return levels[image->level].name;
    for (uint32_t i = 0; i < 32; i++)
        if (image->features >> i & 1 && !(device->features >> i & 1))
            return qn__cpu_feature_name(levels[image->level].machine, i);
    return NULL;
}

/* -- this processor -- */

#if defined(__x86_64__)

static bool has_bit(unsigned leaf, unsigned subleaf, enum cpuid_register in, unsigned bit)
{
    unsigned r[4];
    return __get_cpuid_count(leaf, subleaf, &r[EAX], &r[EBX], &r[ECX], &r[EDX]) && r[in] >> bit & 1;
}

/* Which register state the system saves: a processor's AVX is of no use without that. */
static uint64_t saved_state(void)
{
    uint32_t low, high;
    if (!has_bit(1, 0, ECX, 27)) /* OSXSAVE */
        return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

struct bit {
    const char *name;
    unsigned leaf, subleaf;
    enum cpuid_register in;
    unsigned bit;
};

static const char *lacking(const struct bit *bits, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!has_bit(bits[i].leaf, bits[i].subleaf, bits[i].in, bits[i].bit))
            return bits[i].name;
    return NULL;
}

qn_status qn__cpu_target_native(struct qn__cpu_target *out)
{
    enum { YMM = 0x6, ZMM = 0xe6 };
    static const struct bit v3[] = {
        {"SSE4.2", 1, 0, ECX, 20}, {"POPCNT", 1, 0, ECX, 23},
        {"AVX", 1, 0, ECX, 28},    {"AVX2", 7, 0, EBX, 5},
        {"FMA", 1, 0, ECX, 12},    {"F16C", 1, 0, ECX, 29},
        {"MOVBE", 1, 0, ECX, 22},  {"BMI1", 7, 0, EBX, 3},
        {"BMI2", 7, 0, EBX, 8},    {"LZCNT", 0x80000001u, 0, ECX, 5},
    };
    static const struct bit v4[] = {
        {"AVX512F", 7, 0, EBX, 16},  {"AVX512DQ", 7, 0, EBX, 17}, {"AVX512CD", 7, 0, EBX, 28},
        {"AVX512BW", 7, 0, EBX, 30}, {"AVX512VL", 7, 0, EBX, 31},
    };
    const uint64_t saved = saved_state();
    const char *missing = (saved & YMM) == YMM ? lacking(v3, sizeof v3 / sizeof *v3) : "AVX";
    *out = (struct qn__cpu_target){.level = QN__CPU_X86_V3};
    if (missing)
        return qn__fail(QN_E_NO_DEVICE, "this processor has no %s: x86-64-v3 is needed", missing);
    if ((saved & ZMM) == ZMM && !lacking(v4, sizeof v4 / sizeof *v4))
        out->level = QN__CPU_X86_V4;
    for (uint32_t i = 0; i < N_X86; i++)
        if (x86[i].lowest <= out->level &&
            has_bit(x86[i].leaf, x86[i].subleaf, x86[i].in, x86[i].bit))
            out->features |= 1u << i;
    return QN_OK;
}

#elif defined(__aarch64__)

qn_status qn__cpu_target_native(struct qn__cpu_target *out)
{
    *out = (struct qn__cpu_target){.level = QN__CPU_AARCH64};
    for (uint32_t i = 0; i < N_ARM; i++)
        if (getauxval(arm[i].word == 1 ? AT_HWCAP : AT_HWCAP2) >> arm[i].bit & 1)
            out->features |= 1u << i;
    return QN_OK;
}

#else

qn_status qn__cpu_target_native(struct qn__cpu_target *out)
{
    *out = (struct qn__cpu_target){.level = QN__CPU_LEVELS};
    return qn__fail(QN_E_NO_DEVICE, "this processor is neither x86-64 nor aarch64");
}

#endif
