/* SPDX-License-Identifier: Apache-2.0
 *
 * A program as CUDA source. Every operation is printed so that C++'s own conversions change
 * nothing: narrow results are cast back, signed arithmetic that may wrap goes through the unsigned
 * type unless it is raw. */
#include "tests/compiler/generator/program.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct printer {
    struct qn__str *out;
    const struct gen_program *p;
    uint32_t indent;
    const struct gen_type *template_type; /* printed as T inside a template */
};

static void print_expr(struct printer *pr, const struct gen_expr *e);
static void print_stmt(struct printer *pr, const struct gen_stmt *s);

static void line(struct printer *pr)
{
    qn__str_add_repeat(pr->out, ' ', 4 * pr->indent);
}

static const char *type_name(const struct printer *pr, const struct gen_type *t)
{
    return t == pr->template_type ? "T" : t->name;
}

static const char *unsigned_of(enum gen_scalar s)
{
    return s == GEN_I64 || s == GEN_U64 ? "unsigned long long" : "unsigned int";
}

/* "int x[4]", "const float *p", "int &r" */
static void print_declarator(struct printer *pr, const struct gen_type *t, const char *name,
                             const char *prefix)
{
    if (t->kind == GEN_ARRAY) {
        qn__str_printf(pr->out, "%s %s%s[%u]", type_name(pr, t->element), prefix, name, t->n);
    } else if (t->kind == GEN_POINTER) {
        qn__str_printf(pr->out, "%s%s *%s%s", t->to_const ? "const " : "",
                       type_name(pr, t->element), prefix, name);
    } else {
        qn__str_printf(pr->out, "%s %s%s", type_name(pr, t), prefix, name);
    }
}

/* ---- Literals ---- */

/* The shortest decimal that reads back as the same number. */
static void print_real(struct printer *pr, double x, bool is_float)
{
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        struct qn__str s = {0};
        qn__str_printf(&s, "%.*e", digits, x);
        double back;
        const bool read = s.text && sscanf(s.text, "%lf", &back) == 1;
        const bool same = read && (is_float ? (float)back == (float)x : back == x);
        snprintf(text, sizeof text, "%s", s.text ? s.text : "");
        qn__str_release(&s);
        if (same)
            break;
    }
    qn__str_printf(pr->out, x < 0 ? "(%s%s)" : "%s%s", text, is_float ? "f" : "");
}

static void print_literal(struct printer *pr, const struct gen_type *type, uint64_t v)
{
    const int64_t i = (int64_t)v;
    switch (type->scalar) {
    case GEN_BOOL: qn__str_add(pr->out, v ? "true" : "false"); return;
    case GEN_F32:
        if (isfinite(gen_float(v)))
            print_real(pr, (double)gen_float(v), true);
        else
            qn__str_printf(pr->out, "__int_as_float(%" PRId32 ")", (int32_t)(uint32_t)v);
        return;
    case GEN_F64:
        if (isfinite(gen_double(v)))
            print_real(pr, gen_double(v), false);
        else
            qn__str_printf(pr->out, "__longlong_as_double(%" PRId64 "ll)", i);
        return;
    case GEN_U32: qn__str_printf(pr->out, "%" PRIu64 "u", v); return;
    case GEN_U64: qn__str_printf(pr->out, "%" PRIu64 "ull", v); return;
    case GEN_I64:
        if (i == INT64_MIN)
            qn__str_printf(pr->out, "(%" PRId64 "ll - 1)", i + 1);
        else
            qn__str_printf(pr->out, i < 0 ? "(%" PRId64 "ll)" : "%" PRId64 "ll", i);
        return;
    case GEN_I32:
        if (i == INT32_MIN)
            qn__str_printf(pr->out, "(%" PRId64 " - 1)", i + 1);
        else
            qn__str_printf(pr->out, i < 0 ? "(%" PRId64 ")" : "%" PRId64, i);
        return;
    default: qn__str_printf(pr->out, "(%s)(%" PRId64 ")", type_name(pr, type), i); return;
    }
}

