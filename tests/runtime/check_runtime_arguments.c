/* SPDX-License-Identifier: Apache-2.0
 *
 * Structs by value that OpenCL's argument block (1024 bytes) does not hold: the translator moves
 * them into buffers, and each launch fills its own. The public API, on whatever device QUERN_DEVICE
 * or QUERN_BACKEND names (else the preferred one). */
#include "tests/runtime_fixture.h"

#include "runtime/backend.h"

enum { THREADS = 64, VALUES = 498, STREAMS = 2, LAUNCHES = 8, ROUNDS = 20000 };

struct bag {
    uint64_t shared; /* device address */
    uint32_t values[VALUES];
};

/* Mixes a value of the bag with one behind its pointer, for `rounds` rounds. */
static const char text[] =
    "struct bag { const unsigned *shared; unsigned values[498]; };\n"
    "extern \"C\" __global__ void mix(unsigned *out, unsigned rounds, struct bag b, unsigned "
    "step)\n"
    "{\n"
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = b.values[i * step % 498];\n"
    "    for (unsigned r = 0; r < rounds; r++)\n"
    "        v = v * 1664525u + b.shared[i];\n"
    "    out[i] = v;\n"
    "}\n"
    "// the last of the struct, and one that the kernel writes to\n"
    "extern \"C\" __global__ void drain(unsigned *out, struct bag b, short by)\n"
    "{\n"
    "    b.values[threadIdx.x] += by;\n"
    "    out[threadIdx.x] = b.values[threadIdx.x] + b.values[497];\n"
    "}\n";

static qn_module *mod;
static qn_addr shared;
static const qn_dims dims = {.grid = {2}, .block = {THREADS / 2}};

static void open_all(void)
{
    const qn_source source = {.text = text, .path = "arguments.cu"};
    uint32_t numbers[THREADS];
    qn_log log = {0};
    const qn_status s = qn_module_build(&mod, device, &source, NULL, &log);
    ck_assert_msg(s == QN_OK, "%s\n%s", qn_message(), log.text ? log.text : "");
    qn_log_release(&log);
    shared = alloc(sizeof numbers);
    for (uint32_t i = 0; i < THREADS; i++)
        numbers[i] = 2 * i + 1;
    must(qn_memory_upload(device, shared, numbers, sizeof numbers, NULL));
}

static void close_all(void)
{
    qn_module_close(mod);
    must(qn_memory_free(device, shared));
}

static const qn_kernel *find(qn_module *from, const char *name)
{
    const qn_kernel *k;
    must(qn_kernel_find(&k, from, name));
    return k;
}

static void fill(struct bag *b, uint32_t seed)
{
    ck_assert_uint_eq(sizeof *b, 2000);
    b->shared = shared;
    for (uint32_t i = 0; i < VALUES; i++)
        b->values[i] = seed * 1000003u + i;
}

static void mix(qn_stream *s, const qn_kernel *k, qn_addr out, uint32_t seed)
{
    struct bag b;
    uint32_t rounds = ROUNDS, step = seed + 7;
    fill(&b, seed);
    must(qn_stream_launch(s, k, &dims, (void *[]){address_of(&out), &rounds, &b, &step}));
    fill(&b, ~seed); /* copied before the launch returned */
}

static void check_mixed(qn_addr out, uint32_t seed)
{
    uint32_t got[THREADS];
    struct bag b;
    fill(&b, seed);
    must(qn_memory_download(device, got, out, sizeof got, NULL));
    for (uint32_t i = 0; i < THREADS; i++) {
        uint32_t want = b.values[i * (seed + 7) % VALUES];
        for (int r = 0; r < ROUNDS; r++)
            want = want * 1664525u + 2 * i + 1;
        ck_assert_msg(got[i] == want, "seed %u, element %u: %u, want %u", seed, i, got[i], want);
    }
}

START_TEST(a_struct_larger_than_the_argument_block_arrives_whole)
{
    const qn_addr out = alloc(THREADS * 4);
    const qn_kernel *k = find(mod, "mix");
    ck_assert_uint_eq(qn_kernel_get_info(k)->n_args, 4);
    ck_assert_uint_eq(qn_kernel_get_info(k)->args[2].size_bytes, sizeof(struct bag));
    mix(stream, k, out, 1);
    check_mixed(out, 1);
    must(qn_memory_free(device, out));
}
END_TEST

