/* SPDX-License-Identifier: Apache-2.0
 *
 * Debug information read through metadata operands (debug_info.h). */
#include "compiler/core/debug_info.h"

#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>

/* Operand numbers of LLVM's debug nodes, unchanged since LLVM 9. */
enum {
    TYPE_NAME = 2,     /* of DIType and its kinds, and of DISubprogram */
    DERIVED_BASE = 3,  /* DIDerivedType; element type of an array's DICompositeType */
    ELEMENTS = 4,      /* DICompositeType */
    ROUTINE_TYPES = 3, /* DISubroutineType */
    PROGRAM_TYPE = 4,  /* DISubprogram */
};

/* DWARF tags of derived types. */
enum {
    TAG_ARRAY = 0x01,
    TAG_CLASS = 0x02,
    TAG_ENUMERATION = 0x04,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_REFERENCE = 0x10,
    TAG_STRUCTURE = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_INHERITANCE = 0x1c,
    TAG_CONST = 0x26,
    TAG_VOLATILE = 0x35,
    TAG_RESTRICT = 0x37,
    TAG_RVALUE = 0x42,
};

static unsigned tag_of(LLVMMetadataRef node)
{
#if LLVM_VERSION_MAJOR >= 19
    return node ? LLVMGetDINodeTag(node) : 0;
#else
    (void)node;
    return 0; /* no getter: types come from the accesses alone */
#endif
}

static LLVMValueRef operand_value(struct qn__unit *u, LLVMMetadataRef node, unsigned i)
{
    enum { MOST = 32 };
    LLVMValueRef operands[MOST];
    if (!node)
        return NULL;
    const LLVMValueRef v = LLVMMetadataAsValue(u->context, node);
    const unsigned n = LLVMGetMDNodeNumOperands(v);
    if (i >= n || n > MOST)
        return NULL;
    LLVMGetMDNodeOperands(v, operands);
    return operands[i];
}

LLVMMetadataRef qn__di_operand(struct qn__unit *u, LLVMMetadataRef node, unsigned i)
{
    const LLVMValueRef v = operand_value(u, node, i);
    return v ? LLVMValueAsMetadata(v) : NULL;
}

const char *qn__di_name(struct qn__unit *u, LLVMMetadataRef node, unsigned i)
{
    const LLVMValueRef v = operand_value(u, node, i);
    unsigned n = 0;
    const char *const text = v && LLVMIsAMDString(v) ? LLVMGetMDString(v, &n) : NULL;
    return text ? qn__text(u, "%.*s", (int)n, text) : "";
}

LLVMMetadataRef qn__di_strip(struct qn__unit *u, LLVMMetadataRef type)
{
    for (;;) {
        switch (tag_of(type)) {
        case TAG_TYPEDEF:
        case TAG_CONST:
        case TAG_VOLATILE:
        case TAG_RESTRICT: type = qn__di_operand(u, type, DERIVED_BASE); break;
        default: return type;
        }
    }
}

bool qn__di_is_const(struct qn__unit *u, LLVMMetadataRef type)
{
    for (;; type = qn__di_operand(u, type, DERIVED_BASE))
        switch (tag_of(type)) {
        case TAG_CONST: return true;
        case TAG_TYPEDEF:
        case TAG_VOLATILE: break;
        default: return false;
        }
}

const char *qn__di_scalar_name(struct qn__unit *u, LLVMMetadataRef type)
{
    type = qn__di_strip(u, type);
    if (type && tag_of(type) == TAG_ENUMERATION)
        type = qn__di_strip(u, qn__di_operand(u, type, DERIVED_BASE));
    if (!type || LLVMGetMetadataKind(type) != LLVMDIBasicTypeMetadataKind)
        return NULL;
    return qn__di_name(u, type, TYPE_NAME);
}

LLVMMetadataRef qn__di_pointee(struct qn__unit *u, LLVMMetadataRef type, bool *is_pointer)
{
    type = qn__di_strip(u, type);
    const unsigned tag = tag_of(type);
    *is_pointer = tag == TAG_POINTER || tag == TAG_REFERENCE || tag == TAG_RVALUE;
    return *is_pointer ? qn__di_operand(u, type, DERIVED_BASE) : NULL;
}