/* ---- Expressions ---- */

static const char *const operators[] = {
    [GEN_ADD] = "+", [GEN_SUB] = "-", [GEN_MUL] = "*",        [GEN_DIV] = "/",  [GEN_REM] = "%",
    [GEN_AND] = "&", [GEN_OR] = "|",  [GEN_XOR] = "^",        [GEN_SHL] = "<<", [GEN_SHR] = ">>",
    [GEN_EQ] = "==", [GEN_NE] = "!=", [GEN_LT] = "<",         [GEN_LE] = "<=",  [GEN_GT] = ">",
    [GEN_GE] = ">=", [GEN_NEG] = "-", [GEN_COMPLEMENT] = "~", [GEN_NOT] = "!",
};

static bool is_narrow(enum gen_scalar s)
{
    return s == GEN_I8 || s == GEN_U8 || s == GEN_I16 || s == GEN_U16;
}

/* Could the promoted operation overflow int, or its own signed type? */
static bool needs_unsigned(const struct gen_expr *e)
{
    const enum gen_scalar s = e->a->type->scalar;
    if (gen_is_float(s) || e->is_plain || e->is_raw)
        return false;
    switch (e->op) {
    case GEN_ADD:
    case GEN_SUB: return gen_is_signed(s) && !is_narrow(s);
    case GEN_MUL: return (gen_is_signed(s) && !is_narrow(s)) || s == GEN_U16;
    case GEN_SHL: return gen_is_signed(s) || is_narrow(s);
    default: return false;
    }
}

/* May a compiler's front end know the value? */
static bool is_known(const struct gen_expr *e)
{
    switch (e->kind) {
    case GEN_CONST: return true;
    case GEN_VAR: return e->var->is_const && e->var->storage == GEN_LOCAL;
    case GEN_CAST:
    case GEN_UNARY: return is_known(e->a);
    case GEN_BINARY:
    case GEN_LOGICAL_AND:
    case GEN_LOGICAL_OR: return is_known(e->a) && is_known(e->b);
    case GEN_TERNARY: return is_known(e->a) && is_known(e->b) && is_known(e->c);
    default: return false;
    }
}

/* A shift of one known number by another, or their quotient, has no meaning on a GPU where C gives
 * it none: NVIDIA's compiler leaves it out, with and without its optimiser. So the second is made
 * one that is known at run time only. */
static void print_second(struct printer *pr, const struct gen_expr *e)
{
    const bool hidden = e->is_raw && !gen_is_float(e->a->type->scalar) && e->op != GEN_ADD &&
                        e->op != GEN_SUB && e->op != GEN_MUL && is_known(e->a) && is_known(e->b);
    if (hidden)
        qn__str_printf(pr->out, "(%s)(", type_name(pr, e->b->type));
    print_expr(pr, e->b);
    if (hidden)
        qn__str_add(pr->out, " + threadIdx.z * 0u)");
}

static void print_binary(struct printer *pr, const struct gen_expr *e)
{
    const enum gen_scalar s = e->a->type->scalar;
    if (e->type->kind == GEN_POINTER || (e->op >= GEN_EQ && e->op <= GEN_GE) ||
        (!is_narrow(s) && !needs_unsigned(e))) {
        qn__str_add_char(pr->out, '(');
        print_expr(pr, e->a);
        qn__str_printf(pr->out, " %s ", operators[e->op]);
        print_second(pr, e);
        qn__str_add_char(pr->out, ')');
        return;
    }
    const bool through = needs_unsigned(e);
    qn__str_printf(pr->out, "(%s)(", type_name(pr, e->type));
    if (through)
        qn__str_printf(pr->out, "(%s)", unsigned_of(s));
    print_expr(pr, e->a);
    qn__str_printf(pr->out, " %s ", operators[e->op]);
    if (through && e->op != GEN_SHL)
        qn__str_printf(pr->out, "(%s)", unsigned_of(s));
    print_second(pr, e);
    qn__str_add_char(pr->out, ')');
}

