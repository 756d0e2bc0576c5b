/* SPDX-License-Identifier: Apache-2.0
 *
 * Types by their names: OpenCL's, which the signatures of builtins.def use, and C++'s, which debug
 * information has. */
#include "compiler/model/type_lookup.h"

#include <string.h>

static const struct {
    const char *cl, *cpp;
    enum qn__kind kind;
    uint8_t bits;
    bool is_unsigned;
} scalars[] = {
    {"void", "void", QN__VOID, 0, false},
    {"bool", "bool", QN__INT, 8, true},
    {"char", "char", QN__INT, 8, false},
    {"char", "signed char", QN__INT, 8, false},
    {"uchar", "unsigned char", QN__INT, 8, true},
    {"short", "short", QN__INT, 16, false},
    {"ushort", "unsigned short", QN__INT, 16, true},
    {"int", "int", QN__INT, 32, false},
    {"uint", "unsigned int", QN__INT, 32, true},
    {"long", "long", QN__INT, 64, false},
    {"ulong", "unsigned long", QN__INT, 64, true},
    {"long", "long long", QN__INT, 64, false},
    {"ulong", "unsigned long long", QN__INT, 64, true},
    {"half", "_Float16", QN__FLOAT, 16, false},
    {"float", "float", QN__FLOAT, 32, false},
    {"double", "double", QN__FLOAT, 64, false},
};

const struct qn__type *qn__type_named_cpp(struct qn__unit *u, const char *name)
{
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (qn__equal(name, scalars[i].cpp))
            return qn__type_intern(u, (struct qn__type){.kind = scalars[i].kind,
                                                        .bits = scalars[i].bits,
                                                        .is_unsigned = scalars[i].is_unsigned});
    return NULL;
}

/* "uint", "float4", "const float *"; NULL when it is no name of a type. */
static const struct qn__type *type_named(struct qn__unit *u, const char *name, size_t n,
                                         enum qn__space space)
{
    while (n && name[n - 1] == ' ')
        n--;
    if (n && name[n - 1] == '*') {
        bool is_const = n > 6 && strncmp(name, "const ", 6) == 0;
        const struct qn__type *const to =
            type_named(u, name + (is_const ? 6 : 0), n - 1 - (is_const ? 6 : 0), space);
        return to ? qn__type_pointer(u, to, space, is_const, false) : NULL;
    }
    size_t letters = n;
    while (letters && name[letters - 1] >= '0' && name[letters - 1] <= '9')
        letters--;
    unsigned count = 0;
    for (size_t i = letters; i < n; i++)
        count = count * 10 + (unsigned)(name[i] - '0');
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (strlen(scalars[i].cl) == letters && memcmp(scalars[i].cl, name, letters) == 0) {
            const struct qn__type *const t = qn__equal(scalars[i].cl, "bool")
                                                 ? qn__type_bool(u)
                                                 : qn__type_named_cpp(u, scalars[i].cpp);
            return count ? qn__type_vector(u, t, count) : t;
        }
    return NULL;
}

const struct qn__type *qn__signature_type(struct qn__unit *u, const char *signature, int i,
                                          enum qn__space space)
{
    const size_t n_result = strcspn(signature, "(");
    if (i < 0)
        return type_named(u, signature, n_result, space);
    const char *p = signature + n_result + (signature[n_result] == '(');
    for (; i > 0 && *p && *p != ')' && *p != '.'; i--) {
        p += strcspn(p, ",)");
        p += *p == ',';
        p += strspn(p, " ");
    }
    return type_named(u, p, strcspn(p, ",)"), space);
}
