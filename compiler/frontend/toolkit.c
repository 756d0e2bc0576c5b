/* SPDX-License-Identifier: Apache-2.0
 *
 * When the headers of a CUDA toolkit are worth a look. Most programs name CUB, Thrust or libcu++ in
 * host code only, or what ours have, and depend on no toolkit. There is something to gain where a
 * kernel that must be there needs what ours lack; and where it uses an operation of CUB's for a
 * block or a warp: ours give what CUB documents, and the toolkit's own its very roundings. */
#include "compiler/frontend/toolkit.h"

#include "base/toolkit_names.h"
#include "base/wire.h"
#include "compiler/core/kernel_list.h"

#include <string.h>

/* The line and column of `at` in the file. */
static const char *place_of(struct qn__unit *u, const struct qn__source_file *f, const char *at)
{
    unsigned line = 1;
    const char *begin = f->text;
    for (const char *p = f->text; p < at; p++)
        if (*p == '\n') {
            line++;
            begin = p + 1;
        }
    return qn__text(u, "%s:%u:%u", f->name, line, (unsigned)(at - begin) + 1);
}

const char *qn__toolkit_place(struct qn__unit *u)
{
    static const char word[] = "include";
    const char *below = NULL;
    for (uint32_t i = 0; i < u->request->n_files; i++) {
        const struct qn__source_file *const f = &u->request->files[i];
        const bool is_below = u->request->below && u->request->below[i];
        if (is_below && !below)
            below = qn__text(u, "%s:1:1", u->request->files[0].name);
        for (const char *p = f->text; !is_below && (p = strstr(p, word)) != NULL; p++) {
            const char *const open = p + sizeof word - 1 + strspn(p + sizeof word - 1, " \t");
            if ((*open == '<' || *open == '"') && qn__is_of_toolkit(open + 1))
                return place_of(u, f, open);
        }
    }
    return below;
}

/* ---- who needs it ---- */

struct reach {
    struct qn__unit *u;
    struct qn__map seen;
    LLVMValueRef *work;
    uint32_t n_work, capacity;
};

static void reach(struct reach *r, LLVMValueRef v)
{
    if (!v || qn__map_get(&r->seen, v))
        return;
    qn__map_put(r->u, &r->seen, v, v);
    QN__PUSH(r->u, r->work, r->n_work, r->capacity, v);
}

/* The functions, variables and constants that `v` is used by. */
static void reach_users(struct reach *r, LLVMValueRef v)
{
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        const LLVMValueRef by = LLVMGetUser(use);
        reach(r,
              LLVMIsAInstruction(by) ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(by)) : by);
    }
}

/* The variable of a name expression; without such, a kernel. */
static bool must_be_there(struct qn__unit *u, LLVMValueRef v, const LLVMValueRef *kernels,
                          uint32_t n_kernels)
{
    size_t n;
    if (u->request->n_names > 0)
        return LLVMIsAGlobalVariable(v) && qn__starts_with(LLVMGetValueName2(v, &n), "__qn_name_");
    for (uint32_t i = 0; i < n_kernels; i++)
        if (kernels[i] == v)
            return true;
    return false;
}

/* A member of a class of ours for a block or a warp. */
static bool is_of_cub(LLVMValueRef f)
{
    static const char *const classes[] = {"Block", "Warp"};
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    if (!qn__starts_with(name, "_ZN3cub") && !qn__starts_with(name, "_ZNK3cub"))
        return false;
    name += strcspn(name, "3") + sizeof "3cub" - 1;
    name += strspn(name, "0123456789");
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (qn__starts_with(name, classes[i]))
            return true;
    return false;
}

/* A kernel of our device-wide algorithms (frontend/include/wide/): the program's host half is made
 * with our headers, and launches it by its name. */
static bool has_wide_kernels(struct qn__unit *u)
{
    uint32_t n_kernels;
    size_t n;
    const LLVMValueRef *const kernels = qn__kernel_list(u, &n_kernels);
    for (uint32_t i = 0; i < n_kernels; i++)
        if (strstr(LLVMGetValueName2(kernels[i], &n), "9__qn_wide"))
            return true;
    return false;
}

/* Does a kernel that must be there come to one of `r`'s? */
static bool reaches(struct reach *r)
{
    uint32_t n_kernels;
    const LLVMValueRef *const kernels = qn__kernel_list(r->u, &n_kernels);
    while (r->n_work) {
        const LLVMValueRef v = r->work[--r->n_work];
        if (must_be_there(r->u, v, kernels, n_kernels))
            return true;
        reach_users(r, v);
    }
    return false;
}

enum qn__toolkit_use qn__toolkit_use(struct qn__unit *u)
{
    struct reach lacks = {.u = u}, cub = {.u = u};
    if (has_wide_kernels(u))
        return QN__TOOLKIT_UNUSED;
    reach(&lacks, LLVMGetNamedFunction(u->module, QN__DEVICE_LEFT_OUT));
    if (reaches(&lacks))
        return QN__TOOLKIT_NEEDED;
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f))
        if (is_of_cub(f))
            reach(&cub, f);
    return reaches(&cub) ? QN__TOOLKIT_PREFERRED : QN__TOOLKIT_UNUSED;
}

/* ---- what is said ---- */

void qn__toolkit_was_read(struct qn__unit *u)
{
    struct qn__machine_files *const m = &u->result->machine;
    const char **searched = NULL;
    uint32_t n = 0, capacity = 0;
    for (uint32_t i = 0; i < m->n_folders; i++)
        QN__PUSH(u, searched, n, capacity, m->folders[i]);
    for (uint32_t i = 0; i < u->request->n_toolkit; i++)
        if (!qn__is_listed(searched, n, u->request->toolkit[i])) /* by a file before this one */
            QN__PUSH(u, searched, n, capacity, u->request->toolkit[i]);
    m->folders = searched;
    m->n_folders = n;
    m->toolkit = u->request->toolkit;
    m->n_toolkit = u->request->n_toolkit;
}

void qn__toolkit_warn(struct qn__unit *u, const char *lacking)
{
    qn__str_printf(
        &u->diagnostics,
        "%s: warning: read with the headers of CUB, Thrust and libcu++ in %s and the "
        "machine's own C++ headers, on which the result now depends: %s " QN__TRANSLATION_MARK "\n",
        qn__toolkit_place(u), u->request->toolkit[0],
        lacking ? qn__text(u, "Quern's do not suffice (%s)", lacking)
                : "a kernel uses CUB's operations of a block or a warp");
}

void qn__toolkit_note_ours(struct qn__unit *u, const char *why)
{
    const char *const known =
        why ? qn__text(u, "those in %s do not compile here%s: %s", u->request->toolkit[0],
                       qn__ends_with(why, "file not found")
                           ? " (they need this machine's C++ headers, too)"
                           : "",
                       why)
            : "where a CUDA toolkit is known (CUDA_PATH, QUERN_CCCL) they are the toolkit's";
    qn__str_printf(
        &u->diagnostics,
        "%s: note: CUB's operations of a block or a warp are Quern's own; %s, whose sums "
        "of floats may round otherwise " QN__TRANSLATION_MARK "\n",
        qn__toolkit_place(u), known);
}

void qn__toolkit_note_failure(struct qn__unit *u, const char *place, const char *reason)
{
    qn__str_printf(&u->diagnostics,
                   "%s: note: the headers of CUB, Thrust and libcu++ in %s do not help: %s\n",
                   place, u->request->toolkit[0], reason);
}
