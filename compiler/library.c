/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of library.cl: found by name, each printed once, after those it calls. */
#include "compiler/expr.h"

#include <ctype.h>
#include <string.h>

/* The text travels in the program; scripts/compiler.mk names the dependency. */
__asm__(".pushsection .rodata\n"
        "qn__library_text: .incbin \"compiler/library.cl\"\n"
        ".byte 0\n"
        ".popsection");
extern const char qn__library_text[];

static const char *replace_space(struct qn__unit *u, const char *text, size_t n, const char *word)
{
    struct qn__str out = {0};
    for (const char *p = text; p < text + n;) {
        if (n - (size_t)(p - text) >= 5 && strncmp(p, "SPACE", 5) == 0) {
            qn__str_add(&out, word);
            p += 5;
        } else {
            qn__str_add_char(&out, *p++);
        }
    }
    const char *const copy = qn__text(u, "%s", out.text ? out.text : "");
    qn__str_release(&out);
    return copy;
}

/* The function's text with its space filled in; NULL when there is none of that name. */
static const char *find(struct qn__unit *u, const char *name)
{
    const char *space = strrchr(name, '_');
    space = space ? space + 1 : "";
    const size_t stem = (size_t)(space - name);
    for (const char *p = strstr(qn__library_text, "\n//@ "); p; p = strstr(p + 1, "\n//@ ")) {
        const char *const own = p + 5;
        const size_t n = strcspn(own, "\n");
        const bool per_space = n > 5 && strncmp(own + n - 5, "SPACE", 5) == 0;
        if (per_space ? n - 5 != stem || strncmp(own, name, stem) != 0
                      : n != strlen(name) || strncmp(own, name, n) != 0)
            continue;
        const char *const body = own + n + 1;
        const char *const end = strstr(body, "\n//@ ");
        size_t length = end ? (size_t)(end - body) + 1 : strlen(body);
        while (length && body[length - 1] == '\n')
            length--;
        return replace_space(u, body, length, per_space ? space : "SPACE");
    }
    return NULL;
}

static bool is_used(struct qn__unit *u, const char *name)
{
    for (uint32_t i = 0; i < u->n_library; i++)
        if (qn__equal(u->library_names[i], name))
            return true;
    return false;
}

static void use(struct qn__unit *u, LLVMValueRef where, const char *name, int depth)
{
    if (is_used(u, name))
        return;
    const char *const text = find(u, name);
    if (!text || depth > 16) {
        qn__refuse(u, where, "the OpenCL library has no function %s", name);
        return;
    }
    for (const char *p = text; (p = strstr(p, "qn_")) != NULL;) {
        size_t n = 0;
        while (isalnum((unsigned char)p[n]) || p[n] == '_')
            n++;
        const bool word = p == text || (!isalnum((unsigned char)p[-1]) && p[-1] != '_');
        if (word && p[n] == '(' && !(strlen(name) == n && strncmp(p, name, n) == 0))
            use(u, where, qn__text(u, "%.*s", (int)n, p), depth + 1);
        p += n;
    }
    if (is_used(u, name))
        return;
    QN__PUSH(u, u->library_names, u->n_library, u->library_capacity, name);
    qn__str_printf(&u->library, "%s\n\n", text);
}

const char *qn__library_use(struct qn__unit *u, LLVMValueRef where, const char *name)
{
    use(u, where, name, 0);
    return name;
}

void qn__library_print(struct qn__unit *u, struct qn__str *out)
{
    qn__str_add(out, u->library.text ? u->library.text : "");
}