static void print_unary(struct printer *pr, const struct gen_expr *e)
{
    const enum gen_scalar s = e->type->scalar;
    if (e->op == GEN_NEG && !gen_is_float(s) && !e->is_raw) {
        qn__str_printf(pr->out, "(%s)(0u - (%s)", type_name(pr, e->type), unsigned_of(s));
        print_expr(pr, e->a);
        qn__str_add_char(pr->out, ')');
        return;
    }
    if (is_narrow(s))
        qn__str_printf(pr->out, "(%s)", type_name(pr, e->type));
    qn__str_printf(pr->out, "(%s", operators[e->op]);
    print_expr(pr, e->a);
    qn__str_add_char(pr->out, ')');
}

static void print_args(struct printer *pr, struct gen_expr *const *args, uint32_t n)
{
    qn__str_add_char(pr->out, '(');
    for (uint32_t i = 0; i < n; i++) {
        qn__str_add(pr->out, i ? ", " : "");
        print_expr(pr, args[i]);
    }
    qn__str_add_char(pr->out, ')');
}

static void print_joined(struct printer *pr, const struct gen_expr *e, const char *between)
{
    qn__str_add_char(pr->out, '(');
    print_expr(pr, e->a);
    qn__str_add(pr->out, between);
    print_expr(pr, e->b);
    qn__str_add_char(pr->out, ')');
}

/* A bit-field is read through a cast: C++ would make a narrow one an int. */
static void print_member(struct printer *pr, const struct gen_expr *e, bool is_read)
{
    const struct gen_type *whole = e->a->type;
    const bool is_lane = whole->kind == GEN_VECTOR;
    if (is_read && !is_lane && whole->members[e->member].n_bits)
        qn__str_printf(pr->out, "(%s)", e->type->name);
    print_expr(pr, e->a);
    qn__str_printf(pr->out, ".%s", is_lane ? gen_lanes[e->member] : whole->members[e->member].name);
}

