/* SPDX-License-Identifier: Apache-2.0
 *
 * Text, doubles and bytes of number types: see number.h. */
#include "tools/number.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t bytes;
    bool is_float;
} types[] = {
#define ROW(id, name, bytes, is_float) {name, bytes, is_float},
    QN__NUMBER_LIST(ROW)
#undef ROW
};

bool qn__number_type_find(enum qn__number_type *out, const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strlen(types[i].name) == n && !memcmp(types[i].name, name, n)) {
            *out = (enum qn__number_type)i;
            return true;
        }
    return false;
}

const char *qn__number_name(enum qn__number_type type)
{
    return types[type].name;
}

size_t qn__number_bytes(enum qn__number_type type)
{
    return types[type].bytes;
}

bool qn__number_is_float(enum qn__number_type type)
{
    return types[type].is_float;
}

const char *qn__number_names(void)
{
    return ""
#define NAME(id, name, bytes, is_float) name " "
        QN__NUMBER_LIST(NAME)
#undef NAME
            ;
}

/* ---- half and bf16 ---- */

/* Round to nearest even at `shift` bits above the last. */
static uint64_t round_shift(uint64_t bits, unsigned shift)
{
    if (shift == 0)
        return bits;
    if (shift > 63)
        return 0;
    const uint64_t half = UINT64_C(1) << (shift - 1), rest = bits & ((half << 1) - 1);
    const uint64_t kept = bits >> shift;
    return kept + (rest > half || (rest == half && (kept & 1)));
}

/* A double as the 16-bit float with that many exponent and mantissa bits, in one rounding. */
static uint16_t to_16(double value, int exponent_bits, int mantissa_bits)
{
    const int bias = (1 << (exponent_bits - 1)) - 1, exponent_max = (1 << exponent_bits) - 1;
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    const uint16_t infinity = (uint16_t)(exponent_max << mantissa_bits);
    if (isnan(value))
        return (uint16_t)(sign | infinity | (1 << (mantissa_bits - 1)));
    if (isinf(value))
        return sign | infinity;
    if (value == 0)
        return sign;
    int exponent;
    const double fraction = frexp(fabs(value), &exponent); /* [0.5, 1) * 2^exponent */
    const uint64_t mantissa = (uint64_t)ldexp(fraction, 53);
    int field = exponent - 1 + bias;
    unsigned shift = (unsigned)(52 - mantissa_bits);
    if (field <= 0) { /* subnormal: fewer bits are kept */
        shift += (unsigned)(1 - field);
        field = 0;
    }
    uint64_t rounded = round_shift(mantissa, shift);
    if (field > 0) /* the leading 1 is implied; a carry goes into the exponent by itself */
        rounded += (uint64_t)(field - 1) << mantissa_bits;
    return (uint16_t)(sign | (rounded < infinity ? rounded : infinity));
}

static double from_16(uint16_t bits, int exponent_bits, int mantissa_bits)
{
    const int bias = (1 << (exponent_bits - 1)) - 1, exponent_max = (1 << exponent_bits) - 1;
    const int field = bits >> mantissa_bits & exponent_max,
              mantissa = bits & ((1 << mantissa_bits) - 1);
    double value;
    if (field == exponent_max)
        value = mantissa ? (double)NAN : (double)INFINITY;
    else if (field == 0)
        value = ldexp(mantissa, 1 - bias - mantissa_bits);
    else
        value = ldexp(mantissa + (1 << mantissa_bits), field - bias - mantissa_bits);
    return bits & 0x8000 ? -value : value;
}

/* ---- bytes ---- */

void qn__number_store_integer(void *out, enum qn__number_type type, int64_t value)
{
    if (types[type].is_float)
        qn__number_store(out, type, (double)value);
    else /* every supported host is little-endian, as the devices are */
        memcpy(out, &value, types[type].bytes);
}

void qn__number_store(void *out, enum qn__number_type type, double value)
{
    uint16_t bits;
    float single;
    switch (type) {
    case QN__NUMBER_F16:
        bits = to_16(value, 5, 10);
        memcpy(out, &bits, 2);
        return;
    case QN__NUMBER_BF16:
        bits = to_16(value, 8, 7);
        memcpy(out, &bits, 2);
        return;
    case QN__NUMBER_F32:
        single = (float)value;
        memcpy(out, &single, 4);
        return;
    case QN__NUMBER_F64: memcpy(out, &value, 8); return;
    default: qn__number_store_integer(out, type, (int64_t)value);
    }
}

