/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel that reads where it must not. A program of its own and one test, because on a GPU the
 * context is lost afterwards. On cpu:0 only the launch is; OpenCL drivers for CPUs, and ROCm, end
 * the process instead. */
#include "tests/runtime/runtime_kernels.h"

START_TEST(a_fault_appears_at_the_sync_and_names_the_kernels)
{
    qn_module *mod = build_kernels();
    const qn_addr good = alloc(256);
    const uint64_t item[2] = {64, 1}; /* the next one is at an address nobody has */
    const qn_dims dims = {.block = {32}};
    must(qn_stream_launch(stream, kernel(mod, "places"), &dims, (void *[]){address_of(&good)}));
    must(qn_stream_sync(stream));
    must(qn_memory_upload(device, good, item, sizeof item, NULL));
    must(qn_stream_launch(stream, kernel(mod, "sum_list"), &dims,
                          (void *[]){address_of(&good), address_of(&good)}));
    must_not(QN_E_FAULT, qn_stream_sync(stream));
    ck_assert_msg(strstr(qn_message(), "sum_list") != NULL, "%s", qn_message());
    ck_assert_msg(!strstr(qn_message(), "places"), "%s", qn_message()); /* before the last sync */
    ck_assert_int_ne(qn_message_code(), 0);
    char byte;
    const bool goes_on = !strcmp(qn_device_get_info(device)->backend, "cpu");
    ck_assert_int_eq(qn_memory_download(device, &byte, good, 1, NULL) == QN_OK, goes_on);
    qn_module_close(mod);
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {{a_fault_appears_at_the_sync_and_names_the_kernels, 1},
                                         {0}};
    qn_device *preferred;
    if (qn_device_open(&preferred, NULL) == QN_OK) {
        const qn_device_info *info = qn_device_get_info(preferred);
        const bool survives = !strcmp(info->backend, "cpu") ||
                              (info->device_class != QN_DEVICE_CPU && strcmp(info->kind, "rocm"));
        if (!survives)
            printf("skip: on %s a fault ends the process\n", info->name);
        qn_device_close(preferred);
        if (!survives)
            return 0;
    }
    return fixture_run("runtime fault", NULL, NULL, NULL, cases);
}
