/* SPDX-License-Identifier: Apache-2.0
 *
 * What C++ and OpenCL C leave undefined and NVIDIA's instructions define: the rows of
 * docs/meaning.md, each run with operands from memory and from the kernel's arguments, so that no
 * compiler knows them. What is wanted are the numbers that an H200 gave for an unoptimised compile.
 * The same source runs through NVRTC (QUERN_BACKEND=cuda) and through the translator.
 *
 * covers: compiler/lower/guard_divisions compiler/lower/hashes compiler/lower/signed_overflow
 * compiler/lower/signs compiler/lower/overflow_uses compiler/lower/overflow_results
 * compiler/lower/int_range compiler/lower/int_condition compiler/lower/int_counter
 * compiler/lower/shared_index compiler/lower/funnel_shifts compiler/lower/dominators
 * compiler/lower/block_size */
#include "tests/runtime_fixture.h"

#include <stdint.h>

#define I32_MIN (-2147483647LL - 1)
#define I64_MIN (-9223372036854775807LL - 1)
#define U64_MAX (-1LL)

enum { CASES = 4 };

/* Where NVIDIA's optimiser makes something else of what its instructions would do. */
enum differs { NOWHERE, ON_CUDA, ON_NVIDIA /* of its OpenCL, too */ };

static const struct row {
    const char *name;
    const char *type;
    const char *body; /* of a kernel with operands a and b, which sets r */
    struct {
        long long a, b, want;
    } cases[CASES];
    enum differs differs;
} rows[] = {
    /* ---- division ---- */
    {"a quotient is made before its divisor is tested",
     "int",
     "int q = a / b; r = b == 0 ? 5 : q;",
     {{7, 0, 5}, {7, 2, 3}, {-7, 2, -3}, {0, 0, 5}},
     NOWHERE},
    {"a remainder is made before its divisor is tested",
     "int",
     "int q = a % b; r = b == 0 ? 5 : q;",
     {{7, 0, 5}, {7, 4, 3}, {-7, 2, -1}, {0, 0, 5}},
     NOWHERE},
    {"an unsigned quotient is made before its divisor is tested",
     "unsigned",
     "unsigned q = a / b; if (b != 0) r = q; else r = 5;",
     {{7, 0, 5}, {7, 2, 3}, {-1, 2, 2147483647}},
     NOWHERE},
    {"a quotient of 64 bits is made before its divisor is tested",
     "long long",
     "long long q = a / b; r = b ? q : 5;",
     {{7, 0, 5}, {7, 2, 3}, {I64_MIN, 0, 5}},
     NOWHERE},
    {"an unsigned remainder of 64 bits is made before its divisor is tested",
     "unsigned long long",
     "unsigned long long q = a % b; r = b ? q : 5;",
     {{7, 0, 5}, {7, 2, 1}, {-1, 10, 5}},
     NOWHERE},
    {"a division that the number of a loop's iteration never leads to",
     "int",
     "for (int k = 0; k < 1; k++) r += k == 0 ? a : (b & 7) / k / 3;",
     {{7, 1, 7}, {-7, 0, -7}},
     NOWHERE},
    {"a helper divides before its caller tests",
     "int",
     "r = safe(a, b);",
     {{7, 0, 9}, {7, 2, 3}, {I32_MIN, -1, I32_MIN}},
     NOWHERE},
    {"a template divides before its caller tests",
     "long long",
     "r = safe(a, b);",
     {{7, 0, 9}, {7, 2, 3}, {I64_MIN, -1, I64_MIN}},
     NOWHERE},
    {"a helper divides bytes before its caller tests",
     "signed char",
     "r = safe(a, b);",
     {{7, 0, 9}, {7, 2, 3}, {-128, -1, -128}},
     NOWHERE},
    {"a quotient in a loop is made before its divisor is tested",
     "int",
     "for (int k = 0; k < 3; k++) { int q = (a + k) / b; r += b == 0 ? 1 : q; }",
     {{7, 0, 3}, {6, 2, 10}},
     NOWHERE},
    {"an int divided by 0",
     "int",
     "r = a / b;",
     {{7, 0, -1}, {-7, 0, -1}, {0, 0, -1}, {9, 3, 3}},
     NOWHERE},
    {"the remainder of an int divided by 0",
     "int",
     "r = a % b;",
     {{7, 0, -1}, {-7, 0, -1}, {0, 0, -1}, {9, 4, 1}},
     NOWHERE},
    {"an unsigned divided by 0",
     "unsigned",
     "r = a / b;",
     {{7, 0, 4294967295}, {0, 0, 4294967295}, {9, 3, 3}},
     NOWHERE},
    {"the remainder of an unsigned divided by 0",
     "unsigned",
     "r = a % b;",
     {{7, 0, 4294967295}, {0, 0, 4294967295}, {9, 4, 1}},
     NOWHERE},
    {"a long long divided by 0", "long long", "r = a / b;", {{I64_MIN, 0, -1}, {9, 3, 3}}, NOWHERE},
    {"the remainder of a long long divided by 0",
     "long long",
     "r = a % b;",
     {{I64_MIN, 0, -1}, {9, 4, 1}},
     NOWHERE},
    {"an unsigned long long divided by 0",
     "unsigned long long",
     "r = a / b;",
     {{I64_MIN, 0, U64_MAX}, {9, 3, 3}},
     NOWHERE},
    {"the remainder of an unsigned long long divided by 0",
     "unsigned long long",
     "r = a % b;",
     {{I64_MIN, 0, U64_MAX}, {9, 4, 1}},
     NOWHERE},
    {"a short divided by 0", "short", "r = a / b;", {{7, 0, -1}, {-9, 3, -3}}, NOWHERE},
    {"an unsigned char's remainder by 0",
     "unsigned char",
     "r = (unsigned char)(a % b);",
     {{7, 0, 255}, {9, 4, 1}},
     ON_CUDA},
    {"the smallest int divided by -1",
     "int",
     "r = a / b;",
     {{I32_MIN, -1, I32_MIN}, {7, -1, -7}, {I32_MIN, 1, I32_MIN}},
     NOWHERE},
    {"the remainder of the smallest int divided by -1",
     "int",
     "r = a % b;",
     {{I32_MIN, -1, 0}, {7, -1, 0}, {I32_MIN, 3, -2}},
     NOWHERE},
    {"the smallest long long divided by -1",
     "long long",
     "r = a / b;",
     {{I64_MIN, -1, I64_MIN}, {7, -1, -7}},
     NOWHERE},
    {"the remainder of the smallest long long divided by -1",
     "long long",
     "r = a % b;",
     {{I64_MIN, -1, 0}, {7, -1, 0}},
     NOWHERE},
    {"the smallest int divided by a constant -1",
     "int",
     "r = a / -1;",
     {{I32_MIN, 0, I32_MIN}, {7, 0, -7}},
     NOWHERE},
    {"the smallest int divided by -1 in a tested branch",
     "int",
     "if (b != 0) r = a / b;",
     {{I32_MIN, -1, I32_MIN}, {7, 0, 0}, {7, -2, -3}},
     NOWHERE},
    {"the smallest short divided by -1",
     "short",
     "r = (short)(a / b);",
     {{-32768, -1, -32768}, {7, -1, -7}},
     NOWHERE},
    {"parts of a vector divided by 0",
     "int",
     "typedef int v __attribute__((ext_vector_type(2))); v p = {a, 6}, q = {b, 3}; p /= q; "
     "r = p.x * 10 + p.y;",
     {{7, 0, -8}, {8, 2, 42}},
     ON_CUDA},

    /* ---- signed overflow ---- */
    {"a product and sum of ints as a long long",
     "int",
     "int h = a * 31 + 7; r = h;",
     {{2147483640, 0, 2147483407}, {2147483641, 0, 2147483438}, {2, 0, 69}},
     NOWHERE},
    {"a sum of ints as a long long",
     "int",
     "r = (long long)(a + b);",
     {{2147483647, 1, I32_MIN}, {I32_MIN, -1, 2147483647}, {3, 4, 7}},
     NOWHERE},
    {"a difference of ints as a long long",
     "int",
     "r = (long long)(a - b);",
     {{I32_MIN, 1, 2147483647}, {2147483647, -1, I32_MIN}},
     NOWHERE},
    {"a negated int as a long long",
     "int",
     "r = -a;",
     {{I32_MIN, 0, I32_MIN}, {7, 0, -7}},
     NOWHERE},
    {"a helper's product as a long long",
     "int",
     "r = hash(a, b);",
     {{2147483640, 7, 2147483407}, {2, 7, 69}},
     NOWHERE},
    {"a hash in a loop as a long long",
     "int",
     "int h = a; for (int k = 0; k < 4; k++) h = h * 31 + b; r = h;",
     {{2147483640, 7, 2140310968}, {1, 0, 923521}},
     NOWHERE},
    {"a product of unsigned shorts as a long long",
     "unsigned short",
     "r = a * b;",
     {{65535, 65535, -131071}, {3, 4, 12}},
     NOWHERE},
    {"a product of ints through an array",
     "int",
     "int t[2]; t[b & 1] = a * 31; t[~b & 1] = 0; r = t[b & 1];",
     {{2147483640, 0, 2147483400}, {2, 1, 62}},
     NOWHERE},
    {"a sum that is compared with its operand",
     "int",
     "r = a + 1 > a;",
     {{2147483647, 0, 0}, {7, 0, 1}},
     ON_CUDA},
    {"a sum that is compared with a number",
     "int",
     "r = a + 1 < -5;",
     {{2147483647, 0, 1}, {7, 0, 0}, {-7, 0, 1}},
     ON_CUDA},
    {"a difference that is compared with 0",
     "int",
     "r = a - b < 0;",
     {{I32_MIN, 1, 0}, {1, 2, 1}, {2147483647, -1, 1}},
     ON_CUDA},
    {"a product that is compared with a number",
     "int",
     "r = a * 4 > 100;",
     {{1073741824, 0, 0}, {26, 0, 1}},
     ON_CUDA},
    {"a product that is compared for being equal",
     "int",
     "r = a * 65536 == 0;",
     {{65536, 0, 1}, {1, 0, 0}},
     ON_CUDA},
    {"a product that is divided again",
     "int",
     "r = a * 2 / 2;",
     {{1073741824, 0, -1073741824}, {5, 0, 5}},
     ON_CUDA},
    {"a product whose remainder is taken",
     "int",
     "r = a * 6 % 3;",
     {{715827883, 0, 2}, {5, 0, 0}},
     ON_CUDA},
    {"a product that is shifted again",
     "int",
     "r = a * 4 >> 2;",
     {{536870912, 0, -536870912}, {5, 0, 5}},
     ON_CUDA},
    {"a square that is not negative but for overflow",
     "int",
     "r = a * a >= 0;",
     {{50000, 0, 0}, {5, 0, 1}},
     ON_CUDA},
    {"a square as a float",
     "int",
     "r = (long long)(float)(a * a);",
     {{50000, 0, -1794967296}, {5, 0, 25}},
     ON_CUDA},
    {"a sum of numbers that are not negative as a float",
     "int",
     "int s = (a & 0x7fffffff) + (b & 0x7fffffff); r = (long long)(double)s;",
     {{2147483647, 1, I32_MIN}, {5, 2, 7}},
     ON_CUDA},
    {"a sum of numbers that are not negative, divided",
     "int",
     "int s = (a & 0x7fffffff) + (b & 0x7fffffff); r = s / 4;",
     {{2147483647, 1, -536870912}, {5, 3, 2}},
     ON_CUDA},
    {"a sum of numbers that are not negative, shifted",
     "int",
     "int s = (a & 0x7fffffff) + (b & 0x7fffffff); r = s >> 4;",
     {{2147483647, 1, -134217728}, {32, 3, 2}},
     ON_CUDA},
    {"a hash in a loop that starts at 1 and is tested for its sign",
     "int",
     "int h = 1; for (int k = 0; k < a; k++) h = h * 31 + 7; r = h < 0 ? -1 : 1;",
     {{7, 0, -1}, {2, 0, 1}},
     ON_CUDA},
    {"a hash of constants that begins with the smallest number",
     "long long",
     "long long h = -9223372036854775807ll - 1; for (int k = 0; k < 13; k++) h = h * 33 + k; r = "
     "(h >> 8) + a;",
     {{0, 0, -35818834731086128}},
     ON_CUDA},
    {"a negated number, divided",
     "int",
     "volatile int v[2] = {-a / 5, -b % 7}; r = v[0] * 100ll + v[1];",
     {{I32_MIN, I32_MIN, -42949672902}, {10, 9, -202}},
     ON_CUDA},
    {"a number times -1, divided",
     "int",
     "volatile int v[2] = {a * -1 / 5, b * -1 % 7}; r = v[0] * 100ll + v[1];",
     {{I32_MIN, I32_MIN, -42949672902}, {10, 9, -202}},
     ON_CUDA},
    {"a number added to itself and shifted again",
     "long long",
     "r = (a + a) >> 3;",
     {{4611686018427387904, 0, -1152921504606846976}, {12, 0, 3}},
     ON_CUDA},
    {"a long long sum that is compared with its operand",
     "long long",
     "r = a + 1 > a;",
     {{9223372036854775807, 0, 0}, {7, 0, 1}},
     ON_CUDA},
    {"a long long difference that is compared with 0",
     "long long",
     "r = a - b < 0;",
     {{I64_MIN, 1, 0}, {1, 2, 1}},
     ON_CUDA},
    {"the least of a sum and a number",
     "int",
     "r = min(a + 1, 0) + max(a + 1, 0);",
     {{2147483647, 0, I32_MIN}, {7, 0, 8}},
     ON_CUDA},
    {"a counter that runs until it is negative",
     "int",
     "int n = 0; for (int k = 1; k > 0 && n < 99; k += 1 << 28) n++; r = n;",
     {{0, 0, 8}},
     ON_CUDA},
    {"a large number in an index",
     "int",
     "int t[4] = {3, 5, 7, 9}; r = t[a + 2147483647 - (2147483647 - b)];",
     {{1, 1, 7}, {2, 1, 9}, {-1, 1, 3}},
     NOWHERE},
    {"a sum with the smallest int, which is no or of the highest bit",
     "int",
     "r = (unsigned)(a + (-2147483647 - 1));",
     {{-1, 0, 2147483647}, {5, 0, 2147483653}, {I32_MIN, 0, 0}},
     ON_CUDA},
    {"a sum with the smallest int that is compared for equality",
     "int",
     "r = a + (-2147483647 - 1) != -1 ? 5 : 6;",
     {{-1, 0, 5}, {2147483647, 0, 6}, {0, 0, 5}},
     ON_CUDA},
    {"a product of numbers that are not negative without its highest bit",
     "int",
     "int c = a & 65535, d = b & 65535; r = (c * d) & 2147483647;",
     {{65535, 65535, 2147352577}, {3, 5, 15}},
     ON_CUDA},
    {"a product of numbers that are not negative with its highest bit turned",
     "int",
     "int c = a & 65535, d = b & 65535; r = (unsigned)((c * d) ^ (-2147483647 - 1));",
     {{65535, 65535, 2147352577}, {3, 5, 2147483663}},
     ON_CUDA},
    {"a product of numbers that are not negative and the smallest int",
     "int",
     "int c = a & 65535, d = b & 65535; r = (unsigned)((unsigned)(c * d) + 2147483648u);",
     {{65535, 65535, 2147352577}, {3, 5, 2147483663}},
     ON_CUDA},
    {"leading zeros of a product of numbers that are not negative",
     "int",
     "int c = a & 65535, d = b & 65535; r = __clz(c * d) == 0 ? 5 : 6;",
     {{65535, 65535, 5}, {3, 5, 6}},
     ON_CUDA},
    {"an absolute value that the program makes by itself",
     "int",
     "int v = a < 0 ? -a : a; r = v < 0 ? 77 : v;",
     {{I32_MIN, 0, 77}, {-5, 0, 5}},
     ON_NVIDIA},
    {"an absolute value that a branch makes",
     "int",
     "int v = a; if (a < 0) v = -a; r = v % 7;",
     {{I32_MIN, 0, -2}, {-5, 0, 5}},
     ON_NVIDIA},
    {"a sum as the bits of a float, and those as a long long",
     "int",
     "float f = __int_as_float(a * 65599 + b); r = f == f ? __float_as_int(f) : 0;",
     {{65538, 1, 4259967}, {40000, 5, -1671007291}, {2, 3, 131201}},
     ON_CUDA},
    {"a difference that is 0 or less where it does not overflow, divided",
     "int",
     "r = (a - 2147483647) / 11 + b;",
     {{-2, 0, 195225786}, {2147483647, 5, 5}, {0, 0, -195225786}},
     NOWHERE},
    {"a remainder of a difference that is 0 or less where it does not overflow",
     "int",
     "r = (int)(-2147483647 - 1 - a) % 55 + b;",
     {{7, 0, 6}, {I32_MIN, 5, 5}, {-7, 0, -6}},
     NOWHERE},
    {"a remainder of a difference of a large number that the size of a block gives",
     "int",
     "int n = (int)(0u - (unsigned)(int)((float)blockDim.x * -3.0e+09f)); r = (n - a) % 55 + b;",
     {{7, 0, 6}, {I32_MIN, 5, 5}, {-7, 0, -6}},
     NOWHERE},
    {"a difference that is compared as a float",
     "int",
     "r = (double)(a - 2147483646) > -1.0 ? 5 : 6;",
     {{-3, 0, 5}, {2147483646, 0, 5}, {0, 0, 6}},
     ON_CUDA},
    {"a hash that begins with the number of an iteration",
     "int",
     "for (int k = 0; k < 2; k++) { int h = k; for (int j = 0; j < 15; j++) "
     "h = h * 16777619 - j; r += (long long)(float)h; }",
     {{0, 0, -2933592192}},
     ON_CUDA},

    /* ---- the smallest number ---- */
    {"a sum that always overflows, cut after a shift",
     "int",
     "r = (signed char)(((a & 15) - 2147483647 - 512) >> 11);",
     {{0, 0, -1}, {15, 0, -1}},
     ON_CUDA},
    {"the sign of a difference, after a shift",
     "int",
     "r = ((a - 2147483647) >> 12) < 0;",
     {{-21564, 0, 0}, {5, 0, 1}},
     ON_CUDA},
    {"the sign of a cut part of a sum",
     "long long",
     "r = (int)((a + a) >> 48) < 0;",
     {{I64_MIN, 0, 0}, {I64_MIN / 2, 0, 1}, {5, 0, 0}},
     ON_CUDA},
    {"the smallest long long and a quotient",
     "long long",
     "long long n = a & 31; r = (n / ((b & 3) - 1) + (-9223372036854775807ll - 1)) % 88;",
     {{17, 1, 7}, {17, 2, -79}},
     ON_CUDA},
    {"the remainder of a number below the smallest",
     "int",
     "r = ((a + (-2147483647 - 1)) - 1) % 11;",
     {{5, 0, -9}, {0, 0, 1}, {-7, 0, 5}},
     ON_CUDA},
    {"the remainder of a difference that is not positive without an overflow",
     "int",
     "r = (a - 2147483647) % 33;",
     {{-128, 0, 7}, {5, 0, -29}},
     NOWHERE},
    {"the remainder of a difference of a difference that is negative without an overflow",
     "int",
     "r = (a - 2147483646 - 2) % 93;",
     {{-5, 0, 90}, {7, 0, -88}},
     ON_CUDA},
    {"a quotient that is not negative where its dividend does not overflow",
     "int",
     "r = (a + 2147483647) / 11;",
     {{64, 0, -195225780}, {0, 0, 195225786}},
     NOWHERE},
    {"the sign of a quotient of a sum with an absolute value",
     "int",
     "int v = (abs(a) + 2147483647) / 11; r = v < 0 ? 77 : v;",
     {{64, 0, 77}, {0, 0, 195225786}},
     ON_CUDA},
    {"a count of which the low bits alone are used",
     "int",
     "r = a << (unsigned)((long long)(b & 63) - (-9223372036854775807ll - 1));",
     {{7, 5, 224}, {7, 40, 0}},
     ON_CUDA},
    {"abs of the smallest int",
     "int",
     "int v = abs(a); r = v < 0 ? 77 : v;",
     {{I32_MIN, 0, 77}, {-7, 0, 7}},
     ON_NVIDIA},
    {"abs of the smallest int as a long long",
     "int",
     "r = abs(a);",
     {{I32_MIN, 0, I32_MIN}, {-7, 0, 7}},
     NOWHERE},
    {"the remainder of abs of the smallest int",
     "int",
     "r = abs(a) % 7;",
     {{I32_MIN, 0, -2}, {-9, 0, 2}},
     ON_CUDA},
    {"abs of the smallest int divided by its remainder",
     "int",
     "int v = abs(a), d = v % b; r = d == 0 ? 128 : v / d;",
     {{I32_MIN, 1227406057, 2}, {1781993778, 1227406057, 3}, {7, 7, 128}},
     ON_NVIDIA},
    {"llabs of the smallest long long",
     "long long",
     "long long v = llabs(a); r = v < 0 ? 77 : v;",
     {{I64_MIN, 0, 77}, {-7, 0, 7}},
     ON_NVIDIA},
    {"the low bits of abs of a constant, the smallest",
     "int",
     "r = (short)abs(-2147483647 - 1) + (short)llabs(-9223372036854775807ll - 1) + a;",
     {{5, 0, 5}, {-7, 0, -7}},
     NOWHERE},
    {"abs of a difference",
     "int",
     "r = abs(a - b);",
     {{I32_MIN, 1, 2147483647}, {3, 5, 2}},
     NOWHERE},
    {"a choice of a negated int",
     "int",
     "int v = a < 0 ? -a : a; r = v < 0 ? 77 : v;",
     {{I32_MIN, 0, 77}, {-7, 0, 7}},
     ON_NVIDIA},

    /* ---- counts, shifts, rotations ---- */
    {"leading zeros of 0", "int", "r = __clz(a);", {{0, 0, 32}, {1, 0, 31}, {-1, 0, 0}}, NOWHERE},
    {"leading zeros of 0 by a builtin of clang",
     "unsigned",
     "r = CLZ(a);",
     {{0, 0, 32}, {1, 0, 31}},
     NOWHERE},
    {"trailing zeros of 0 by a builtin of clang",
     "unsigned",
     "r = CTZ(a);",
     {{0, 0, 32}, {8, 0, 3}},
     NOWHERE},
    {"leading zeros of 64 bits of 0",
     "long long",
     "r = __clzll(a);",
     {{0, 0, 64}, {1, 0, 63}},
     NOWHERE},
    {"the first bit of 0", "int", "r = __ffs(a);", {{0, 0, 0}, {8, 0, 4}}, NOWHERE},
    {"a shift to the left by the width or more",
     "unsigned",
     "r = a << b;",
     {{1, 31, 2147483648}, {1, 32, 0}, {1, 33, 0}, {1, -1, 0}},
     NOWHERE},
    {"a shift to the right by the width or more",
     "int",
     "r = a >> b;",
     {{-8, 2, -2}, {-8, 32, -1}, {8, 40, 0}, {-8, -1, -1}},
     NOWHERE},
    {"a shift of a constant that clang knows",
     "int",
     "const struct { int x; } c = {15}; r = (c.x >> 32u) + a;",
     {{3, 0, 3}, {-1, 0, -1}},
     ON_CUDA}, /* NVRTC makes poison of it, too */
    {"a shift of two constants",
     "int",
     "r = (-5 >> 33) * 4 + (5 << 33) + a;",
     {{3, 0, -1}, {-1, 0, -5}},
     ON_CUDA}, /* the same */
    {"a shift of 64 bits by the width or more",
     "unsigned long long",
     "r = a >> (int)b;",
     {{U64_MAX, 63, 1}, {U64_MAX, 64, 0}, {U64_MAX, 200, 0}},
     NOWHERE},
    {"a rotation by two shifts",
     "unsigned",
     "r = (a << (b & 31)) | (a >> (-b & 31));",
     {{3, 31, 2147483649}, {3, 0, 3}},
     NOWHERE},
    {"a funnel shift by more than the width",
     "unsigned",
     "r = __funnelshift_l(a, a, b);",
     {{3, 33, 6}, {3, 31, 2147483649}},
     NOWHERE},
    {"a switch on multiples of a power of two",
     "int",
     "switch (a) { case 0: r = 11; break; case 8: r = 7; break; case 16: r = 5; break; "
     "case 24: r = b; break; default: r = 2; }",
     {{0, 9, 11}, {8, 9, 7}, {24, 9, 9}, {4, 9, 2}},
     NOWHERE},
    {"a switch on multiples of a power of two from another number",
     "unsigned long long",
     "switch (a) { case 100: r = 11; break; case 164: r = 7; break; case 228: r = 5; break; "
     "case 356: r = b; break; default: r = 2; }",
     {{100, 9, 11}, {228, 9, 5}, {356, 9, 9}, {292, 9, 2}},
     NOWHERE},

    /* ---- memory and flow ---- */
    {"an unsigned index of shared memory that wraps",
     "unsigned",
     "__shared__ int s[64]; for (int k = 0; k < 64; k++) s[k] = 3 * k; int *p = s + 40; "
     "r = p[~a] + p[a - b];",
     {{0, 1, 234}, {3, 5, 222}},
     NOWHERE},
    {"a constant index of shared memory that wraps",
     "unsigned",
     "__shared__ int s[64], t[8][9]; for (int k = 0; k < 64; k++) s[k] = 3 * k; "
     "for (int k = 0; k < 72; k++) t[k / 9][k % 9] = k; int *p = s + 40, *q = s + a; "
     "r = p[~0u] + q[~1u] + t[4][~0u];",
     {{2, 0, 152}, {5, 0, 161}},
     NOWHERE},
    {"an unsigned index of a shared table's row that wraps",
     "unsigned",
     "__shared__ int s[8][9]; for (int k = 0; k < 72; k++) s[k / 9][k % 9] = k; "
     "r = s[b][a - 1];",
     {{0, 1, 8}, {3, 2, 20}},
     NOWHERE},
    {"an unsigned index of shared memory that wraps for certain",
     "unsigned",
     "__shared__ int s[64]; for (int k = 0; k < 64; k++) s[k] = 3 * k; int *p = s + 40; "
     "r = p[~((a - a) & 31u)] + (&s[40 + (a & 0)])[~4u];",
     {{7, 0, 222}},
     NOWHERE},
    {"a second condition that needs the first",
     "int",
     "bool c = b != 0 && a / b > 2; r = c ? 1 : 0;",
     {{7, 0, 0}, {7, 2, 1}, {4, 2, 0}},
     NOWHERE},
    {"two conditions without an order",
     "int",
     "r = (b != 0) & (a / b > 2);",
     {{7, 0, 0}, {7, 2, 1}, {4, 2, 0}},
     NOWHERE},
    {"a function that ends without a return",
     "int",
     "int v = positive(a); r = 5; if (a > 0) r = v;",
     {{-1, 0, 5}, {3, 0, 1}},
     NOWHERE},
    {"an integer at an address that is not aligned for it, in bytes",
     "unsigned",
     "unsigned char t[8] = {1, 2, 3, 4, 5, 6, 7, 8}; unsigned v; memcpy(&v, t + a, 4); r = v;",
     {{1, 0, 84148994}, {0, 0, 67305985}},
     NOWHERE},
    {"the bits of a float",
     "unsigned",
     "float f; memcpy(&f, &a, 4); f = -f; r = *(unsigned *)&f;",
     {{0x3f800000, 0, 3212836864}, {0, 0, 2147483648}},
     NOWHERE},
    {"a vector in two halves, one of which is set",
     "unsigned long long",
     "ulonglong2 v = {a, b};"
     "union { unsigned long long whole; float half[2]; } u = {v.y};"
     "if (a < b) u.half[1] = 1.0f;"
     "if (a > b) u.whole = 1;"
     "const ulonglong2 before = v;"
     "v.x = a << (b & 63);"
     "r = before.x + v.x + v.y + (unsigned long long)__float_as_int(u.half[0]);",
     {{3, 5, 109}, {5, 3, 49}, {4, 4, 76}},
     NOWHERE},

    /* ---- casts of floats ---- */
    {"a cast of infinity",
     "int",
     "float f = 1.0f / (float)a; r = (int)f;",
     {{0, 0, 2147483647}, {1, 0, 1}},
     NOWHERE},
    {"a cast of NaN",
     "int",
     "float f = 0.0f / (float)a; r = (int)f + (unsigned char)f;",
     {{0, 0, 0}, {1, 0, 0}},
     NOWHERE},
};
enum { N = sizeof rows / sizeof *rows };