static int64_t load_integer(const void *bytes, enum qn__number_type type)
{
    uint64_t raw = 0;
    memcpy(&raw, bytes, types[type].bytes);
    switch (type) {
    case QN__NUMBER_I8: return (int8_t)raw;
    case QN__NUMBER_I16: return (int16_t)raw;
    case QN__NUMBER_I32: return (int32_t)raw;
    default: return (int64_t)raw;
    }
}

double qn__number_load(const void *bytes, enum qn__number_type type)
{
    uint16_t bits;
    float single;
    double value;
    switch (type) {
    case QN__NUMBER_F16: memcpy(&bits, bytes, 2); return from_16(bits, 5, 10);
    case QN__NUMBER_BF16: memcpy(&bits, bytes, 2); return from_16(bits, 8, 7);
    case QN__NUMBER_F32: memcpy(&single, bytes, 4); return single;
    case QN__NUMBER_F64: memcpy(&value, bytes, 8); return value;
    case QN__NUMBER_U64: return (double)(uint64_t)load_integer(bytes, type);
    default: return (double)load_integer(bytes, type);
    }
}

/* ---- text ---- */

static qn_status parse_integer(void *out, enum qn__number_type type, const char *text)
{
    const bool is_signed = types[type].name[0] == 'i';
    const unsigned n_bits = (unsigned)types[type].bytes * 8;
    char *end;
    errno = 0;
    if (is_signed) {
        const int64_t value = strtoll(text, &end, 0);
        const int64_t max = INT64_MAX >> (64 - n_bits);
        if (end == text || *end)
            return qn__fail(QN_E_INVALID, "'%s' is not a whole number", text);
        if (errno || value > max || value < -max - 1)
            return qn__fail(QN_E_INVALID, "%s does not fit %s", text, types[type].name);
        memcpy(out, &value, types[type].bytes);
        return QN_OK;
    }
    const uint64_t value = strtoull(text, &end, 0);
    if (end == text || *end)
        return qn__fail(QN_E_INVALID, "'%s' is not a whole number", text);
    if (errno || strchr(text, '-') || value > UINT64_MAX >> (64 - n_bits))
        return qn__fail(QN_E_INVALID, "%s does not fit %s", text, types[type].name);
    memcpy(out, &value, types[type].bytes);
    return QN_OK;
}

qn_status qn__number_parse(void *out, enum qn__number_type type, const char *text)
{
    if (!types[type].is_float)
        return parse_integer(out, type, text);
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end)
        return qn__fail(QN_E_INVALID, "'%s' is not a number", text);
    qn__number_store(out, type, value);
    return QN_OK;
}

void qn__number_print(struct qn__str *out, const void *bytes, enum qn__number_type type)
{
    if (type == QN__NUMBER_U64)
        qn__str_printf(out, "%" PRIu64, (uint64_t)load_integer(bytes, type));
    else if (!types[type].is_float)
        qn__str_printf(out, "%" PRId64, load_integer(bytes, type));
    else if (isnan(qn__number_load(bytes, type)))
        qn__str_add(out, "nan"); /* printf would tell its sign */
    else
        qn__str_printf(out, "%.*g", type == QN__NUMBER_F64 ? 10 : 6, qn__number_load(bytes, type));
}

void qn__number_summarize(struct qn__number_summary *out, const void *bytes,
                          enum qn__number_type type, uint64_t n_elems)
{
    double sum = 0;
    *out = (struct qn__number_summary){0};
    for (uint64_t i = 0; i < n_elems; i++) {
        const double x = qn__number_load((const char *)bytes + i * types[type].bytes, type);
        if (isnan(x)) {
            out->n_nan++;
        } else if (isinf(x)) {
            out->n_infinite++;
        } else {
            out->min = out->n_finite && out->min < x ? out->min : x;
            out->max = out->n_finite && out->max > x ? out->max : x;
            out->n_finite++;
            sum += x;
        }
    }
    out->mean = out->n_finite ? sum / (double)out->n_finite : 0;
}
