/* SPDX-License-Identifier: Apache-2.0
 *
 * The C type of what LLVM has a type of. LLVM's integers have no sign and its structs no field
 * names; where debug information says what the source had, that is taken. CUDA's vector types
 * become OpenCL's where both have the same size and alignment; structs become records (types.h). */
#include "compiler/model/source_types.h"

#include "compiler/core/debug_info.h"
#include "compiler/core/diagnose.h"
#include "compiler/core/legal_names.h"
#include "compiler/model/type_lookup.h"
#include "compiler/model/value_names.h"

#include <string.h>

/* "float3", "uchar1": CUDA's vector types. */
static bool is_vector_name(const char *name)
{
    static const char *const bases[] = {"char",  "uchar",    "short",     "ushort",
                                        "int",   "uint",     "float",     "long",
                                        "ulong", "longlong", "ulonglong", "double"};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        const size_t n = strlen(bases[i]);
        if (strncmp(name, bases[i], n) == 0 && name[n] >= '1' && name[n] <= '4' && !name[n + 1])
            return true;
    }
    return false;
}

/* CUDA's struct.float4 is OpenCL's float4 where both have the same size and alignment. */
static const struct qn__type *vector_struct(struct qn__unit *u, LLVMTypeRef t)
{
    static const struct {
        const char *name;
        uint8_t bits;
        bool is_float, is_unsigned;
    } bases[] = {
        {"char", 8, false, false},      {"uchar", 8, false, true},  {"short", 16, false, false},
        {"ushort", 16, false, true},    {"int", 32, false, false},  {"uint", 32, false, true},
        {"long", 64, false, false},     {"ulong", 64, false, true}, {"longlong", 64, false, false},
        {"ulonglong", 64, false, true}, {"float", 32, true, false}, {"double", 64, true, false},
    };
    const char *const full = LLVMGetStructName(t);
    if (!full || !qn__starts_with(full, "struct."))
        return NULL;
    const char *const name = full + 7;
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        const size_t n = strlen(bases[i].name);
        if (strncmp(name, bases[i].name, n) != 0 || (name[n] != '2' && name[n] != '4') ||
            name[n + 1])
            continue;
        const unsigned count = (unsigned)(name[n] - '0');
        if (count * bases[i].bits > 128 || LLVMCountStructElementTypes(t) != count)
            return NULL;
        return qn__type_vector(u,
                               bases[i].is_float
                                   ? qn__type_float(u, bases[i].bits)
                                   : qn__type_int(u, bases[i].bits, bases[i].is_unsigned),
                               count);
    }
    return NULL;
}

static bool is_record(struct qn__unit *u, const char *name)
{
    for (const struct qn__record *r = u->record_named_last; r; r = r->named_before)
        if (qn__equal(r->name, name))
            return true;
    return false;
}

static const char *record_name(struct qn__unit *u, LLVMTypeRef t)
{
    const char *name = LLVMGetStructName(t);
    if (!name)
        return qn__text(u, "tuple%u", (unsigned)u->record_of.n);
    const char *const dot = strchr(name, '.');
    if (is_vector_name(dot ? dot + 1 : "")) /* float3 is 12 bytes here, 16 in OpenCL C */
        return qn__text(u, "qn_%s", dot + 1);
    const char *const wish = qn__name_legal(u, dot ? dot + 1 : name);
    name = wish;
    for (unsigned i = (unsigned)u->record_of.n; is_record(u, name); i++)
        name = qn__text(u, "%s_%u", wish, i);
    return name;
}

/* Would a C compiler put the fields where LLVM has them? */
static bool c_layout_agrees(const struct qn__record *r)
{
    uint64_t offset = 0;
    for (uint32_t i = 0; i < r->n_fields; i++) {
        const uint64_t a = qn__type_align(r->fields[i].type);
        offset = (offset + a - 1) / a * a;
        if (offset != r->fields[i].offset)
            return false;
        offset += qn__type_size(r->fields[i].type);
    }
    return (offset + r->align - 1) / r->align * r->align == r->size;
}

/* Alignment and packing; `stated` is what the source aligns the struct or its fields to, or 0. */
static void lay_out(struct qn__record *r, uint64_t stated)
{
    r->align = 1;
    for (uint32_t i = 0; i < r->n_fields; i++) {
        const uint64_t a = qn__type_align(r->fields[i].type);
        r->align = a > r->align ? a : r->align;
    }
    const uint64_t natural = r->align;
    if (stated > natural && r->size % stated == 0)
        r->align = stated;
    r->is_packed = LLVMIsPackedStruct(r->llvm) || !c_layout_agrees(r);
    if (r->is_packed && r->align == natural)
        r->align = 1;
    r->is_aligned = r->align > (r->is_packed ? 1 : natural);
}