static const char prologue[] = "#if defined(__clang__)\n"
                               "#define CLZ(x) __builtin_clz(x)\n"
                               "#define CTZ(x) __builtin_ctz(x)\n"
                               "#else\n"
                               "#define CLZ(x) __clz(x)\n"
                               "#define CTZ(x) __clz(__brev(x))\n"
                               "#endif\n"
                               "template <class T> __device__ T safe(T a, T b)\n"
                               "{\n"
                               "    T q = a / b;\n"
                               "    return b == 0 ? 9 : q;\n"
                               "}\n"
                               "__device__ int hash(int a, int b) { return a * 31 + b; }\n"
                               "__device__ int positive(int a)\n"
                               "{\n"
                               "    if (a > 0)\n"
                               "        return 1;\n"
                               "}\n";
static char text[N * 1024 + sizeof prologue];
static qn_module *module;

static bool is_opencl(void)
{
    return strcmp(qn_device_get_info(device)->backend, "opencl") == 0;
}

/* Vectors of clang's are no CUDA. */
static bool is_left_out(const struct row *r)
{
    return strstr(r->body, "ext_vector_type") && !is_opencl();
}

static void write_text(void)
{
    size_t n = (size_t)snprintf(text, sizeof text, "%s", prologue);
    for (int i = 0; i < N; i++) {
        const char *const t = rows[i].type;
        if (!is_left_out(&rows[i]))
            n += (size_t)snprintf(
                text + n, sizeof text - n,
                "extern \"C\" __global__ void memory_%d(long long *out, const %s *x, const %s *y)\n"
                "{\n    %s a = x[threadIdx.x], b = y[threadIdx.x];\n    long long r = 0;\n    %s\n"
                "    out[threadIdx.x] = r;\n}\n"
                "extern \"C\" __global__ void argument_%d(long long *out, %s a, %s b)\n"
                "{\n    long long r = 0;\n    %s\n    out[0] = r;\n}\n",
                i, t, t, t, rows[i].body, i, t, t, rows[i].body);
        ck_assert_uint_lt(n, sizeof text);
    }
}

