/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the passes of passes.def: those of the module, then for each kernel those of its values and
 * its statements. Nothing else decides what runs when.
 *
 * Facts say what holds between two passes; a pass that needs one which does not hold is a mistake
 * in the list, and an assertion. The printers (out/) come after the pipeline and change nothing. */
#include "compiler/pipeline.h"
#include "compiler/core/diagnose.h"
#include "compiler/lang/language.h"
#include "compiler/lower/llvm_passes.h"
#include "compiler/model/function.h"
#include "compiler/out/dump.h"
#include "compiler/passes.h"

#include <assert.h>

enum fact_bit {
#define QN_FACT(name, text) BIT_##name,
#include "compiler/passes.def"
};
enum fact {
#define QN_FACT(name, text) name = 1 << BIT_##name,
#include "compiler/passes.def"
};
enum { FACTS_OF_FRONTEND = UNFOLDED | CALLS };

/* ---- when ---- */

static bool when_ALWAYS(const struct qn__unit *u, const struct qn__function *f)
{
    (void)u;
    (void)f;
    return true;
}

static bool when_HAS_BARRIER(const struct qn__unit *u, const struct qn__function *f)
{
    (void)u;
    return f->has_barrier;
}

/* Every work-item has to reach every barrier. On NVIDIA's hardware those that have returned count
 * as arrived, for barriers and for warp operations, as in CUDA. There they must return: a warp
 * operation waits for the work-items in its mask until they arrive or have exited. */
static bool must_flatten(const struct qn__function *f)
{
    return f->barriers_diverge && !f->barriers_native;
}

static bool when_MUST_STRUCTURE(const struct qn__unit *u, const struct qn__function *f)
{
    (void)u;
    return f->is_irreducible && must_flatten(f);
}

static bool when_TO_FLATTEN(const struct qn__unit *u, const struct qn__function *f)
{
    (void)u;
    return !f->is_irreducible && (must_flatten(f) || f->by_flags || f->exits_diverge);
}

static bool when_LOOPS(const struct qn__unit *u, const struct qn__function *f)
{
    (void)f;
    return u->language->in_loops;
}

static bool when_LOOPS_AND_BARRIER(const struct qn__unit *u, const struct qn__function *f)
{
    return u->language->in_loops && f->has_barrier;
}

static bool when_IN_SUBGROUPS(const struct qn__unit *u, const struct qn__function *f)
{
    (void)f;
    return u->abilities_used >> QN__CAN_warp & 1;
}

static bool when_QUIRK_COPY_BYVAL(const struct qn__unit *u, const struct qn__function *f)
{
    (void)f;
    return qn__profile_has(u->profile, QN__QUIRK_copy_byval);
}

static bool when_QUIRK_MASKED_INDEX(const struct qn__unit *u, const struct qn__function *f)
{
    (void)f;
    return qn__profile_has(u->profile, QN__QUIRK_masked_index);
}

static bool when_QUIRK_VOLATILE_STORE(const struct qn__unit *u, const struct qn__function *f)
{
    (void)f;
    return qn__profile_has(u->profile, QN__QUIRK_volatile_store);
}

static bool when_QUIRK_VOLATILE_ELEMENT(const struct qn__unit *u, const struct qn__function *f)
{
    (void)f;
    return qn__profile_has(u->profile, QN__QUIRK_volatile_element);
}

static bool when_QUIRK_VOLATILE_NEGATION(const struct qn__unit *u, const struct qn__function *f)
{
    (void)f;
    return qn__profile_has(u->profile, QN__QUIRK_volatile_negation);
}

static bool when_QUIRK_SWITCH(const struct qn__unit *u, const struct qn__function *f)
{
    return f->has_barrier && qn__profile_has(u->profile, QN__QUIRK_switch);
}

static bool when_QUIRK_FLAG_PATHS(const struct qn__unit *u, const struct qn__function *f)
{
    return f->has_barrier && !f->barriers_native && !when_MUST_STRUCTURE(u, f) &&
           qn__profile_has(u->profile, QN__QUIRK_flag_paths);
}

static bool when_QUIRK_JOIN_BARRIER(const struct qn__unit *u, const struct qn__function *f)
{
    return f->has_barrier && qn__profile_has(u->profile, QN__QUIRK_join_barrier);
}

static bool when_QUIRK_GUARD_LOOP(const struct qn__unit *u, const struct qn__function *f)
{
    return f->has_barrier && qn__profile_has(u->profile, QN__QUIRK_guard_loop);
}

static bool when_QUIRK_PAD_ARRAY(const struct qn__unit *u, const struct qn__function *f)
{
    return f->has_barrier && qn__profile_has(u->profile, QN__QUIRK_pad_array);
}

/* ---- the list ---- */

enum level { LEVEL_MODULE, LEVEL_KERNEL, LEVEL_TREE };

struct pass {
    enum level level;
    const char *name;
    qn_status (*of_module)(struct qn__unit *u);
    void (*of_kernel)(struct qn__function *f);
    const char *of_llvm;
    bool (*when)(const struct qn__unit *u, const struct qn__function *f); /* MODULE: f is NULL */
    unsigned needs, gives, breaks;
};