static const struct qn__record *record_in(const struct qn__type *t)
{
    t = qn__type_element(t);
    return t->kind == QN__STRUCT ? t->record : NULL;
}

static bool has_padding(const struct qn__record *r)
{
    uint64_t offset = 0;
    for (uint32_t i = 0; i < r->n_fields; i++) {
        const struct qn__record *const inner = record_in(r->fields[i].type);
        if (r->fields[i].offset > offset || (inner && has_padding(inner)))
            return true;
        offset = r->fields[i].offset + qn__type_size(r->fields[i].type);
    }
    return offset < r->size;
}

/* LLVM has one member of a union, and padding after it. */
static bool hides_bytes(const struct qn__record *r)
{
    const char *const name = LLVMGetStructName(r->llvm);
    bool hides = name && qn__starts_with(name, "union.") && has_padding(r);
    for (uint32_t i = 0; i < r->n_fields; i++) {
        const struct qn__record *const inner = record_in(r->fields[i].type);
        hides |= inner && inner->hides_bytes;
    }
    return hides;
}

static struct qn__record *record_of(struct qn__unit *u, LLVMTypeRef t, LLVMValueRef where)
{
    struct qn__record *r = qn__map_get(&u->record_of, t);
    if (r)
        return r;
    r = QN__NEED(u, struct qn__record);
    r->llvm = t;
    r->name = record_name(u, t);
    r->named_before = u->record_named_last; /* its fields' records must have other names */
    u->record_named_last = r;
    qn__map_put(u, &u->record_of, t, r);
    r->n_fields = LLVMCountStructElementTypes(t);
    r->fields = QN__NEED_ARRAY(u, struct qn__field, r->n_fields);
    r->size = LLVMABISizeOfType(u->layout, t);
    const LLVMMetadataRef di = qn__di_composite(u, t);
    for (uint32_t i = 0; i < r->n_fields; i++) {
        struct qn__field *const f = &r->fields[i];
        const LLVMTypeRef ft = LLVMStructGetTypeAtIndex(t, i);
        LLVMMetadataRef fdi = NULL;
        f->offset = LLVMOffsetOfElement(u->layout, t, i);
        const char *name =
            di ? qn__di_member(u, di, f->offset, LLVMABISizeOfType(u->layout, ft), &fdi) : "";
        if (!*name && qn__starts_with(r->name, "qn_") && i < 4)
            name = qn__text(u, "%c", "xyzw"[i]);
        f->is_padding = di && !*name && LLVMGetTypeKind(ft) == LLVMArrayTypeKind;
        if (!*name)
            name = qn__text(u, f->is_padding ? "padding%u" : "f%u", (unsigned)i);
        f->name = qn__name_legal(u, name);
        for (uint32_t k = 0; k < i; k++)
            if (qn__equal(r->fields[k].name, f->name))
                f->name = qn__text(u, "%s_%u", f->name, (unsigned)i);
        f->type = qn__type_of(u, ft, fdi, where);
    }
    r->hides_bytes = hides_bytes(r);
    lay_out(r, di ? qn__di_alignment(u, di) : 0);
    if (!u->records_end)
        u->records_end = &u->records;
    *u->records_end = r; /* after its fields' records: definitions come out in order */
    u->records_end = &r->next;
    return r;
}

static const struct qn__type *integer_type(struct qn__unit *u, unsigned bits, LLVMMetadataRef di,
                                           LLVMValueRef where)
{
    const char *const name = di ? qn__di_scalar_name(u, di) : NULL;
    bool is_unsigned = bits == 8;
    if (name)
        is_unsigned = qn__starts_with(name, "unsigned") || qn__equal(name, "bool");
    if (bits == 1)
        return qn__type_bool(u);
    if (bits == 128) /* two halves: lower/wide_integers.c */
        return qn__type_vector(u, qn__type_int(u, 64, true), 2);
    if (!qn__width_is_c(bits)) {
        qn__refuse(
            u, where,
            "%u-bit integers have no OpenCL C type: use two of 64 bits, or a type that C has",
            bits);
        bits = 64;
    }
    return qn__type_int(u, bits, is_unsigned);
}