static void build(void)
{
    write_text();
    const qn_source source = {.text = text, .path = "meaning.cu"};
    qn_log log = {0};
    const qn_status s = qn_module_build(&module, device, &source, NULL, &log);
    ck_assert_msg(s == QN_OK, "%s\n%s", qn_message(), log.text ? log.text : "");
    qn_log_release(&log);
}

static unsigned bytes_of(const char *type)
{
    return strstr(type, "char") ? 1 : strstr(type, "short") ? 2 : strstr(type, "long long") ? 8 : 4;
}

static unsigned cases_of(const struct row *r)
{
    unsigned n = CASES;
    while (n > 1 && !r->cases[n - 1].a && !r->cases[n - 1].b && !r->cases[n - 1].want)
        n--;
    return n;
}

static void compare(const struct row *r, const char *from, unsigned k, long long got)
{
    ck_assert_msg(got == r->cases[k].want, "%s (%s, %s): a %lld, b %lld: %lld instead of %lld",
                  r->name, r->type, from, r->cases[k].a, r->cases[k].b, got, r->cases[k].want);
}

static bool is_run(const struct row *r)
{
    const bool nvidia = !is_opencl() || strstr(qn_device_get_info(device)->target, "nvidia");
    return !is_left_out(r) && !(r->differs == ON_CUDA && !is_opencl()) &&
           !(r->differs == ON_NVIDIA && nvidia);
}

