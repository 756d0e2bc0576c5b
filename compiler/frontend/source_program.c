/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of several files (`quern translate FIRST --with SECOND`). Their source is
 *
 *     #include "FIRST"
 *     #include "SECOND"
 *
 * and says no more than that. Read as one, the macros, static functions and overloads of the first
 * would be seen in the second. So clang reads each by itself, as nvcc does, and LLVM links what it
 * makes: a function that one file declares is the one that another defines. What several files
 * define is each file's own, as in nvcc's programs without -rdc; only a kernel has one definition.
 * Templates' variables are one, so that the host finds them.
 *
 * A file that needs what stands in one before it is no program of its own; then they are read as
 * one (frontend.c). */
#include "compiler/frontend/source_program.h"

#include "base/name_expression.h"
#include "base/wire.h"
#include "compiler/frontend/host_text.h"

#include <ctype.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Linker.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* `#include "name"` at p: the file's number in the request; n_files: no such line. */
static uint32_t included(struct qn__unit *u, const char *line, size_t n)
{
    static const char directive[] = "#include \"";
    const size_t before = sizeof directive - 1;
    const uint32_t none = u->request->n_files;
    if (n <= before || memcmp(line, directive, before) != 0)
        return none;
    const char *const name = line + before, *const end = memchr(name, '"', n - before);
    if (!end || end - name < 4 || memcmp(end - 3, ".cu", 3) != 0)
        return none;
    for (uint32_t i = 1; i < none; i++)
        if (strlen(u->request->files[i].name) == (size_t)(end - name) &&
            memcmp(u->request->files[i].name, name, (size_t)(end - name)) == 0)
            return i;
    return none;
}

/* The files of the program, by their numbers; how many there are, 0 for what is no program. */
static uint32_t list_files(struct qn__unit *u, uint32_t *out)
{
    const struct qn__source_file *const main = &u->request->files[0];
    const char *const code = qn__host_text_code(u, main->text, main->n);
    uint32_t n = 0;
    for (size_t i = 0, length; i < main->n; i += length + 1) {
        length = strcspn(main->text + i, "\n");
        const bool is_directive = length > 0 && main->text[i] == '#';
        if (!is_directive && strspn(code + i, " \t\r") >= length) /* blank, or a comment */
            continue;
        const uint32_t file = included(u, main->text + i, length);
        if (file == u->request->n_files || n == u->request->n_files)
            return 0;
        out[n++] = file;
    }
    return n > 1 ? n : 0;
}

static bool has_word(const char *text, const char *word, size_t n)
{
    for (const char *p = text; (p = strstr(p, word)) != NULL; p++)
        if ((p == text || !is_word(p[-1])) && !is_word(p[n]))
            return true;
    return false;
}

/* The file that a name expression is about: the first that has the name. */
static uint32_t file_of_name(struct qn__unit *u, const char *expression, const uint32_t *files,
                             uint32_t n)
{
    size_t end = strcspn(expression, "<(");
    while (end > 0 && !is_word(expression[end - 1]))
        end--;
    size_t begin = end;
    while (begin > 0 && is_word(expression[begin - 1]))
        begin--;
    const char *const word = qn__text(u, "%.*s", (int)(end - begin), expression + begin);
    for (uint32_t i = 0; i < n; i++)
        if (has_word(u->request->files[files[i]].text, word, end - begin))
            return i;
    return 0;
}

struct qn__translate_request *qn__program_files(struct qn__unit *u, uint32_t *n)
{
    const struct qn__translate_request *const whole = u->request;
    uint32_t *const files = QN__NEED_ARRAY(u, uint32_t, whole->n_files);
    *n = list_files(u, files);
    struct qn__translate_request *const out = QN__NEED_ARRAY(u, struct qn__translate_request, *n);
    for (uint32_t i = 0; i < *n; i++) {
        struct qn__source_file *const own =
            QN__NEED_ARRAY(u, struct qn__source_file, whole->n_files);
        memcpy(own, whole->files, whole->n_files * sizeof *own);
        own[0] = whole->files[files[i]];
        own[files[i]] = whole->files[0];
        out[i] = *whole;
        out[i].files = own;
        if (whole->below) {
            const char **const below = QN__NEED_ARRAY(u, const char *, whole->n_files);
            memcpy(below, whole->below, whole->n_files * sizeof *below);
            below[0] = whole->below[files[i]];
            below[files[i]] = whole->below[0];
            out[i].below = below;
        }
        const char **const names = QN__NEED_ARRAY(u, const char *, whole->n_names);
        for (uint32_t k = 0; k < whole->n_names; k++)
            if (file_of_name(u, whole->names[k], files, *n) == i)
                names[k] = whole->names[k];
        out[i].names = names;
    }
    return out;
}

