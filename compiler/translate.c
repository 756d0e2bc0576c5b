/* SPDX-License-Identifier: Apache-2.0
 *
 * The translator's entry: runs the stages in order; the result is in the caller's arena. LLVM's
 * objects and the temporary folder are released here whatever happened, so the stages need no
 * clean-up of their own. */
#include "base/file.h"
#include "compiler/core/diagnose.h"
#include "compiler/frontend/clang.h"
#include "compiler/frontend/frontend.h"
#include "compiler/lang/language.h"
#include "compiler/out/dump.h"
#include "compiler/out/unit_text.h"
#include "compiler/pipeline.h"

#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LLVM's own diagnostics are dropped: ours are made from the IR. */
static void ignore_diagnostic(LLVMDiagnosticInfoRef info, void *user)
{
    (void)info;
    (void)user;
}

static qn_status fail_with_first_error(struct qn__unit *u, qn_status s)
{
    const char *const at = strstr(u->diagnostics.text, "error: ");
    const char *line = at ? at : u->diagnostics.text;
    while (line > u->diagnostics.text && line[-1] != '\n')
        line--;
    return qn__fail(s, "%.*s", (int)strcspn(line, "\n"), line);
}

static qn_status stages(struct qn__unit *u)
{
    QN_TRY(qn__frontend(u));
    QN_TRY(qn__pipeline(u));
    QN_TRY(u->dump_after ? qn__print_dump(u) : qn__print_unit(u));
    QN_TRY(qn__str_check(&u->diagnostics));
    if (u->n_errors == 0)
        return QN_OK;
    if (u->n_errors == u->n_errors_left_out && u->n_reflected > 0) {
        qn__refusals_become_warnings(u);
        return qn__str_check(&u->diagnostics);
    }
    if (u->device_log && (u->needs_device_error || u->n_reflected == 0)) {
        qn__str_clear(&u->diagnostics); /* nothing is left to do without that code */
        qn__str_add(&u->diagnostics, u->device_log);
        return fail_with_first_error(u, QN_E_COMPILE);
    }
    return fail_with_first_error(u, QN_E_UNSUPPORTED);
}

static qn_status run_stages(struct qn__unit *u)
{
    jmp_buf out_of_memory;
    u->out_of_memory = &out_of_memory;
    const uint32_t failures = qn__str_failures();
    if (setjmp(out_of_memory) != 0)
        return qn__fail(QN_E_MEMORY, "out of memory");
    const qn_status s = stages(u);
    if (s == QN_OK && qn__str_failures() != failures) /* a piece of the text is missing */
        return qn__fail(QN_E_MEMORY, "out of memory");
    return s;
}

static const char *identity(struct qn__arena *arena, const char *version, size_t n)
{
    return qn__arena_printf(arena, "quern-translate %d (clang %.*s, LLVM %s)",
                            QN__TRANSLATOR_VERSION, (int)n, version, LLVM_VERSION_STRING);
}

/* The module names the clang that made it: "Debian clang version 19.1.7 (3)". */
static const char *made_by(struct qn__unit *u)
{
    enum { ROWS = 64 }; /* one for each file of a program */
    LLVMValueRef row[ROWS], text;
    unsigned n = u->module ? LLVMGetNamedMetadataNumOperands(u->module, "llvm.ident") : 0;
    if (n == 0 || n > ROWS)
        return NULL;
    LLVMGetNamedMetadataOperands(u->module, "llvm.ident", row);
    LLVMGetMDNodeOperands(row[0], &text);
    const char *const full = LLVMGetMDString(text, &n);
    const char *const copy = full ? qn__arena_strndup(u->arena, full, n) : NULL;
    const char *const word = copy ? strstr(copy, "version ") : NULL;
    return word ? identity(u->arena, word + 8, strcspn(word + 8, " \n-+~")) : NULL;
}

static void hand_over(struct qn__unit *u, qn_status *s)
{
    struct qn__translate_result *const out = u->result;
    out->diagnostics = qn__arena_strdup(u->arena, u->diagnostics.text ? u->diagnostics.text : "");
    if (!out->raw)
        out->raw = qn__arena_strdup(u->arena, "");
    if (*s != QN_OK)
        out->text = NULL;
    if (!out->diagnostics || !out->raw)
        *s = qn__fail(QN_E_MEMORY, "out of memory");
}

static qn_status refuse_profile(const char *profile)
{
    char names[256] = "";
    size_t n = 0;
    for (const char *const *p = qn__profile_names(); *p && n < sizeof names; p++)
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", n ? ", " : "", *p);
    return qn__fail(
        QN_E_INVALID,
        "profile %s: not one of %s, with :fp64-, :fp16+ and the like for abilities that "
        "differ, and :switch- and the like for workarounds (base/profiles.def)",
        profile, names);
}

qn_status qn__translate(struct qn__translate_result *out, struct qn__arena *arena,
                        const struct qn__translate_request *request)
{
    memset(out, 0, sizeof *out);
    if (request->n_files == 0)
        return qn__fail(QN_E_INVALID, "no source file");
    struct qn__profile profile;
    if (!qn__profile_parse(&profile, request->profile))
        return refuse_profile(request->profile);
    struct qn__unit u = {.arena = arena,
                         .request = request,
                         .result = out,
                         .profile = &profile,
                         .language = request->language                          ? request->language
                                     : qn__profile_can(&profile, QN__CAN_loops) ? &qn__c
                                                                                : &qn__opencl_c,
                         .contract = true};
    u.context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(u.context, ignore_diagnostic, NULL);
    qn_status s = run_stages(&u);
    out->compiler = made_by(&u);
    struct qn__message message;
    qn__message_save(&message);
    if (u.module)
        LLVMDisposeModule(u.module);
    LLVMContextDispose(u.context);
    if (u.temp_dir)
        qn__temp_dir_remove(u.temp_dir);
    free(u.temp_dir);
    if (s != QN_OK)
        qn__message_restore(&message);
    hand_over(&u, &s);
    qn__str_release(&u.diagnostics);
    qn__str_release(&u.explain);
    qn__str_release(&u.library);
    qn__str_release(&u.dump);
    return s;
}

qn_status qn__translate_identity(const char **out, struct qn__arena *arena, const char *clang)
{
    const char *program, *version;
    *out = NULL;
    QN_TRY(qn__clang_find(&program, arena, clang));
    QN_TRY(qn__clang_version(&version, arena, program));
    *out = identity(arena, version, strlen(version));
    return *out ? QN_OK : qn__fail(QN_E_MEMORY, "out of memory");
}

const char *const *qn__translate_profiles(void)
{
    return qn__profile_names();
}