START_TEST(operands_from_memory)
{
    const struct row *const r = &rows[_i];
    const unsigned bytes = bytes_of(r->type), n = cases_of(r);
    unsigned char x[CASES * 8], y[CASES * 8];
    long long got[CASES] = {0};
    const qn_kernel *kernel;
    char name[32];
    if (!is_run(r))
        return;
    for (unsigned k = 0; k < n; k++) {
        memcpy(x + k * bytes, &r->cases[k].a, bytes);
        memcpy(y + k * bytes, &r->cases[k].b, bytes);
    }
    qn_addr a = alloc(sizeof x), b = alloc(sizeof y), out = alloc(sizeof got);
    void *const args[] = {&out, &a, &b};
    const qn_dims dims = {.grid = {1, 1, 1}, .block = {n, 1, 1}};
    snprintf(name, sizeof name, "memory_%d", _i);
    must(qn_kernel_find(&kernel, module, name));
    must(qn_memory_upload(device, a, x, sizeof x, stream));
    must(qn_memory_upload(device, b, y, sizeof y, stream));
    must(qn_stream_launch(stream, kernel, &dims, args));
    must(qn_memory_download(device, got, out, sizeof got, stream));
    must(qn_stream_sync(stream));
    for (unsigned k = 0; k < n; k++)
        compare(r, "memory", k, got[k]);
    qn_memory_free(device, a);
    qn_memory_free(device, b);
    qn_memory_free(device, out);
}
END_TEST

START_TEST(operands_from_arguments)
{
    const struct row *const r = &rows[_i];
    const qn_kernel *kernel;
    char name[32];
    if (!is_run(r))
        return;
    snprintf(name, sizeof name, "argument_%d", _i);
    must(qn_kernel_find(&kernel, module, name));
    for (unsigned k = 0; k < cases_of(r); k++) {
        long long a = r->cases[k].a, b = r->cases[k].b, got = 0;
        qn_addr out = alloc(sizeof got);
        void *const args[] = {&out, &a, &b};
        const qn_dims dims = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
        must(qn_stream_launch(stream, kernel, &dims, args));
        must(qn_memory_download(device, &got, out, sizeof got, stream));
        must(qn_stream_sync(stream));
        qn_memory_free(device, out);
        compare(r, "arguments", k, got);
    }
}
END_TEST

static void close_module(void)
{
    qn_module_close(module);
}

int main(void)
{
    const struct fixture_case cases[] = {
        {operands_from_memory, N}, {operands_from_arguments, N}, {NULL, 0}};
    return fixture_run("meaning", NULL, build, close_module, cases);
}
