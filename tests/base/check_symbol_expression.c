/* SPDX-License-Identifier: Apache-2.0
 *
 * Symbols as clang and gcc make them, and what a source calls the same.
 *
 * covers: base/symbol_expression */
#include "base/symbol_expression.h"

#include <check.h>
#include <stdlib.h>

static const struct {
    const char *symbol, *expression; /* NULL: none names it */
    bool is_instance;
} rows[] = {
    {"_Z4plusPi", "plus", false},
    {"_ZL5quietPi", "quiet", false},
    {"_ZN12_GLOBAL__N_16hiddenEPi", "hidden", false},
    {"_ZN2ns5scaleEPf", "ns::scale", false},
    {"_Z5scaleIfLi64EEvPT_", "scale<float, 64>", true},
    {"_Z5scaleIfLin4EEvPT_", "scale<float, -4>", true},
    {"_Z4flagILb1ELm8EEvPi", "flag<true, (unsigned long)8>", true},
    {"_ZN2ns4fillIfLNS_4modeE1EEEvPT_", "ns::fill<float, (ns::mode)1>", true},
    {"_Z3runI3setEvT_Pi", "run<set>", true},
    {"_Z3runI3boxIiLi3EES1_EvT_T0_", "run<box<int, 3>, box<int, 3>>", true},
    {"_ZN1a3runINS_3boxEPKS1_EEvT_T0_", "a::run<a::box, a::box const *>", true},
    {"_Z4packIJifdEEvDpT_", "pack<int, float, double>", true},
    {"_Z4packIJEEvDpT_", "pack<>", true},
    {"_Z4callIPFffEEvT_Pf", "call<float (*)(float)>", true},
    {"_Z4callIXadL_Z6squareiEEEvPi", NULL, true},
    {"_Z4callIL_Z6squareiEEvPi", "call<square>", true},
    {"_Z3runISt4pairIifEEvT_", "run<std::pair<int, float>>", true},
    {"_Z5arrayIA4_fEvRT_", "array<float [4]>", true},
    {"_Z3runIZ4mainEUlPiE_EvT_S0_", NULL, true},
    {"_Z3runIDF16_EvPT_", NULL, true},
    {"main", NULL, false},
    {"_Z", NULL, false},
    {"_Z9shor", NULL, false},
    {"_Z1kIS9_EvT_", NULL, true},
    {"_Z1kI", NULL, true},
    {"_Z1kIPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPiEvT_", NULL,
     true},
};

START_TEST(a_symbol_is_called_what_the_source_calls_it)
{
    struct qn__arena arena = {0};
    const char *const text = qn__symbol_expression(&arena, rows[_i].symbol);
    if (rows[_i].expression)
        ck_assert_pstr_eq(text, rows[_i].expression);
    else
        ck_assert_msg(!text, "%s: %s", rows[_i].symbol, text);
    ck_assert_int_eq(qn__symbol_is_instance(rows[_i].symbol), rows[_i].is_instance);
    qn__arena_release(&arena);
}
END_TEST

int main(void)
{
    Suite *const s = suite_create("symbol_expression");
    TCase *const t = tcase_create("symbol_expression");
    tcase_add_loop_test(t, a_symbol_is_called_what_the_source_calls_it, 0,
                        (int)(sizeof rows / sizeof *rows));
    suite_add_tcase(s, t);
    SRunner *const r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
