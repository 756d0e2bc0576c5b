/* SPDX-License-Identifier: Apache-2.0
 *
 * Inline PTX and device functions that no C++ operator spells, against the numbers that PTX's
 * manual defines. Each row is the body of a kernel of 32 threads, which writes words to o; `a`
 * holds the words of `input`, i is threadIdx.x. The same source runs through NVRTC
 * (QUERN_BACKEND=cuda) and through the translator.
 *
 * covers: compiler/lower/ptx/ptx_shared compiler/lower/ptx/ptx_branch compiler/lower/ptx/ptx_copy
 * compiler/lower/ptx/ptx_window compiler/lower/ptx/ptx_compare compiler/lower/ptx/ptx_convert
 * compiler/lower/ptx/ptx_half compiler/lower/ptx/ptx_float compiler/lower/ptx/ptx_field */
#include "tests/compiler/instruction_rows.h"
#include "tests/runtime_fixture.h"

static qn_module *module;
static uint32_t input[INPUTS];

static bool is_left_out(const struct instruction_row *r)
{
    const char *const target = qn_device_get_info(device)->target;
    return r->needs_sm_100 && strncmp(target, "cuda:sm_", 8) == 0 && atoi(target + 8) < 100;
}

static void build(void)
{
    instructions_write(is_left_out);
    const qn_source source = {.text = instruction_text, .path = "instructions.cu"};
    qn_log log = {0};
    const qn_status s = qn_module_build(&module, device, &source, NULL, &log);
    if (s != QN_OK) /* too long for a message of Check's */
        fprintf(stderr, "%s\n", log.text ? log.text : "");
    ck_assert_msg(s == QN_OK, "%.400s", qn_message());
    qn_log_release(&log);
    for (uint32_t i = 0; i < INPUTS; i++)
        input[i] = 100 * i + 7;
}

START_TEST(numbers_are_those_of_the_manual)
{
    const struct instruction_row *const r = &rows[_i];
    const qn_kernel *kernel;
    uint32_t got[WORDS];
    if (is_left_out(r))
        return;
    char name[32];
    memset(got, 0, sizeof got);
    qn_addr out = alloc(sizeof got), in = alloc(sizeof input);
    void *const args[] = {&out, &in};
    const qn_dims dims = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}};
    snprintf(name, sizeof name, "row_%d", _i);
    must(qn_kernel_find(&kernel, module, name));
    must(qn_memory_upload(device, in, input, sizeof input, stream));
    must(qn_memory_upload(device, out, got, sizeof got, stream));
    must(qn_stream_launch(stream, kernel, &dims, args));
    must(qn_memory_download(device, got, out, sizeof got, stream));
    must(qn_stream_sync(stream));
    qn_memory_free(device, in);
    qn_memory_free(device, out);
    for (int k = 0; k < WORDS; k++)
        ck_assert_msg(got[k] == r->want[k], "%s: o[%d] is 0x%08x, wanted 0x%08x", r->name, k,
                      got[k], r->want[k]);
}
END_TEST

static void close_module(void)
{
    qn_module_close(module);
}

int main(void)
{
    const struct fixture_case cases[] = {{numbers_are_those_of_the_manual, N}, {NULL, 0}};
    return fixture_run("instructions", NULL, build, close_module, cases);
}