LLVMMetadataRef qn__di_element(struct qn__unit *u, LLVMMetadataRef type)
{
    type = qn__di_strip(u, type);
    return tag_of(type) == TAG_ARRAY ? qn__di_operand(u, type, DERIVED_BASE) : NULL;
}

const char *qn__di_qualified(struct qn__unit *u, LLVMMetadataRef node, const char *name)
{
    enum { SCOPE = 1, LEVELS = 16 };
    LLVMMetadataRef scope = node ? qn__di_operand(u, node, SCOPE) : NULL;
    for (int i = 0; scope && i < LEVELS; i++, scope = qn__di_operand(u, scope, SCOPE)) {
        const LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
        if (kind != LLVMDINamespaceMetadataKind && kind != LLVMDICompositeTypeMetadataKind)
            break;
        const char *const outer = qn__di_name(u, scope, TYPE_NAME);
        if (*outer)
            name = qn__text(u, "%s::%s", outer, name);
    }
    return name;
}

static const char *spelling(struct qn__unit *u, LLVMMetadataRef type, bool is_full)
{
    if (!type)
        return "void";
    const LLVMMetadataRef base = qn__di_operand(u, type, DERIVED_BASE);
    switch (tag_of(type)) {
    case TAG_POINTER: {
        const char *const to = spelling(u, base, is_full);
        return qn__text(u, "%s%s*", to, qn__ends_with(to, "*") ? "" : " ");
    }
    case TAG_REFERENCE: return qn__text(u, "%s &", spelling(u, base, is_full));
    case TAG_RVALUE: return qn__text(u, "%s &&", spelling(u, base, is_full));
    case TAG_RESTRICT: return spelling(u, base, is_full);
    case TAG_VOLATILE: return qn__text(u, "volatile %s", spelling(u, base, is_full));
    case TAG_CONST: {
        const char *const to = spelling(u, base, is_full);
        return qn__ends_with(to, "*") ? qn__text(u, "%sconst", to) : qn__text(u, "const %s", to);
    }
    case TAG_ARRAY: return qn__text(u, "%s[]", spelling(u, base, is_full));
    default: {
        const char *const name = qn__di_name(u, type, TYPE_NAME);
        if (!*name)
            return "(unnamed)";
        return is_full ? qn__di_qualified(u, type, name) : name;
    }
    }
}

const char *qn__di_spelling(struct qn__unit *u, LLVMMetadataRef type)
{
    return spelling(u, type, false);
}

const char *qn__di_parameter_spelling(struct qn__unit *u, LLVMMetadataRef type)
{
    while (tag_of(type) == TAG_CONST || tag_of(type) == TAG_VOLATILE ||
           tag_of(type) == TAG_RESTRICT)
        type = qn__di_operand(u, type, DERIVED_BASE);
    return spelling(u, type, true);
}

LLVMMetadataRef qn__di_parameter(struct qn__unit *u, LLVMValueRef function, unsigned index)
{
    const LLVMMetadataRef program = LLVMGetSubprogram(function);
    const LLVMMetadataRef types =
        qn__di_operand(u, qn__di_operand(u, program, PROGRAM_TYPE), ROUTINE_TYPES);
    return qn__di_operand(u, types, index + 1);
}

const char *qn__di_function_name(struct qn__unit *u, LLVMValueRef function)
{
    const LLVMMetadataRef program = LLVMGetSubprogram(function);
    return program ? qn__di_name(u, program, TYPE_NAME) : "";
}

static bool is_composite(LLVMMetadataRef type)
{
    const unsigned tag = tag_of(type);
    return tag == TAG_STRUCTURE || tag == TAG_CLASS || tag == TAG_UNION;
}

