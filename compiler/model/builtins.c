/* SPDX-License-Identifier: Apache-2.0
 *
 * Device functions by name: the rows of builtins.def through a hash table, LLVM's intrinsics
 * through their prefixes ("llvm.fabs." is followed by the type). */
#include "compiler/model/builtins.h"

#include "compiler/core/diagnose.h"

#include <stdlib.h>
#include <string.h>

enum { NATIVE = QN__NATIVE, LOWERED = QN__LOWERED, REFUSED = QN__REFUSED };
enum {
    PURE = QN__PURE,
    READ = QN__READ,
    WRITE = QN__WRITE,
    FENCE = QN__FENCE,
    BARRIER = QN__BARRIER,
    WARP = QN__WARP,
    WARP_LOCAL = QN__WARP_LOCAL,
};

static const struct qn__builtin rows[] = {
#define QN_BUILTIN(name, status, traits, signature, form, needs, ulp, note)                        \
    {#name,                                                                                        \
     (enum qn__builtin_status)status,                                                              \
     (enum qn__builtin_traits)traits,                                                              \
     signature,                                                                                    \
     form,                                                                                         \
     needs,                                                                                        \
     ulp,                                                                                          \
     note,                                                                                         \
     0},
#include "compiler/model/builtins.def"
#undef QN_BUILTIN
};
enum { N_ROWS = sizeof rows / sizeof *rows };

/* LLVM's intrinsics that clang makes from __builtin_ functions and that its passes introduce. */
static const struct qn__builtin intrinsics[] = {
#define PURE_INTRINSIC(prefix, form, sign)                                                         \
    {prefix, QN__NATIVE, QN__PURE, "", form, "", 0, "", sign},
    PURE_INTRINSIC("llvm.fabs.", "fabs($0)", 0) PURE_INTRINSIC(
        "llvm.sqrt.", "sqrt($0)", 0) PURE_INTRINSIC("llvm.fma.", "fma($0, $1, $2)", 0)
        PURE_INTRINSIC("llvm.fmuladd.", "$0 * $1 + $2", 0) PURE_INTRINSIC(
            "llvm.floor.", "floor($0)", 0) PURE_INTRINSIC("llvm.ceil.", "ceil($0)", 0)
            PURE_INTRINSIC("llvm.trunc.", "trunc($0)", 0) PURE_INTRINSIC(
                "llvm.rint.", "rint($0)", 0) PURE_INTRINSIC("llvm.nearbyint.", "rint($0)", 0)
                PURE_INTRINSIC("llvm.roundeven.", "rint($0)", 0) PURE_INTRINSIC(
                    "llvm.round.", "round($0)",
                    0) PURE_INTRINSIC("llvm.copysign.", "copysign($0, $1)",
                                      0) PURE_INTRINSIC("llvm.minnum.", "fmin($0, $1)", 0)
                    PURE_INTRINSIC("llvm.maxnum.", "fmax($0, $1)", 0) PURE_INTRINSIC(
                        "llvm.pow.", "pow($0, $1)", 0) PURE_INTRINSIC("llvm.exp.", "exp($0)", 0)
                        PURE_INTRINSIC("llvm.exp2.", "exp2($0)", 0) PURE_INTRINSIC(
                            "llvm.log.", "log($0)",
                            0) PURE_INTRINSIC("llvm.log2.", "log2($0)",
                                              0) PURE_INTRINSIC("llvm.log10.", "log10($0)", 0)
                            PURE_INTRINSIC("llvm.sin.", "sin($0)", 0) PURE_INTRINSIC(
                                "llvm.cos.", "cos($0)",
                                0) PURE_INTRINSIC("llvm.ctpop.", "popcount($0)",
                                                  'u') PURE_INTRINSIC("llvm.ctlz.", "clz($0)", 'u')
                                PURE_INTRINSIC("llvm.abs.", "abs($0)",
                                               's') PURE_INTRINSIC("llvm.smin.", "min($0, $1)", 's')
                                    PURE_INTRINSIC("llvm.smax.", "max($0, $1)", 's') PURE_INTRINSIC(
                                        "llvm.umin.", "min($0, $1)",
                                        'u') PURE_INTRINSIC("llvm.umax.", "max($0, $1)", 'u')
                                        PURE_INTRINSIC("llvm.bitreverse.i32", "qn_brev_u32($0)",
                                                       'u') PURE_INTRINSIC("llvm.expect.", "$0", 0)
                                            PURE_INTRINSIC("llvm.uadd.sat.", "add_sat($0, $1)", 'u')
                                                PURE_INTRINSIC(
                                                    "llvm.sadd.sat.", "add_sat($0, $1)",
                                                    's') PURE_INTRINSIC("llvm.usub.sat.",
                                                                        "sub_sat($0, $1)", 'u')
                                                    PURE_INTRINSIC("llvm.ssub.sat.",
                                                                   "sub_sat($0, $1)", 's')
                                                        PURE_INTRINSIC("llvm.ldexp.",
                                                                       "ldexp($0, $1)", 0)
                                                            PURE_INTRINSIC("llvm.powi.",
                                                                           "pown($0, $1)", 0)
                                                                PURE_INTRINSIC("llvm.canonicalize.",
                                                                               "$0", 0)
#undef PURE_INTRINSIC
};

/* Names of clang's CUDA builtins: the same functions under other names. */
static const char *const aliases[][2] = {
    {"llvm.nvvm.barrier0", "__syncthreads"},
    {"llvm.nvvm.barrier.sync", "__syncthreads"},
    {"llvm.nvvm.barrier0.popc", "__syncthreads_count"},
    {"llvm.nvvm.barrier0.and", "__syncthreads_and"},
    {"llvm.nvvm.barrier0.or", "__syncthreads_or"},
    {"llvm.nvvm.bar.warp.sync", "__syncwarp"},
    {"llvm.trap", "__trap"},
    {"llvm.ubsantrap", "__trap"},
    {"llvm.readcyclecounter", "clock64"},
    {"llvm.nvvm.membar.cta", "__threadfence_block"},
    {"llvm.nvvm.membar.gl", "__threadfence"},
    {"llvm.nvvm.membar.sys", "__threadfence_system"},
};

