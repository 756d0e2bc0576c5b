/* SPDX-License-Identifier: Apache-2.0
 *
 * What the generic layer of runtime/ decides by itself, without any driver: the order of devices,
 * which entries are the same card, names of devices and kernels in messages.
 *
 * covers: runtime/found runtime/native_stream runtime/stream_queue runtime/deadline */
#include "base/file.h"
#include "runtime/backend.h"
#include "runtime/native_stream.h"
#include "runtime/stream_queue.h"

#include <check.h>
#include <quern/cache.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- backends -- */

static const struct qn__backend *const backends[] = {
#define QN__BACKEND(name) &qn__backend_##name,
#include "runtime/backends.def"
#undef QN__BACKEND
};

#define N(array) ((int)(sizeof(array) / sizeof *(array)))

START_TEST(a_backend_has_every_required_callback)
{
    const struct qn__backend *b = backends[_i];
    ck_assert_str_ne(b->name, "");
    ck_assert(b->probe && b->device_open && b->device_close && b->device_memory);
    ck_assert(b->alloc && b->free && b->alloc_host && b->free_host && b->copy && b->fill);
    ck_assert(b->module_load && b->module_close && b->kernel_open && b->kernel_close);
    ck_assert(b->global_find && b->launch);
    ck_assert(b->stream_open && b->stream_close && b->stream_wait && b->stream_wait_event);
    ck_assert(b->event_open && b->event_close && b->event_record && b->event_wait);
    ck_assert(b->event_elapsed != NULL);
    ck_assert_msg(!b->capture_begin == !b->capture_end && !b->capture_end == !b->graph_launch &&
                      !b->graph_launch == !b->graph_close,
                  "%s: the graph callbacks are all there or none", b->name);
}
END_TEST

/* -- order of devices -- */

struct card {
    const char *id, *name, *pci;
    qn_device_class class;
    uint64_t free_gib;
};

static const struct order_case {
    const char *name;
    struct card cards[6]; /* in driver order, ended by an id of NULL */
    const char *want;     /* ids in order, with =id where same_as is set */
} order_cases[] = {
    {"nothing", {{0}}, ""},
    {"more free memory first",
     {{"cuda:0", "A", "0000:01:00.0", QN_DEVICE_DISCRETE, 8},
      {"cuda:1", "A", "0000:02:00.0", QN_DEVICE_DISCRETE, 16}},
     "cuda:1 cuda:0"},
    {"equal devices stay in driver order",
     {{"cuda:0", "A", "", QN_DEVICE_DISCRETE, 8}, {"cuda:1", "A", "", QN_DEVICE_DISCRETE, 8}},
     "cuda:0 cuda:1"},
    {"discrete before integrated before CPU, whatever the memory",
     {{"opencl:0", "I", "", QN_DEVICE_INTEGRATED, 32},
      {"opencl:1", "D", "", QN_DEVICE_DISCRETE, 4},
      {"opencl:2", "C", "", QN_DEVICE_CPU, 64}},
     "opencl:1 opencl:0 opencl:2"},
    {"processors by backend, whatever the memory",
     {{"cpu:0", "P", "", QN_DEVICE_CPU, 8},
      {"opencl:0", "P", "", QN_DEVICE_CPU, 64},
      {"opencl:1", "I", "", QN_DEVICE_INTEGRATED, 4}},
     "opencl:1 cpu:0 opencl:0"},
    {"one card by its PCI address, although another driver names it differently",
     {{"cuda:0", "NVIDIA H100", "0000:65:00.0", QN_DEVICE_DISCRETE, 70},
      {"opencl:0", "NVIDIA H100 80GB HBM3", "0000:65:00.0", QN_DEVICE_DISCRETE, 80}},
     "cuda:0 opencl:0=cuda:0"},
    {"two equal cards by their PCI addresses, listed crosswise",
     {{"cuda:0", "A", "0000:01:00.0", QN_DEVICE_DISCRETE, 8},
      {"cuda:1", "A", "0000:02:00.0", QN_DEVICE_DISCRETE, 8},
      {"opencl:0", "A", "0000:02:00.0", QN_DEVICE_DISCRETE, 8},
      {"opencl:1", "A", "0000:01:00.0", QN_DEVICE_DISCRETE, 8}},
     "cuda:0 cuda:1 opencl:0=cuda:1 opencl:1=cuda:0"},
    {"two equal cards without addresses, by their order",
     {{"hip:0", "A", "0000:01:00.0", QN_DEVICE_DISCRETE, 8},
      {"hip:1", "A", "0000:02:00.0", QN_DEVICE_DISCRETE, 8},
      {"opencl:0", "A", "", QN_DEVICE_DISCRETE, 8},
      {"opencl:1", "A", "", QN_DEVICE_DISCRETE, 8}},
     "hip:0 hip:1 opencl:0=hip:0 opencl:1=hip:1"},
    {"a third equal card that only one backend sees is its own",
     {{"hip:0", "A", "", QN_DEVICE_DISCRETE, 8},
      {"opencl:0", "A", "", QN_DEVICE_DISCRETE, 8},
      {"opencl:1", "A", "", QN_DEVICE_DISCRETE, 8}},
     "hip:0 opencl:1 opencl:0=hip:0"},
    {"a card under three backends points at the first",
     {{"cuda:0", "A", "0000:01:00.0", QN_DEVICE_DISCRETE, 8},
      {"hip:0", "A", "0000:01:00.0", QN_DEVICE_DISCRETE, 8},
      {"opencl:0", "A", "0000:01:00.0", QN_DEVICE_DISCRETE, 8}},
     "cuda:0 hip:0=cuda:0 opencl:0=cuda:0"},
    {"different addresses are different cards, whatever the name",
     {{"cuda:0", "A", "0000:01:00.0", QN_DEVICE_DISCRETE, 8},
      {"opencl:0", "A", "0000:02:00.0", QN_DEVICE_DISCRETE, 9}},
     "opencl:0 cuda:0"},
    {"partitions of one card stay apart within a backend",
     {{"cuda:0", "A MIG 1", "0000:01:00.0", QN_DEVICE_DISCRETE, 8},
      {"cuda:1", "A MIG 2", "0000:01:00.0", QN_DEVICE_DISCRETE, 8}},
     "cuda:0 cuda:1"},
    {"a second view of a card comes behind other cards of its class",
     {{"cuda:0", "A", "0000:01:00.0", QN_DEVICE_DISCRETE, 8},
      {"opencl:0", "A", "0000:01:00.0", QN_DEVICE_DISCRETE, 90},
      {"opencl:1", "B", "0000:02:00.0", QN_DEVICE_DISCRETE, 4},
      {"opencl:2", "C", "", QN_DEVICE_CPU, 99}},
     "cuda:0 opencl:1 opencl:0=cuda:0 opencl:2"},
};