static const struct pass passes[] = {
#define ENTRY_MODULE .of_module
#define ENTRY_KERNEL .of_kernel
#define ENTRY_TREE   .of_kernel
#define QN_PASS(level, id, function, condition, need, give, break_, text)                          \
    {LEVEL_##level, #id,           ENTRY_##level = function, .when = when_##condition,             \
     .needs = need, .gives = give, .breaks = break_},
#define QN_LLVM(id, list, need, give, break_, text)                                                \
    {LEVEL_MODULE,  #id,           .of_llvm = list, .when = when_ALWAYS,                           \
     .needs = need, .gives = give, .breaks = break_},
#include "compiler/passes.def"
};
enum { N_PASSES = sizeof passes / sizeof *passes };

static unsigned facts_after(const struct pass *p, unsigned facts)
{
    return (facts | p->gives) & ~p->breaks;
}

/* ---- dumps ---- */

static bool is_wanted(const struct qn__unit *u, const struct pass *p)
{
    return u->dump_after && qn__equal(u->dump_after, p->name);
}

static qn_status check_dump(struct qn__unit *u)
{
    const char *names = "";
    if (!u->dump_after)
        return QN_OK;
    for (int i = 0; i < N_PASSES; i++) {
        if (is_wanted(u, &passes[i]))
            return QN_OK;
        if (passes[i].name[0] == u->dump_after[0])
            names = qn__text(u, "%s %s", names, passes[i].name);
    }
    return qn__fail(QN_E_INVALID,
                    "no pass is called %s; with that letter:%s; docs/passes.md has all",
                    u->dump_after, *names ? names : " none");
}

static void dump_kernel(struct qn__function *f, const struct pass *p, bool ran)
{
    struct qn__unit *const u = f->u;
    qn__str_printf(&u->dump, "%s/* kernel %s after %s%s */\n", u->dump.len ? "\n" : "",
                   f->source->name, p->name, ran ? "" : ", which does not run for it");
    if (p->level == LEVEL_TREE)
        qn__dump_tree(f, &u->dump);
    else
        qn__dump_values(f, &u->dump);
}

/* ---- running ---- */

static qn_status run_on_module(struct qn__unit *u, unsigned *facts, bool *dumped)
{
    for (int i = 0; i < N_PASSES && passes[i].level == LEVEL_MODULE && !*dumped; i++) {
        const struct pass *const p = &passes[i];
        if (p->when(u, NULL)) {
            assert((*facts & p->needs) == p->needs);
            QN_TRY(p->of_llvm ? qn__llvm_passes_run(u->module, p->of_llvm) : p->of_module(u));
            *facts = facts_after(p, *facts);
        }
        *dumped = is_wanted(u, p);
        if (*dumped)
            qn__dump_module(u, p->name, &u->dump);
    }
    return QN_OK;
}

static void run_on_kernel(struct qn__function *f, unsigned facts)
{
    for (int i = 0; i < N_PASSES; i++) {
        const struct pass *const p = &passes[i];
        if (p->level == LEVEL_MODULE)
            continue;
        const bool runs = p->when(f->u, f);
        assert(!runs || (facts & p->needs) == p->needs);
        if (runs) {
            p->of_kernel(f);
            facts = facts_after(p, facts);
        }
        if (is_wanted(f->u, p)) {
            dump_kernel(f, p, runs);
            return;
        }
    }
    assert(facts & DECLARED);
}

static void run_kernel(struct qn__unit *u, struct qn__kernel_source *k, unsigned facts)
{
    const uint64_t used_before = u->abilities_used;
    u->abilities_used = 0;
    u->current_function = k->function;
    u->current = NULL;
    k->model = qn__function_new(u, k);
    run_on_kernel(k->model, facts);
    u->abilities_used |= used_before;
    if (k->model->has_alias_types)
        qn__explain(u, NULL, "memory accessed as several types: through types that may alias");
}

/* What the text gets beside its kernels, as it was before one of them. */
struct beside {
    uint64_t abilities;
    uint32_t n_vars, n_constants, n_library;
    size_t library_bytes;
};

static struct beside beside_now(const struct qn__unit *u)
{
    return (struct beside){u->abilities_used, u->n_vars, u->n_constants, u->n_library,
                           u->library.len};
}

static void beside_restore(struct qn__unit *u, const struct beside *b)
{
    u->abilities_used = b->abilities;
    u->n_vars = b->n_vars;
    u->n_constants = b->n_constants;
    u->n_library = b->n_library;
    u->library.len = b->library_bytes;
    if (u->library.text)
        u->library.text[b->library_bytes] = 0;
}

/* A kernel that was refused, here or by a pass of the module, is left out again where that may be.
 */
static void run_or_leave_out(struct qn__unit *u, struct qn__kernel_source *k, unsigned facts)
{
    const struct beside before = beside_now(u);
    const bool may_leave_out = qn__may_leave_out(u, k);
    u->current_function = k->function;
    if (k->n_errors == 0 || !may_leave_out)
        run_kernel(u, k, facts);
    if (k->n_errors == 0 || !may_leave_out)
        return;
    u->n_errors_left_out += k->n_errors;
    k->model = NULL;
    beside_restore(u, &before);
    u->current = NULL;
    qn__warn_left_out(u, k, k->name);
}

qn_status qn__pipeline(struct qn__unit *u)
{
    unsigned facts = FACTS_OF_FRONTEND;
    bool dumped = false;
    QN_TRY(check_dump(u));
    QN_TRY(run_on_module(u, &facts, &dumped));
    for (uint32_t i = 0; !dumped && i < u->n_kernels; i++)
        run_or_leave_out(u, &u->kernels[i], facts);
    u->current_function = NULL;
    return QN_OK;
}
