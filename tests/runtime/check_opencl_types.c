/* SPDX-License-Identifier: Apache-2.0
 *
 * runtime/opencl's own types, constants, function types and places in a driver's table against the
 * official headers, where those are installed. Types are compared by the compiler, values when run.
 *
 * covers: runtime/opencl/opencl_dispatch */
#include <check.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_include)
#if __has_include(<CL/cl_ext.h>)
#define HAVE_CL 1
#endif
#endif

#ifndef HAVE_CL
int main(void)
{
    const char *require = getenv("QN_REQUIRE");
    puts("skip: CL/cl_ext.h is not installed (apt install opencl-c-headers)");
    return require && strstr(require, "headers");
}
#else
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#if __has_include(<CL/cl_icd.h>)
#include <CL/cl_icd.h>
#define HAVE_ICD 1
#endif

#define QN_CL_LISTS_ONLY
#include "runtime/opencl/opencl_types.h"

/* Every function of opencl.sym has exactly the official type. */
#define QN_SYM(name, symbol, ret, args)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(symbol), ret args),                     \
                   #symbol " differs from CL/cl.h");
#define QN_OPT QN_SYM
#include "runtime/opencl/opencl.sym"
#undef QN_SYM
#undef QN_OPT

/* Handles are pointers to incomplete structs of the same tag. */
#define HANDLE(name)                                                                               \
    _Static_assert(__builtin_types_compatible_p(name, struct _##name *), #name " differs");
QN_CL_HANDLES(HANDLE)
#undef HANDLE
#define TYPE(name, definition)                                                                     \
    _Static_assert(__builtin_types_compatible_p(name, definition), #name " differs");
QN_CL_TYPES(TYPE)
#undef TYPE

static const struct {
    const char *name;
    long long official, ours;
} constants[] = {
#define CONSTANT(name, value) {#name, (long long)(name), (value)},
    QN_CL_ERRORS(CONSTANT) QN_CL_CONSTANTS(CONSTANT) QN_CL_EXT_CONSTANTS(CONSTANT)
#ifdef CL_DEVICE_PCI_BUS_ID_NV
        QN_CL_NV_CONSTANTS(CONSTANT)
#endif
#undef CONSTANT
};

START_TEST(a_constant_has_the_official_value)
{
    ck_assert_msg(constants[_i].official == constants[_i].ours, "%s: official %lld, ours %lld",
                  constants[_i].name, constants[_i].official, constants[_i].ours);
}
END_TEST

#ifdef HAVE_ICD
static const struct {
    const char *name;
    size_t official, ours;
} places[] = {
#define QN_ROW(place, name, ret, parameters, object, arguments)                                    \
    {#name, offsetof(cl_icd_dispatch, cl##name) / sizeof(void *), (place)},
#define QN_ROW_VOID(place, name, parameters, object, arguments)                                    \
    QN_ROW(place, name, void, parameters, object, arguments)
#include "runtime/opencl/opencl_dispatch.def"
#undef QN_ROW
#undef QN_ROW_VOID
};

START_TEST(a_function_has_the_official_place)
{
    ck_assert_msg(places[_i].official == places[_i].ours, "%s: official %zu, ours %zu",
                  places[_i].name, places[_i].official, places[_i].ours);
}
END_TEST
#endif

START_TEST(structs_have_the_official_layout)
{
    ck_assert_uint_eq(sizeof(struct qn__cl_pci_khr), sizeof(cl_device_pci_bus_info_khr));
    ck_assert_uint_eq(offsetof(struct qn__cl_pci_khr, function),
                      offsetof(cl_device_pci_bus_info_khr, pci_function));
    ck_assert_uint_eq(sizeof(struct qn__cl_name_version), sizeof(cl_name_version));
    ck_assert_uint_eq(offsetof(struct qn__cl_name_version, name), offsetof(cl_name_version, name));
    /* The official union has no name for its PCIe part in every version: 24 bytes, three at the
     * end. */
    ck_assert_uint_eq(sizeof(struct qn__cl_pci_amd), 24);
    ck_assert_uint_eq(offsetof(struct qn__cl_pci_amd, function), 23);
}
END_TEST

#define N(array) ((int)(sizeof(array) / sizeof *(array)))

int main(void)
{
    Suite *s = suite_create("opencl types");
    TCase *t = tcase_create("opencl types");
    tcase_add_loop_test(t, a_constant_has_the_official_value, 0, N(constants));
    tcase_add_test(t, structs_have_the_official_layout);
#ifdef HAVE_ICD
    tcase_add_loop_test(t, a_function_has_the_official_place, 0, N(places));
#else
    puts("skip: places in a driver's table: CL/cl_icd.h is not installed (apt install "
         "opencl-c-headers)");
#endif
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_set_fork_status(r, CK_NOFORK);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
#endif