static const char *backend_of(const char *id)
{
    for (int i = 0; i < N(backends); i++)
        if (!strncmp(id, backends[i]->name, strlen(backends[i]->name)))
            return backends[i]->name;
    return "";
}

START_TEST(devices_are_listed_by_preference_and_second_views_are_marked)
{
    const struct order_case *c = &order_cases[_i];
    struct qn__arena arena = {0};
    struct qn__found f = {.arena = &arena};
    for (const struct card *card = c->cards; card->id; card++) {
        const qn_device_info info = {.id = card->id,
                                     .name = card->name,
                                     .pci = card->pci,
                                     .device_class = card->class,
                                     .memory_free_bytes = card->free_gib << 30};
        ck_assert_int_eq(qn__found_device(&f, &info), QN_OK);
        f.devices[f.n_devices - 1].backend = backend_of(card->id); /* as probing sets it */
    }
    qn__found_arrange(&f);
    char got[256] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < f.n_devices; i++)
        used += (size_t)snprintf(got + used, sizeof got - used, "%s%s%s%s", i ? " " : "",
                                 f.devices[i].id, *f.devices[i].same_as ? "=" : "",
                                 f.devices[i].same_as);
    ck_assert_msg(!strcmp(got, c->want), "%s: got %s, want %s", c->name, got, c->want);
    qn__arena_release(&arena);
}
END_TEST