/* Types nest; a worklist, so that a deep chain of them cannot overflow the stack. */
void qn__di_see(struct qn__unit *u, LLVMMetadataRef first)
{
    LLVMMetadataRef *list = NULL;
    uint32_t n = 0, capacity = 0;
    QN__PUSH(u, list, n, capacity, first);
    while (n) {
        const LLVMMetadataRef type = list[--n];
        if (!type || qn__map_get(&u->record_di, type))
            continue;
        qn__map_put(u, &u->record_di, type, type);
        if (!is_composite(type)) {
            if (LLVMGetMetadataKind(type) == LLVMDIDerivedTypeMetadataKind ||
                tag_of(type) == TAG_ARRAY)
                QN__PUSH(u, list, n, capacity, qn__di_operand(u, type, DERIVED_BASE));
            continue;
        }
        QN__PUSH(u, u->composites, u->n_composites, u->composites_capacity, type);
        const LLVMMetadataRef elements = qn__di_operand(u, type, ELEMENTS);
        const unsigned count =
            elements ? LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(u->context, elements)) : 0;
        LLVMValueRef *const members = QN__NEED_ARRAY(u, LLVMValueRef, count);
        if (count)
            LLVMGetMDNodeOperands(LLVMMetadataAsValue(u->context, elements), members);
        for (unsigned i = 0; i < count; i++) {
            const LLVMMetadataRef m = members[i] ? LLVMValueAsMetadata(members[i]) : NULL;
            if (m && LLVMGetMetadataKind(m) == LLVMDIDerivedTypeMetadataKind)
                QN__PUSH(u, list, n, capacity, m);
        }
    }
}

void qn__di_collect_units(struct qn__unit *u)
{
    enum { RETAINED = 5 }; /* of DICompileUnit: types that only casts name */
    const unsigned n = LLVMGetNamedMetadataNumOperands(u->module, "llvm.dbg.cu");
    LLVMValueRef *const units = QN__NEED_ARRAY(u, LLVMValueRef, n);
    LLVMGetNamedMetadataOperands(u->module, "llvm.dbg.cu", units);
    for (unsigned i = 0; i < n; i++) {
        const LLVMMetadataRef list = qn__di_operand(u, LLVMValueAsMetadata(units[i]), RETAINED);
        if (!list)
            continue;
        const LLVMValueRef types = LLVMMetadataAsValue(u->context, list);
        const unsigned count = LLVMGetMDNodeNumOperands(types);
        LLVMValueRef *const all = QN__NEED_ARRAY(u, LLVMValueRef, count);
        if (count)
            LLVMGetMDNodeOperands(types, all);
        for (unsigned k = 0; k < count; k++)
            if (all[k])
                qn__di_see(u, LLVMValueAsMetadata(all[k]));
    }
}

void qn__di_collect(struct qn__unit *u, LLVMValueRef function)
{
    const unsigned n = LLVMCountParams(function) + 2;
    for (unsigned i = 0; i < n; i++)
        qn__di_see(u, qn__di_parameter(u, function, i));
}

/* "struct.ns::Vec.3" is "Vec": neither kind, nor namespace, nor LLVM's number. */
static const char *plain_struct_name(struct qn__unit *u, const char *name)
{
    const char *const dot = strchr(name, '.');
    if (dot)
        name = dot + 1;
    size_t n = strcspn(name, "<");
    for (const char *p; (p = strstr(name, "::")) != NULL && p < name + n;) {
        n -= (size_t)(p + 2 - name);
        name = p + 2;
    }
    size_t end = n;
    while (end && name[end - 1] >= '0' && name[end - 1] <= '9')
        end--;
    if (end && end < n && name[end - 1] == '.')
        n = end - 1;
    return qn__text(u, "%.*s", (int)n, name);
}

LLVMMetadataRef qn__di_composite(struct qn__unit *u, LLVMTypeRef type)
{
    const char *const full = LLVMGetStructName(type);
    if (!full)
        return NULL;
    const char *const name = plain_struct_name(u, full);
    const size_t n = strlen(name);
    const uint64_t bits = LLVMABISizeOfType(u->layout, type) * 8;
    for (uint32_t i = 0; i < u->n_composites; i++) {
        const char *const own = qn__di_name(u, u->composites[i], TYPE_NAME);
        const bool unnamed = !*own && qn__equal(name, "anon");
        if (LLVMDITypeGetSizeInBits(u->composites[i]) == bits &&
            (unnamed || (strncmp(own, name, n) == 0 && (own[n] == 0 || own[n] == '<'))))
            return u->composites[i];
    }
    return NULL;
}