/* By clang's metadata, or (newer LLVM) by the calling convention. */
static bool is_kernel(struct qn__unit *u, LLVMValueRef function)
{
    enum { PTX_KERNEL = 71, PARTS = 16 };
    const unsigned n = LLVMGetNamedMetadataNumOperands(u->module, "nvvm.annotations");
    LLVMValueRef *const rows = QN__NEED_ARRAY(u, LLVMValueRef, n), parts[PARTS];
    LLVMGetNamedMetadataOperands(u->module, "nvvm.annotations", rows);
    for (unsigned i = 0; i < n; i++) {
        const unsigned n_parts = LLVMGetMDNodeNumOperands(rows[i]);
        if (n_parts < 3 || n_parts > PARTS)
            continue;
        LLVMGetMDNodeOperands(rows[i], parts);
        unsigned length = 0;
        const char *const key = parts[0] == function ? LLVMGetMDString(parts[1], &length) : NULL;
        if (key && length == 6 && memcmp(key, "kernel", 6) == 0)
            return true;
    }
    return LLVMGetFunctionCallConv(function) == PTX_KERNEL;
}

/* Of static functions and unnamed namespaces, which clang gives to the host nevertheless. */
static bool is_of_one_file(const char *symbol)
{
    return qn__starts_with(symbol, "_ZL") || qn__starts_with(symbol, "_ZN12_GLOBAL__N_1");
}

static bool is_shared(LLVMValueRef v)
{
    const LLVMLinkage linkage = LLVMGetLinkage(v);
    return linkage == LLVMLinkOnceAnyLinkage || linkage == LLVMLinkOnceODRLinkage ||
           linkage == LLVMWeakAnyLinkage || linkage == LLVMWeakODRLinkage;
}

static void rename_symbol(struct qn__unit *u, LLVMModuleRef program, LLVMValueRef v,
                          const char *name)
{
    const char *fresh = name;
    for (unsigned i = 2; LLVMGetNamedFunction(program, fresh) || LLVMGetNamedGlobal(program, fresh);
         i++)
        fresh = qn__text(u, "%s.%u", name, i);
    LLVMSetValueName2(v, fresh, strlen(fresh));
    LLVMSetComdat(v, NULL); /* the linker takes one of those of a name */
}

/* What this file and one before it define, and what is not one thing of the program, goes by
 * another name here. */
static void keep_apart(struct qn__unit *u, LLVMModuleRef program)
{
    size_t n;
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f; f = LLVMGetNextFunction(f)) {
        const char *const name = LLVMGetValueName2(f, &n);
        const LLVMValueRef other = LLVMGetNamedFunction(program, name);
        if (other && !LLVMIsDeclaration(f) && !LLVMIsDeclaration(other) &&
            (is_of_one_file(name) || !is_kernel(u, f)))
            rename_symbol(u, program, f, name);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(u->module); g; g = LLVMGetNextGlobal(g)) {
        const char *const name = LLVMGetValueName2(g, &n);
        const LLVMValueRef other = LLVMGetNamedGlobal(program, name);
        if (other && !LLVMIsDeclaration(g) && !LLVMIsDeclaration(other) && !is_shared(g) &&
            LLVMGetLinkage(g) != LLVMAppendingLinkage)
            rename_symbol(u, program, g, name);
    }
}

qn_status qn__program_add(struct qn__unit *u, LLVMModuleRef program)
{
    if (!program)
        return QN_OK;
    keep_apart(u, program);
    const LLVMBool failed = LLVMLinkModules2(program, u->module);
    u->module = program;
    u->layout = LLVMGetModuleDataLayout(program);
    return failed ? qn__fail(QN_E_COMPILE, "two files of the program define one kernel") : QN_OK;
}