static void print_expr(struct printer *pr, const struct gen_expr *e)
{
    static const char *const words[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    switch (e->kind) {
    case GEN_VAR: qn__str_add(pr->out, e->var->name); break;
    case GEN_INDEX:
        print_expr(pr, e->a);
        qn__str_add_char(pr->out, '[');
        print_expr(pr, e->b);
        qn__str_add_char(pr->out, ']');
        break;
    case GEN_MEMBER: print_member(pr, e, true); break;
    case GEN_CONST: print_literal(pr, e->type, e->bits); break;
    case GEN_THREAD:
        qn__str_printf(pr->out, "%s.%s", words[e->bits / 4], gen_lanes[e->bits % 4]);
        break;
    case GEN_BINARY: print_binary(pr, e); break;
    case GEN_UNARY: print_unary(pr, e); break;
    case GEN_CAST:
        qn__str_printf(pr->out, "(%s)", type_name(pr, e->type));
        print_expr(pr, e->a);
        break;
    case GEN_TERNARY:
        qn__str_add_char(pr->out, '(');
        print_expr(pr, e->a);
        qn__str_add(pr->out, " ? ");
        print_expr(pr, e->b);
        qn__str_add(pr->out, " : ");
        print_expr(pr, e->c);
        qn__str_add_char(pr->out, ')');
        break;
    case GEN_LOGICAL_AND: print_joined(pr, e, " && "); break;
    case GEN_LOGICAL_OR: print_joined(pr, e, " || "); break;
    case GEN_BUILTIN_CALL:
        qn__str_add(pr->out, gen_calls[e->call].name);
        print_args(pr, e->args, gen_calls[e->call].n);
        break;
    case GEN_FUNCTION_CALL:
        qn__str_add(pr->out, e->function->name);
        print_args(pr, e->args, e->function->n_params);
        break;
    case GEN_ADDRESS:
        qn__str_add_char(pr->out, '&');
        print_expr(pr, e->a);
        break;
    }
}

/* ---- Statements ---- */

static void print_condition(struct printer *pr, const char *word, const struct gen_expr *e)
{
    qn__str_printf(pr->out, "%s (", word);
    print_expr(pr, e);
    qn__str_add_char(pr->out, ')');
}

static void print_body(struct printer *pr, const struct gen_stmt *s)
{
    qn__str_add(pr->out, " {\n");
    pr->indent++;
    print_stmt(pr, s);
    pr->indent--;
    line(pr);
    qn__str_add_char(pr->out, '}');
}

static void print_qualifiers(struct printer *pr, const struct gen_var *v)
{
    qn__str_printf(pr->out, "%s%s", v->is_const ? "const " : "", v->is_volatile ? "volatile " : "");
}

static void print_declare(struct printer *pr, const struct gen_stmt *s)
{
    print_qualifiers(pr, s->var);
    print_declarator(pr, s->var->type, s->var->name, s->var->is_reference ? "&" : "");
    qn__str_add(pr->out, " = ");
    if (s->value) {
        print_expr(pr, s->value);
    } else {
        qn__str_add_char(pr->out, '{');
        for (uint32_t i = 0; i < s->n_values; i++) {
            qn__str_add(pr->out, i ? ", " : "");
            print_expr(pr, s->values[i]);
        }
        qn__str_add_char(pr->out, '}');
    }
    qn__str_add(pr->out, ";\n");
}

static void print_assign(struct printer *pr, const struct gen_stmt *s)
{
    if (s->place->kind == GEN_MEMBER)
        print_member(pr, s->place, false);
    else
        print_expr(pr, s->place);
    qn__str_printf(pr->out, " %s= ", s->op == GEN_EQ ? "" : operators[s->op]);
    print_expr(pr, s->value);
    qn__str_add(pr->out, ";\n");
}

static void print_switch(struct printer *pr, const struct gen_stmt *s)
{
    print_condition(pr, "switch", s->value);
    qn__str_add(pr->out, " {\n");
    for (uint32_t i = 0; i < s->n; i++) {
        line(pr);
        if (i + 1 < s->n)
            qn__str_printf(pr->out, "case %u:\n", i);
        else
            qn__str_add(pr->out, "default:\n");
        pr->indent++;
        line(pr);
        qn__str_add_char(pr->out, '{');
        print_body(pr, s->list[i]);
        qn__str_add(pr->out, "}\n");
        if (!(s->op >> i & 1)) {
            line(pr);
            qn__str_add(pr->out, "break;\n");
        }
        pr->indent--;
    }
    line(pr);
    qn__str_add(pr->out, "}\n");
}

static void print_warp(struct printer *pr, const struct gen_stmt *s)
{
    static const char *const names[] = {
        [GEN_SHFL] = "__shfl_sync",
        [GEN_SHFL_UP] = "__shfl_up_sync",
        [GEN_SHFL_DOWN] = "__shfl_down_sync",
        [GEN_SHFL_XOR] = "__shfl_xor_sync",
        [GEN_BALLOT] = "__ballot_sync",
        [GEN_ANY] = "__any_sync",
        [GEN_ALL] = "__all_sync",
        [GEN_MATCH_ANY] = "__match_any_sync",
        [GEN_REDUCE_ADD] = "__reduce_add_sync",
        [GEN_REDUCE_MIN] = "__reduce_min_sync",
        [GEN_REDUCE_MAX] = "__reduce_max_sync",
    };
    print_expr(pr, s->place);
    qn__str_printf(pr->out, " = %s(", names[s->op]);
    print_expr(pr, s->mask);
    qn__str_add(pr->out, ", ");
    print_expr(pr, s->value);
    if (s->lane) {
        qn__str_add(pr->out, ", ");
        print_expr(pr, s->lane);
    }
    if (s->width && s->width < 32)
        qn__str_printf(pr->out, ", %u", s->width);
    qn__str_add(pr->out, ");\n");
}

static void print_loop(struct printer *pr, const struct gen_stmt *s)
{
    const char *name = s->var->name;
    if (s->kind == GEN_FOR) {
        qn__str_printf(pr->out, "for (int %s = 0; %s < ", name, name);
        print_expr(pr, s->value);
        qn__str_printf(pr->out, "; %s++)", name);
        print_body(pr, s->body);
        qn__str_add_char(pr->out, '\n');
        return;
    }
    qn__str_printf(pr->out, "int %s = 0;\n", name);
    line(pr);
    if (s->kind == GEN_WHILE) {
        qn__str_printf(pr->out, "while (%s < %u && ", name, s->count);
        print_expr(pr, s->value);
        qn__str_add(pr->out, ") {\n");
    } else {
        qn__str_add(pr->out, "do {\n");
    }
    pr->indent++;
    line(pr);
    qn__str_printf(pr->out, "%s++;\n", name);
    print_stmt(pr, s->body);
    pr->indent--;
    line(pr);
    qn__str_add_char(pr->out, '}');
    if (s->kind == GEN_DO) {
        qn__str_printf(pr->out, " while (%s < %u && ", name, s->count);
        print_expr(pr, s->value);
        qn__str_add(pr->out, ");");
    }
    qn__str_add_char(pr->out, '\n');
}

static void print_call(struct printer *pr, const struct gen_stmt *s)
{
    if (s->place) {
        print_expr(pr, s->place);
        qn__str_add(pr->out, " = ");
    }
    qn__str_add(pr->out, s->function->name);
    print_args(pr, s->values, s->n_values);
    qn__str_add(pr->out, ";\n");
}

static void print_stmt(struct printer *pr, const struct gen_stmt *s)
{
    static const char *const votes[] = {"count", "and", "or"};
    static const char *const atomics[] = {"Add", "Min", "Max", "And", "Or", "Xor"};
    if (s->kind == GEN_BLOCK) {
        for (uint32_t i = 0; i < s->n; i++)
            print_stmt(pr, s->list[i]);
        return;
    }
    line(pr);
    switch (s->kind) {
    case GEN_BLOCK: break;
    case GEN_DECLARE: print_declare(pr, s); break;
    case GEN_ASSIGN: print_assign(pr, s); break;
    case GEN_IF:
        print_condition(pr, "if", s->value);
        print_body(pr, s->body);
        if (s->otherwise) {
            qn__str_add(pr->out, " else");
            print_body(pr, s->otherwise);
        }
        qn__str_add_char(pr->out, '\n');
        break;
    case GEN_FOR:
    case GEN_WHILE:
    case GEN_DO: print_loop(pr, s); break;
    case GEN_SWITCH: print_switch(pr, s); break;
    case GEN_BREAK: qn__str_add(pr->out, "break;\n"); break;
    case GEN_CONTINUE: qn__str_add(pr->out, "continue;\n"); break;
    case GEN_RETURN:
        qn__str_add(pr->out, s->value ? "return " : "return");
        if (s->value)
            print_expr(pr, s->value);
        qn__str_add(pr->out, ";\n");
        break;
    case GEN_BARRIER: qn__str_add(pr->out, "__syncthreads();\n"); break;
    case GEN_BARRIER_VOTE:
        print_expr(pr, s->place);
        qn__str_printf(pr->out, " = __syncthreads_%s(", votes[s->op]);
        print_expr(pr, s->value);
        qn__str_add(pr->out, ");\n");
        break;
    case GEN_WARP: print_warp(pr, s); break;
    case GEN_ATOMIC:
        qn__str_printf(pr->out, "atomic%s(&", atomics[s->op]);
        print_expr(pr, s->place);
        qn__str_add(pr->out, ", ");
        print_expr(pr, s->value);
        qn__str_add(pr->out, ");\n");
        break;
    case GEN_CALL_STMT: print_call(pr, s); break;
    }
}

/* ---- Functions and programs ---- */

static void print_params(struct printer *pr, const struct gen_function *f)
{
    qn__str_add_char(pr->out, '(');
    for (uint32_t i = 0; i < f->n_params; i++) {
        const struct gen_var *v = f->params[i];
        qn__str_add(pr->out, i ? ", " : "");
        print_qualifiers(pr, v);
        print_declarator(pr, v->type, v->name, v->is_reference ? "&" : "");
    }
    qn__str_add_char(pr->out, ')');
}

static void print_function(struct printer *pr, const struct gen_function *f)
{
    if (f->is_template) {
        pr->template_type = f->params[0]->type;
        qn__str_add(pr->out, "template <typename T>\n");
    }
    qn__str_printf(pr->out, "__device__ %s %s", f->result ? type_name(pr, f->result) : "void",
                   f->name);
    print_params(pr, f);
    qn__str_add(pr->out, "\n{\n");
    pr->indent = 1;
    print_stmt(pr, f->body);
    qn__str_add(pr->out, "}\n\n");
    pr->template_type = NULL;
}

static void print_struct(struct printer *pr, const struct gen_type *t)
{
    if (!t)
        return;
    qn__str_printf(pr->out, "%s %s {\n", t->is_union ? "union" : "struct", t->name);
    for (uint32_t i = 0; i < t->n; i++) {
        qn__str_add(pr->out, "    ");
        print_declarator(pr, t->members[i].type, t->members[i].name, "");
        if (t->members[i].n_bits)
            qn__str_printf(pr->out, " : %u", t->members[i].n_bits);
        qn__str_add(pr->out, ";\n");
    }
    qn__str_add(pr->out, "};\n\n");
}

static void print_constant(struct printer *pr, const struct gen_var *v)
{
    qn__str_add(pr->out, "__constant__ ");
    print_declarator(pr, v->type, v->name, "");
    qn__str_add(pr->out, " = {");
    for (uint32_t i = 0; i < v->type->n; i++) {
        qn__str_add(pr->out, i ? ", " : "");
        print_expr(pr, &v->init[i]);
    }
    qn__str_add(pr->out, "};\n\n");
}

static void print_shared(struct printer *pr, const struct gen_var *v)
{
    if (v->is_dynamic) {
        qn__str_printf(pr->out, "    extern __shared__ unsigned long long k%u_dynamic[];\n    ",
                       pr->p->index);
        qn__str_printf(pr->out, "%s *%s = (%s *)k%u_dynamic;\n", v->type->element->name, v->name,
                       v->type->element->name, pr->p->index);
        return;
    }
    qn__str_printf(pr->out, "    __shared__ %s", v->is_volatile ? "volatile " : "");
    print_declarator(pr, v->type, v->name, "");
    qn__str_add(pr->out, ";\n");
}

void gen_print_head(struct qn__str *out)
{
    qn__str_add(out, "// random kernels; see tests/compiler/generator/program.h\n\n");
}

void gen_print(struct qn__str *out, const struct gen_program *p)
{
    struct printer pr = {.out = out, .p = p};
    qn__str_printf(out,
                   "// k%u: seed %" PRIu64 ", grid %u,%u,%u, block %u,%u,%u, %u dynamic bytes\n",
                   p->index, p->seed, p->grid[0], p->grid[1], p->grid[2], p->block[0], p->block[1],
                   p->block[2], p->dynamic_bytes);
    for (uint32_t i = 0; i < p->n_structs; i++)
        print_struct(&pr, p->structs[i]);
    print_struct(&pr, p->overlays[0]);
    print_struct(&pr, p->overlays[1]);
    print_struct(&pr, p->spaces);
    for (uint32_t i = 0; i < p->n_globals; i++)
        if (p->globals[i]->storage == GEN_CONSTANT)
            print_constant(&pr, p->globals[i]);
    for (uint32_t i = 0; i < p->n_helpers; i++)
        print_function(&pr, p->helpers[i]);
    qn__str_printf(out, "extern \"C\" __global__ void %s", p->kernel->name);
    print_params(&pr, p->kernel);
    qn__str_add(out, "\n{\n");
    for (uint32_t i = 0; i < p->n_globals; i++)
        if (p->globals[i]->storage == GEN_SHARED)
            print_shared(&pr, p->globals[i]);
    pr.indent = 1;
    print_stmt(&pr, p->kernel->body);
    qn__str_add(out, "}\n\n");
}