START_TEST(many_devices_and_refusals_fit_in_a_list)
{
    struct qn__arena arena = {0};
    struct qn__found f = {.arena = &arena};
    char text[32];
    for (uint32_t i = 0; i < 100; i++) {
        snprintf(text, sizeof text, "card %u", i);
        ck_assert_int_eq(qn__found_device(&f, &(qn_device_info){.name = text}), QN_OK);
        ck_assert_int_eq(qn__found_refusal(&f, "hip", text, "reason %u", i), QN_OK);
    }
    memset(text, 0, sizeof text); /* the list has copies */
    ck_assert_uint_eq(f.n_devices, 100);
    ck_assert_uint_eq(f.n_refusals, 100);
    ck_assert_str_eq(f.devices[0].name, "card 0");
    ck_assert_str_eq(f.devices[99].name, "card 99");
    ck_assert_str_eq(f.devices[99].arch, ""); /* what a backend leaves out is "" */
    ck_assert_str_eq(f.refusals[16].what, "card 16");
    ck_assert_str_eq(f.refusals[99].reason, "reason 99");
    qn__arena_release(&arena);
}
END_TEST

/* -- naming a device -- */

static const struct {
    const char *id, *backends; /* for qn_device_open and QUERN_BACKEND */
    qn_status want;
    const char *message; /* a part of it */
} name_cases[] = {
    {"metal:0", NULL, QN_E_INVALID, "device 'metal:0'"},
    {"metal", NULL, QN_E_INVALID, "cuda, hip, cpu, opencl"},
    {"CUDA:0", NULL, QN_E_INVALID, "device 'CUDA:0'"},
    {"cuda:", NULL, QN_E_INVALID, "device 'cuda:'"},
    {"cuda:x", NULL, QN_E_INVALID, "device 'cuda:x'"},
    {"cuda:0x", NULL, QN_E_INVALID, "device 'cuda:0x'"},
    {"cuda:-1", NULL, QN_E_INVALID, "device 'cuda:-1'"},
    {"cuda:0:0", NULL, QN_E_INVALID, "device 'cuda:0:0'"},
    {"cuda:4294967296", NULL, QN_E_INVALID, "device 'cuda:4294967296'"},
    {" cuda", NULL, QN_E_INVALID, "device ' cuda'"},
    {"cuda:9999", NULL, QN_E_NO_DEVICE, "cuda:9999"},
    {"hip:9999", NULL, QN_E_NO_DEVICE, "hip:9999"},
    {"opencl:9999", NULL, QN_E_NO_DEVICE, "opencl:9999"},
    {"opencl:0", "cuda,hip", QN_E_NO_DEVICE, "QUERN_BACKEND=cuda,hip leaves it out"},
    {"opencl:0", "metal", QN_E_INVALID, "'metal' is no backend"},
    {NULL, "opencl,", QN_OK, NULL}, /* an empty name at the end is no name */
    {NULL, "cuda;hip", QN_E_INVALID, "'cuda;hip' is no backend"},
};

START_TEST(a_wrong_device_name_is_refused_with_the_reason)
{
    qn_device *dev = NULL;
    char *kept = getenv("QUERN_BACKEND") ? strdup(getenv("QUERN_BACKEND")) : NULL;
    unsetenv("QUERN_BACKEND");
    if (name_cases[_i].backends)
        setenv("QUERN_BACKEND", name_cases[_i].backends, 1);
    if (name_cases[_i].want == QN_OK) { /* whether or not there is such a device */
        qn_device_list list;
        ck_assert_int_eq(qn_device_list_init(&list), QN_OK);
        for (uint32_t i = 0; i < list.n_devices; i++)
            ck_assert_str_eq(list.devices[i].backend, "opencl");
        qn_device_list_release(&list);
    } else {
        const qn_status s = qn_device_open(&dev, name_cases[_i].id);
        ck_assert_msg(s == name_cases[_i].want && !dev, "'%s': %s", name_cases[_i].id,
                      qn_status_name(s));
        ck_assert_msg(strstr(qn_message(), name_cases[_i].message) != NULL, "message: %s",
                      qn_message());
    }
    unsetenv("QUERN_BACKEND");
    if (kept)
        setenv("QUERN_BACKEND", kept, 1);
    free(kept);
}
END_TEST

/* -- faults name kernels -- */

