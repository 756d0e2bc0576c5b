/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading clang's debug information: source types, field names, parameter names. LLVM's C API has
 * no getters for most of it, but every debug node is a metadata node whose operands it can read;
 * the operand numbers are named here, once.
 */
#ifndef QN_COMPILER_CORE_DEBUG_INFO_H
#define QN_COMPILER_CORE_DEBUG_INFO_H

#include "compiler/core/unit.h"

/* Operand `i` of a debug node; NULL when absent. */
LLVMMetadataRef qn__di_operand(struct qn__unit *u, LLVMMetadataRef node, unsigned i);
/* String operand `i`; "" when absent. */
const char *qn__di_name(struct qn__unit *u, LLVMMetadataRef node, unsigned i);

/* A type without its typedefs, const, volatile and restrict; NULL for void. */
LLVMMetadataRef qn__di_strip(struct qn__unit *u, LLVMMetadataRef type);
/* "float", "unsigned int", "bool" for basic types (through typedefs and enums); NULL for others. */
const char *qn__di_scalar_name(struct qn__unit *u, LLVMMetadataRef type);
/* What a pointer or reference type points to (not stripped); *is_pointer tells. */
LLVMMetadataRef qn__di_pointee(struct qn__unit *u, LLVMMetadataRef type, bool *is_pointer);
bool qn__di_is_const(struct qn__unit *u, LLVMMetadataRef type); /* const T, also through typedefs */
LLVMMetadataRef qn__di_element(struct qn__unit *u, LLVMMetadataRef type); /* of an array; or NULL */

/* C++ spelling: "const float *", "body". */
const char *qn__di_spelling(struct qn__unit *u, LLVMMetadataRef type);
/* As a function's type has its parameter, and as the source can write it anywhere:
 * "const ns::body *" for `const body *const`. */
const char *qn__di_parameter_spelling(struct qn__unit *u, LLVMMetadataRef type);
/* "ns::saxpy<float>": a name with what is around the function or type. */
const char *qn__di_qualified(struct qn__unit *u, LLVMMetadataRef node, const char *name);

/* Parameter types of a function's subprogram: operand 0 is the result. NULL when unknown. */
LLVMMetadataRef qn__di_parameter(struct qn__unit *u, LLVMValueRef function, unsigned index);
/* "saxpy<float>"; "" when unknown. */
const char *qn__di_function_name(struct qn__unit *u, LLVMValueRef function);

/* Remember the structs that a function's types reach, and later find the one that an LLVM struct
 * is: same name, same size. NULL when there is none. */
void qn__di_collect_units(struct qn__unit *u); /* those of casts */
void qn__di_collect(struct qn__unit *u, LLVMValueRef function);
void qn__di_see(struct qn__unit *u, LLVMMetadataRef type);
LLVMMetadataRef qn__di_composite(struct qn__unit *u, LLVMTypeRef type);

/* "ns::scale" of the symbol "_ZN2ns5scaleEPf", without arguments of templates; any other symbol as
 * it is. */
const char *qn__di_plain_symbol(struct qn__unit *u, const char *symbol);

/* A global variable's name in the source; "" when unknown. */
const char *qn__di_variable_name(struct qn__unit *u, LLVMValueRef global);

/* What the source aligns a composite or any of its members to, in bytes; 0 where it does not. */
uint64_t qn__di_alignment(struct qn__unit *u, LLVMMetadataRef composite);

/* The member of a composite at a byte offset: its name and type; "" and NULL when unknown. */
const char *qn__di_member(struct qn__unit *u, LLVMMetadataRef composite, uint64_t offset,
                          uint64_t size, LLVMMetadataRef *type);

#endif