const struct qn__builtin *qn__builtin_rows(size_t *n)
{
    *n = N_ROWS;
    return rows;
}

static bool has_quirk(const struct qn__unit *u, const char *name, size_t n)
{
    for (unsigned q = 0; q < QN__N_QUIRKS; q++) {
        const char *const known = qn__quirk_name((enum qn__quirk)q);
        if (strlen(known) == n && memcmp(known, name, n) == 0)
            return qn__profile_has(u->profile, (enum qn__quirk)q);
    }
    return false;
}

static bool need_met(struct qn__unit *u, const char *word, size_t n)
{
    const bool negated = n && *word == '!';
    enum qn__ability a;
    if (!qn__ability_find(&a, word + negated, (unsigned)(n - negated)))
        return has_quirk(u, word, n);
    const bool has = a == QN__CAN_fast_math ? u->fast_math : qn__profile_can(u->profile, a);
    return has != negated;
}

bool qn__needs_met(struct qn__unit *u, const char *needs)
{
    for (const char *p = needs; *p;) {
        const size_t n = strcspn(p, " ");
        if (n && !need_met(u, p, n))
            return false;
        p += n;
        p += strspn(p, " ");
    }
    return true;
}

void qn__needs_use(struct qn__unit *u, LLVMValueRef where, const struct qn__builtin *b)
{
    for (const char *p = b->needs; *p;) {
        const size_t n = strcspn(p, " ");
        enum qn__ability a = QN__N_ABILITIES;
        if (*p != '!' && qn__ability_find(&a, p, (unsigned)n) && a != QN__CAN_fast_math)
            qn__use_ability(u, where, a);
        for (unsigned part = QN__CAN_shuffle; a == QN__CAN_warp && part <= QN__CAN_subgroup_size;
             part++) /* a warp is made of these */
            qn__use_ability(u, where, (enum qn__ability)part);
        p += n;
        p += strspn(p, " ");
    }
}

/* The table keeps the first row of each name; rows of one name need not follow each other, so the
 * others are found by a search from there. */
static void index_rows(struct qn__unit *u)
{
    u->builtin_slots = QN__NEED_ARRAY(u, uint32_t, QN__BUILTIN_SLOTS);
    for (uint32_t i = 0; i < N_ROWS; i++) {
        uint32_t slot = qn__name_hash(rows[i].name) % QN__BUILTIN_SLOTS;
        while (u->builtin_slots[slot])
            slot = (slot + 1) % QN__BUILTIN_SLOTS;
        u->builtin_slots[slot] = i + 1;
    }
}

uint32_t qn__name_hash(const char *name)
{
    uint32_t h = 2166136261u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 16777619u;
    return h;
}

const struct qn__builtin *qn__builtin_find(struct qn__unit *u, const char *name)
{
    if (strncmp(name, "llvm.", 5) == 0) {
        for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
            if (strcmp(aliases[i][0], name) == 0)
                return qn__builtin_find(u, aliases[i][1]);
        for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
            if (qn__starts_with(name, intrinsics[i].name))
                return &intrinsics[i];
        return NULL;
    }
    if (!u->builtin_slots)
        index_rows(u);
    const struct qn__builtin *last = NULL;
    for (uint32_t slot = qn__name_hash(name) % QN__BUILTIN_SLOTS; u->builtin_slots[slot];
         slot = (slot + 1) % QN__BUILTIN_SLOTS) {
        const struct qn__builtin *const b = &rows[u->builtin_slots[slot] - 1];
        if (strcmp(b->name, name) != 0)
            continue;
        last = b;
        if (qn__needs_met(u, b->needs))
            return b;
    }
    return last;
}

/* The signature of a call's row, or NULL. */
static const struct qn__builtin *builtin_of(struct qn__unit *u, LLVMValueRef call)
{
    const LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t n;
    return LLVMIsAFunction(callee) ? qn__builtin_find(u, LLVMGetValueName2(callee, &n)) : NULL;
}

static int sign_of_type(const char *name)
{
    return *name == 'u' ? 1 : *name && strchr("csil", *name) ? -1 : 0;
}

bool qn__is_min_max(LLVMValueRef call)
{
    static const char *const all[] = {"llvm.smin.", "llvm.smax.", "llvm.umin.", "llvm.umax."};
    size_t n;
    const char *const name = LLVMGetValueName2(LLVMGetCalledValue(call), &n);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (qn__starts_with(name, all[i]))
            return true;
    return false;
}

int qn__result_sign(struct qn__unit *u, LLVMValueRef call)
{
    const struct qn__builtin *const b = builtin_of(u, call);
    if (b && !*b->signature) /* an intrinsic of LLVM's */
        return b->sign == 'u' ? 1 : b->sign == 's' ? -1 : 0;
    return b ? sign_of_type(b->signature) : 0;
}

int qn__argument_sign(struct qn__unit *u, LLVMValueRef call, LLVMValueRef argument)
{
    const struct qn__builtin *const b = builtin_of(u, call);
    const char *p = b ? strchr(b->signature, '(') : NULL;
    for (unsigned i = 0; p && *p && i < LLVMGetNumArgOperands(call); i++) {
        p++;
        p += strspn(p, " ");
        if (LLVMGetArgOperand(call, i) == argument)
            return sign_of_type(p);
        p = strchr(p, ',');
    }
    return 0;
}