START_TEST(a_kernel_may_write_to_its_struct_and_no_thread_sees_anothers)
{
    uint32_t got[THREADS];
    struct bag b;
    int16_t by = 100;
    const qn_addr out = alloc(sizeof got);
    fill(&b, 5);
    for (int round = 0; round < 2; round++) {
        must(qn_stream_launch(stream, find(mod, "drain"), &(qn_dims){.block = {THREADS}},
                              (void *[]){address_of(&out), &b, &by}));
        must(qn_memory_download(device, got, out, sizeof got, NULL));
        for (uint32_t i = 0; i < THREADS; i++)
            ck_assert_uint_eq(got[i], b.values[i] + 100 + b.values[VALUES - 1]);
    }
    must(qn_memory_free(device, out));
}
END_TEST

START_TEST(launches_that_overlap_have_contents_of_their_own)
{
    const qn_kernel *k = find(mod, "mix");
    qn_stream *streams[STREAMS];
    const qn_addr out = alloc(STREAMS * LAUNCHES * THREADS * 4);
    for (uint32_t i = 0; i < STREAMS; i++)
        must(qn_stream_create(&streams[i], device, NULL));
    for (uint32_t i = 0; i < STREAMS * LAUNCHES; i++)
        mix(streams[i % STREAMS], k, out + i * THREADS * 4, i);
    for (uint32_t i = 0; i < STREAMS; i++)
        must(qn_stream_sync(streams[i]));
    for (uint32_t i = 0; i < STREAMS * LAUNCHES; i++)
        check_mixed(out + i * THREADS * 4, i);
    for (uint32_t i = 0; i < STREAMS; i++)
        qn_stream_destroy(streams[i]);
    must(qn_memory_free(device, out));
}
END_TEST

START_TEST(a_graph_replays_with_the_contents_of_then)
{
    const qn_kernel *k = find(mod, "mix");
    const qn_addr out = alloc(2 * THREADS * 4);
    qn_graph *g;
    must(qn_stream_capture_begin(stream));
    mix(stream, k, out, 20);
    mix(stream, k, out + THREADS * 4, 21);
    must(qn_stream_capture_end(&g, stream));
    for (int round = 0; round < 2; round++) {
        must(qn_memory_fill(device, out, 0, 4, 2 * THREADS, NULL));
        must(qn_graph_launch(g, stream));
        mix(stream, k, out, 22 + (uint32_t)round);
        must(qn_stream_sync(stream));
        check_mixed(out, 22 + (uint32_t)round);
        check_mixed(out + THREADS * 4, 21);
    }
    qn_graph_destroy(g);
    must(qn_memory_free(device, out));
}
END_TEST

START_TEST(a_drivers_binary_knows_as_well)
{
    qn_image *binary;
    qn_module *again;
    const qn_addr out = alloc(THREADS * 4);
    if (device->backend->module_binary) {
        must(device->backend->module_binary(&binary, mod));
        must(qn_module_load(&again, device, binary));
        qn_image_release(binary);
    } else { /* what is compiled is the driver's binary */
        const qn_source source = {.text = text, .path = "arguments.cu"};
        must(qn_compile(&binary, &source, qn_device_get_info(device)->target, NULL, NULL));
        must(qn_module_load(&again, device, binary));
        qn_image_release(binary);
    }
    mix(stream, find(again, "mix"), out, 3);
    check_mixed(out, 3);
    qn_module_close(again);
    must(qn_memory_free(device, out));
}
END_TEST

START_TEST(an_argument_without_an_address_is_refused)
{
    const qn_kernel *k = find(mod, "drain");
    qn_stream *own;
    qn_addr out = alloc(THREADS * 4);
    struct bag b = {.shared = shared};
    must(qn_stream_create(&own, device, NULL));
    for (int missing = 0; missing < 3; missing++) {
        short by = 1;
        void *args[] = {&out, &b, &by};
        args[missing] = NULL;
        ck_assert_int_eq(qn_stream_launch(own, k, &dims, args), QN_E_INVALID);
        ck_assert_msg(strstr(qn_message(), "the address of argument") != NULL, "%s", qn_message());
    }
    must(qn_stream_sync(own));
    qn_stream_destroy(own);
    must(qn_memory_free(device, out));
}
END_TEST

int main(void)
{
    const struct fixture_case cases[] = {
        {a_struct_larger_than_the_argument_block_arrives_whole, 1},
        {a_kernel_may_write_to_its_struct_and_no_thread_sees_anothers, 1},
        {launches_that_overlap_have_contents_of_their_own, 1},
        {a_graph_replays_with_the_contents_of_then, 1},
        {a_drivers_binary_knows_as_well, 1},
        {an_argument_without_an_address_is_refused, 1},
        {0},
    };
    return fixture_run("runtime arguments", NULL, open_all, close_all, cases);
}