const char *qn__di_variable_name(struct qn__unit *u, LLVMValueRef global)
{
    enum { VARIABLE_NAME = 1 };
    const unsigned dbg = LLVMGetMDKindIDInContext(u->context, "dbg", 3);
    const char *name = "";
    size_t n;
    LLVMValueMetadataEntry *const all = LLVMGlobalCopyAllMetadata(global, &n);
    for (unsigned i = 0; i < n; i++)
        if (LLVMValueMetadataEntriesGetKind(all, i) == dbg)
            name = qn__di_name(u, qn__di_operand(u, LLVMValueMetadataEntriesGetMetadata(all, i), 0),
                               VARIABLE_NAME);
    LLVMDisposeValueMetadataEntries(all);
    return name;
}

uint64_t qn__di_alignment(struct qn__unit *u, LLVMMetadataRef composite)
{
    const LLVMMetadataRef elements = qn__di_operand(u, composite, ELEMENTS);
    const LLVMValueRef list = elements ? LLVMMetadataAsValue(u->context, elements) : NULL;
    const unsigned count = list ? LLVMGetMDNodeNumOperands(list) : 0;
    LLVMValueRef *const members = QN__NEED_ARRAY(u, LLVMValueRef, count);
    uint64_t bits = LLVMDITypeGetAlignInBits(composite);
    if (count)
        LLVMGetMDNodeOperands(list, members);
    for (unsigned i = 0; i < count; i++) {
        const LLVMMetadataRef m = members[i] ? LLVMValueAsMetadata(members[i]) : NULL;
        if (tag_of(m) == TAG_MEMBER && LLVMDITypeGetAlignInBits(m) > bits)
            bits = LLVMDITypeGetAlignInBits(m);
    }
    return bits / 8;
}

const char *qn__di_member(struct qn__unit *u, LLVMMetadataRef composite, uint64_t offset,
                          uint64_t size, LLVMMetadataRef *type)
{
    *type = NULL;
    const LLVMMetadataRef elements = qn__di_operand(u, composite, ELEMENTS);
    if (!elements)
        return "";
    const LLVMValueRef list = LLVMMetadataAsValue(u->context, elements);
    const unsigned count = LLVMGetMDNodeNumOperands(list);
    LLVMValueRef *const members = QN__NEED_ARRAY(u, LLVMValueRef, count);
    if (count)
        LLVMGetMDNodeOperands(list, members);
    const char *found = "";
    for (unsigned i = 0; i < count; i++) {
        const LLVMMetadataRef m = members[i] ? LLVMValueAsMetadata(members[i]) : NULL;
        const unsigned tag = m ? tag_of(m) : 0;
        if ((tag != TAG_MEMBER && tag != TAG_INHERITANCE) ||
            LLVMDITypeGetOffsetInBits(m) != offset * 8)
            continue;
        const LLVMMetadataRef t = qn__di_operand(u, m, DERIVED_BASE);
        const LLVMMetadataRef bare = qn__di_strip(u, t);
        const uint64_t bits = bare ? LLVMDITypeGetSizeInBits(bare) : 0;
        if (*found && bits != size * 8)
            continue; /* of a union's members, the one that fits */
        found = tag == TAG_INHERITANCE ? "base" : qn__di_name(u, m, TYPE_NAME);
        *type = t;
        if (bits == size * 8 && tag == TAG_MEMBER)
            return found;
    }
    return found;
}

const char *qn__di_plain_symbol(struct qn__unit *u, const char *symbol)
{
    const char *out = "", *p = symbol + 2;
    if (!qn__starts_with(symbol, "_Z"))
        return symbol;
    p += *p == 'N' || *p == 'L';
    while (*p >= '1' && *p <= '9') {
        char *rest;
        const unsigned long n = strtoul(p, &rest, 10);
        if (n > strlen(rest))
            return symbol;
        out = qn__text(u, "%s%s%.*s", out, *out ? "::" : "", (int)n, rest);
        p = rest + n;
    }
    return *out ? out : symbol;
}