START_TEST(a_fault_names_the_kernels_queued_since_the_last_sync_newest_first)
{
    qn_kernel kernels[QN__RECENT_MAX + 2];
    char names[QN__RECENT_MAX + 2][16];
    qn_stream *s = calloc(1, sizeof *s);
    memset(kernels, 0, sizeof kernels);
    ck_assert_ptr_nonnull(s);
    for (int i = 0; i < N(kernels); i++) {
        snprintf(names[i], sizeof names[i], "k%d", i);
        kernels[i].info.expression = names[i];
    }
    ck_assert_int_eq(qn__stream_result(s, qn__fail(QN_E_FAULT, "illegal address")), QN_E_FAULT);
    ck_assert_str_eq(qn_message(), "illegal address");
    for (int i = 0; i < 2; i++) {
        const qn_kernel *k = &kernels[i];
        qn__stream_queued(s, &k, 1);
    }
    (void)qn__stream_result(s, qn__fail_code(QN_E_FAULT, 700, "illegal address"));
    ck_assert_str_eq(qn_message(),
                     "kernels queued since the last sync, newest first: k1, k0: illegal address");
    ck_assert_int_eq(qn_message_code(), 700);
    for (int i = 2; i < N(kernels); i++) {
        const qn_kernel *k = &kernels[i];
        qn__stream_queued(s, &k, 1);
    }
    (void)qn__stream_result(s, qn__fail(QN_E_FAULT, "illegal address"));
    ck_assert_str_eq(qn_message(), "kernels queued since the last sync, newest first: k9, k8, k7, "
                                   "k6, k5, k4, k3, k2, and earlier ones: illegal address");
    (void)qn__stream_result(s, qn__fail(QN_E_INVALID, "an argument"));
    ck_assert_str_eq(qn_message(), "an argument"); /* only faults */
    free(s);
}
END_TEST

/* -- a kernel that never ends -- */

static bool never_ends;
static int n_closed; /* streams, modules and allocations of the backend below */
static uint64_t longest_ns;

static qn_status wait_in_vain(qn_stream *s, uint64_t ns)
{
    (void)s;
    longest_ns = ns > longest_ns ? ns : longest_ns;
    return never_ends ? qn__fail(QN_E_NOT_READY, "still working") : QN_OK;
}

static qn_status open_stream(qn_stream **out, qn_device *dev, bool timing)
{
    (void)dev;
    (void)timing;
    *out = calloc(1, sizeof **out);
    return *out ? QN_OK : qn__fail(QN_E_MEMORY, "a stream");
}

static void close_stream(qn_stream *s)
{
    n_closed++;
    free(s);
}

static qn_status take_back(qn_device *dev, qn_addr addr)
{
    (void)dev;
    n_closed += addr != 0;
    return QN_OK;
}

static void close_module(qn_module *mod)
{
    n_closed++;
    free(mod);
}

static void keep_device(qn_device *dev)
{
    (void)dev;
}

static void be_silent(qn_log_level level, const char *line, void *payload)
{
    (void)level;
    snprintf(payload, 128, "%s", line);
}

START_TEST(under_a_watchdog_what_never_ends_is_left_as_it_is)
{
    const struct qn__backend endless = {.name = "endless",
                                        .stream_open = open_stream,
                                        .stream_wait = wait_in_vain,
                                        .stream_close = close_stream,
                                        .free = take_back,
                                        .module_close = close_module,
                                        .device_close = keep_device};
    qn_device *dev = calloc(1, sizeof *dev);
    qn_module *mod = calloc(1, sizeof *mod);
    qn_stream *s;
    char said[128] = "";
    ck_assert(dev && mod);
    dev->backend = &endless;
    dev->info.id = "endless:0";
    atomic_init(&dev->refs, 2); /* one for the module */
    mod->device = dev;
    pthread_mutex_init(&dev->streams_lock, NULL);
    pthread_mutex_init(&dev->lock, NULL);
    pthread_mutex_init(&mod->lock, NULL);
    qn_log_set_callback(be_silent, said);
    ck_assert_int_eq(qn_stream_create(&s, dev, NULL), QN_OK);
    qn__stream_queued(s, NULL, 0);
    qn_device_set_watchdog(dev, 3000);
    never_ends = true;
    ck_assert_int_eq(qn_stream_sync(s), QN_E_TIMEOUT);
    ck_assert_str_eq(qn_message(), "endless:0: what was queued is not done after 3 s");
    ck_assert_uint_eq(longest_ns, 3000000000);
    longest_ns = 0;
    ck_assert_int_eq(qn_memory_free(dev, 64), QN_E_TIMEOUT);
    qn_module_close(mod);
    ck_assert_msg(strstr(said, "endless:0: a module") != NULL, "%s", said);
    qn_stream_destroy(s);
    ck_assert_msg(strstr(said, "endless:0: a stream") != NULL, "%s", said);
    ck_assert_uint_le(longest_ns, 1); /* it has had its time */
    ck_assert_int_eq(n_closed, 0);
    never_ends = false; /* it ended after all: everything can go */
    ck_assert_int_eq(qn_memory_free(dev, 64), QN_OK);
    qn_module_close(mod);
    qn_stream_destroy(s);
    ck_assert_int_eq(n_closed, 3);
    qn_device_close(dev);
    qn_log_set_callback(NULL, NULL);
    free(dev);
}
END_TEST