/* A pointer in memory: its 64 bits, and what they point to. OpenCL 1.2 allows no pointers in
 * structs that a kernel is given, nor where its pointer arguments point. */
static const struct qn__type *address_type(struct qn__unit *u, LLVMMetadataRef di)
{
    bool is_pointer = false;
    const LLVMMetadataRef to = di ? qn__di_pointee(u, di, &is_pointer) : NULL;
    const char *const scalar = to ? qn__di_scalar_name(u, to) : NULL;
    const struct qn__type *const known = scalar ? qn__type_named_cpp(u, scalar) : NULL;
    const struct qn__type *const pointee = known ? known : qn__type_int(u, 8, true);
    return qn__type_intern(
        u, (struct qn__type){.kind = QN__INT,
                             .bits = 64,
                             .is_unsigned = true,
                             .of = qn__type_pointer(u, pointee, QN__GLOBAL,
                                                    to && qn__di_is_const(u, to), false)});
}

const struct qn__type *qn__type_of(struct qn__unit *u, LLVMTypeRef t, LLVMMetadataRef di,
                                   LLVMValueRef where)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMVoidTypeKind: return qn__type_void(u);
    case LLVMIntegerTypeKind: return integer_type(u, LLVMGetIntTypeWidth(t), di, where);
    case LLVMHalfTypeKind: qn__use_ability(u, where, QN__CAN_fp16); return qn__type_float(u, 16);
    case LLVMFloatTypeKind: return qn__type_float(u, 32);
    case LLVMDoubleTypeKind: qn__use_ability(u, where, QN__CAN_fp64); return qn__type_float(u, 64);
    case LLVMVectorTypeKind: {
        const unsigned n = LLVMGetVectorSize(t);
        const struct qn__type *const e = qn__type_of(u, LLVMGetElementType(t), NULL, where);
        if (n != 2 && n != 3 && n != 4 && n != 8 && n != 16)
            qn__refuse(u, where,
                       "vectors of %u elements have no OpenCL C type: 2, 3, 4, 8 and 16 have one",
                       n);
        return qn__type_vector(u, e, n);
    }
    case LLVMArrayTypeKind:
        return qn__type_array(
            u, qn__type_of(u, LLVMGetElementType(t), di ? qn__di_element(u, di) : NULL, where),
            LLVMGetArrayLength2(t));
    case LLVMStructTypeKind: {
        const struct qn__type *const v = vector_struct(u, t);
        return v ? v
                 : qn__type_intern(
                       u, (struct qn__type){.kind = QN__STRUCT, .record = record_of(u, t, where)});
    }
    case LLVMPointerTypeKind: return address_type(u, di);
    default:
        qn__refuse(
            u, where,
            "a value of this type has no OpenCL C form: use integers, floats, structs of them, and "
            "pointers");
        return qn__type_int(u, 32, false);
    }
}

bool qn__type_holds(const struct qn__type *c, LLVMTypeRef t, struct qn__unit *u)
{
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
        return (c->kind == QN__INT && c->bits == LLVMGetIntTypeWidth(t)) ||
               (c->kind == QN__BOOL && LLVMGetIntTypeWidth(t) == 1) ||
               (c->kind == QN__VECTOR && LLVMGetIntTypeWidth(t) == 128 && c->count == 2 &&
                c->of->kind == QN__INT && c->of->bits == 64);
    case LLVMHalfTypeKind: return c->kind == QN__FLOAT && c->bits == 16;
    case LLVMFloatTypeKind: return c->kind == QN__FLOAT && c->bits == 32;
    case LLVMDoubleTypeKind: return c->kind == QN__FLOAT && c->bits == 64;
    case LLVMPointerTypeKind: return c->kind == QN__POINTER || (c->kind == QN__INT && c->of);
    case LLVMVectorTypeKind:
        return c->kind == QN__VECTOR && c->count == LLVMGetVectorSize(t) &&
               qn__type_holds(c->of, LLVMGetElementType(t), u);
    case LLVMArrayTypeKind:
        return c->kind == QN__ARRAY && c->count == LLVMGetArrayLength2(t) &&
               qn__type_holds(c->of, LLVMGetElementType(t), u);
    case LLVMStructTypeKind:
        return (c->kind == QN__STRUCT && c->record->llvm == t) ||
               (c->kind == QN__VECTOR && vector_struct(u, t) &&
                qn__type_same_but_sign(vector_struct(u, t), c));
    default: return false;
    }
}