START_TEST(a_wait_asks_often_at_first_and_sleeps_later)
{
    const double start = qn__now_ms();
    const struct qn__deadline none = qn__deadline_in(0), d = qn__deadline_in(100000000);
    int asked = 0;
    ck_assert(!qn__deadline_pause(&none));
    while (qn__deadline_pause(&d))
        asked++;
    const double ms = qn__now_ms() - start;
    ck_assert_msg(ms >= 100 && ms < 10000, "%g ms", ms);
    /* 50 us of asking without a pause, then an eighth more each time up to 2 ms */
    ck_assert_msg(asked > 0 && asked < 100000, "asked %d times", asked);
}
END_TEST

/* -- a stream for other libraries -- */

static qn_status give_itself(void **handle, qn_stream *s)
{
    *handle = s;
    return QN_OK;
}

START_TEST(a_stream_has_a_handle_for_other_libraries_where_its_backend_gives_one)
{
    const struct qn__backend giving = {.name = "giving", .stream_native = give_itself};
    const struct qn__backend silent = {.name = "silent"};
    qn_device *dev = calloc(1, sizeof *dev);
    qn_stream *s = calloc(1, sizeof *s);
    void *handle = NULL;
    ck_assert(dev && s);
    dev->info.id = "silent:0";
    s->device = dev;
    dev->backend = &giving;
    ck_assert_int_eq(qn__stream_native(&handle, s), QN_OK);
    ck_assert_ptr_eq(handle, s);
    dev->backend = &silent;
    ck_assert_int_eq(qn__stream_native(&handle, s), QN_E_UNSUPPORTED);
    ck_assert_ptr_null(handle);
    ck_assert_str_eq(qn_message(),
                     "silent:0: streams of silent have no handle for other libraries");
    free(s);
    free(dev);
}
END_TEST

/* -- images -- */

START_TEST(an_image_holds_copies_and_lives_until_its_last_owner_lets_go)
{
    char text[] = "kernel void k(void) {}";
    qn_image *image;
    ck_assert_int_eq(qn__image_create(&image, "opencl:portable", "hand", QN_IMAGE_OPENCL_C, text,
                                      strlen(text), NULL, 0),
                     QN_OK);
    memset(text, 'x', sizeof text);
    ck_assert_ptr_eq(qn_image_retain(image), image);
    qn_image_release(image);
    const qn_image_info *info = qn_image_get_info(image);
    ck_assert_str_eq(info->bytes, "kernel void k(void) {}");
    ck_assert_uint_eq(info->size_bytes, 22);
    ck_assert_str_eq(info->target, "opencl:portable");
    ck_assert_uint_eq(info->n_kernels, 0);
    qn_image_release(image);
    qn_image_release(NULL);
    ck_assert_int_eq(
        qn__image_create(&image, "opencl:portable", "hand", QN_IMAGE_OPENCL_C, "", 0, "\1\2\3", 3),
        QN_E_CORRUPT);
    ck_assert_ptr_null(image);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("runtime rules");
    TCase *t = tcase_create("runtime rules");
    tcase_add_loop_test(t, a_backend_has_every_required_callback, 0, N(backends));
    tcase_add_loop_test(t, devices_are_listed_by_preference_and_second_views_are_marked, 0,
                        N(order_cases));
    tcase_add_test(t, many_devices_and_refusals_fit_in_a_list);
    tcase_add_loop_test(t, a_wrong_device_name_is_refused_with_the_reason, 0, N(name_cases));
    tcase_add_test(t, a_fault_names_the_kernels_queued_since_the_last_sync_newest_first);
    tcase_add_test(t, under_a_watchdog_what_never_ends_is_left_as_it_is);
    tcase_add_test(t, a_wait_asks_often_at_first_and_sleeps_later);
    tcase_add_test(t, a_stream_has_a_handle_for_other_libraries_where_its_backend_gives_one);
    tcase_add_test(t, an_image_holds_copies_and_lives_until_its_last_owner_lets_go);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_set_fork_status(r, CK_NOFORK);
    srunner_run_all(r, CK_ENV);
    const int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
