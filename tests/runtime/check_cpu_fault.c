/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels on cpu:0 that fault, one in each way, and what becomes of the signals of the program
 * around them.
 *
 * covers: runtime/cpu/cpu_fault */
#define _GNU_SOURCE
#include "tests/runtime/cpu_image.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

static const char kernels[] =
    "KERNEL(store)\n"
    "{\n"
    "    (void)b;\n"
    "    **(volatile uint32_t **)args[0] = 1;\n"
    "}\n"
    /* one block of many */
    "KERNEL(store_late)\n"
    "{\n"
    "    if (b->block[0] == b->blocks[0] - 1)\n"
    "        **(volatile uint32_t **)args[0] = 1;\n"
    "}\n"
    "KERNEL(divide)\n"
    "{\n"
    "    volatile int zero = 0, one = 1;\n"
    "    (void)b, (void)args;\n"
    "    one = one / zero;\n"
    "}\n"
    "KERNEL(stop) { (void)b, (void)args; __builtin_trap(); }\n"
    "static __attribute__((noinline)) int deeper(volatile int *p)\n"
    "{\n"
    "    volatile int more[1000];\n"
    "    more[0] = *p + 1;\n"
    "    return deeper(more) + more[1];\n"
    "}\n"
    "KERNEL(overflow) { int n = 0; (void)b, (void)args; deeper(&n); }\n"
    "EXPORT const struct qn_kernel_entry qn_kernels[] = {\n"
    "    {\"store\", store, 0, 0, 0, 32, 4}, {\"store_late\", store_late, 0, 0, 0, 32, 0},\n"
    "    {\"divide\", divide, 0, 0, 0, 32, 0}, {\"stop\", stop, 0, 0, 0, 32, 0},\n"
    "    {\"overflow\", overflow, 0, 0, 0, 32, 4}};\n"
    "EXPORT const uint32_t qn_kernels_count = 5;\n"
    "EXPORT const struct qn_global_entry qn_globals[] = {{0}};\n"
    "EXPORT const uint32_t qn_globals_count = 0;\n";

static const qn_arg_info pointer = {
    .name = "p", .type = "unsigned *", .kind = QN_ARG_POINTER, .size_bytes = 8, .align_bytes = 8};
#define SIGNATURE(kernel, n)                                                                       \
    {                                                                                              \
        .info = {                                                                                  \
            .name = kernel,                                                                        \
            .expression = kernel,                                                                  \
            .n_args = n,                                                                           \
            .args = &pointer,                                                                      \
            .args_known = true                                                                     \
        }                                                                                          \
    }
static const struct qn__kernel signatures[] = {SIGNATURE("store", 1), SIGNATURE("store_late", 1),
                                               SIGNATURE("divide", 0), SIGNATURE("stop", 0),
                                               SIGNATURE("overflow", 0)};
static const struct qn__reflection reflection = {.n_kernels =
                                                     sizeof signatures / sizeof *signatures,
                                                 .kernels = signatures,
                                                 .build_options = ""};

static qn_image *image;
static qn_module *mod;

static void open_all(void)
{
    size_t n;
    char *bytes = cpu_object(&n, kernels, "");
    image = cpu_image_of(bytes, n, &reflection);
    free(bytes);
    must(qn_module_load(&mod, device, image));
}

static void close_all(void)
{
    qn_module_close(mod);
    qn_image_release(image);
}

static qn_status launch(const char *name, uint32_t blocks, void *p)
{
    const qn_kernel *k;
    const qn_dims d = {.grid = {blocks}, .block = {32}};
    must(qn_kernel_find(&k, mod, name));
    must(qn_stream_launch(stream, k, &d, (void *[]){&p}));
    return qn_stream_sync(stream);
}

static void *const nowhere = (void *)0x1230;

static const struct {
    const char *kernel;
    uint32_t blocks;
    const char *says;
    int signal;
} faults[] = {
    {"store", 1, "store: invalid memory access at address 0x1230", SIGSEGV},
    {"store_late", 5000, "store_late: invalid memory access at address 0x1230", SIGSEGV},
#if defined(__x86_64__) /* elsewhere a division by zero gives 0 */
    {"divide", 3, "divide: arithmetic fault at instruction", SIGFPE},
#endif
    {"stop", 2, "stop: illegal instruction", SIGILL},
    {"overflow", 1, "overflow: invalid memory access", SIGSEGV}, /* on this very thread */
    {"overflow", 100, "overflow: invalid memory access", SIGSEGV},
};

START_TEST(a_fault_names_kernel_and_address_and_the_device_goes_on)
{
    uint32_t *good = address_of((const void *)(uintptr_t)alloc(4));
    for (int round = 0; round < 3; round++) {
        must_not(QN_E_FAULT, launch(faults[_i].kernel, faults[_i].blocks, nowhere));
        ck_assert_msg(strstr(qn_message(), faults[_i].says) != NULL, "%s", qn_message());
        ck_assert_int_eq(qn_message_code(), faults[_i].signal);
        *good = 0;
        must(launch("store", 1, good));
        ck_assert_uint_eq(*good, 1);
    }
    must(qn_memory_free(device, (uintptr_t)good));
}
END_TEST

static void *launch_here(void *payload)
{
    *(qn_status *)payload = launch("overflow", 1, NULL);
    return NULL;
}

/* Each thread has a stack for the handler, which goes with it. */
START_TEST(a_fault_on_a_thread_of_the_programs_is_one_of_its_launch)
{
    for (int i = 0; i < 10; i++) {
        pthread_t t;
        qn_status s = QN_OK;
        ck_assert_int_eq(pthread_create(&t, NULL, launch_here, &s), 0);
        pthread_join(t, NULL);
        ck_assert_int_eq(s, QN_E_FAULT);
    }
}
END_TEST

/* The end of a child that does something: exit code, or 128 + signal. */
static int end_of(void (*run)(void))
{
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        run();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void fault_of_the_program(void)
{
    *(volatile int *)nowhere = 1;
}

static void signal_from_somebody(void)
{
    kill(getpid(), SIGSEGV);
}

START_TEST(a_fault_of_the_program_itself_still_ends_it)
{
    ck_assert_int_eq(launch("store", 1, nowhere), QN_E_FAULT); /* the handlers are there */
    ck_assert_int_eq(end_of(fault_of_the_program), 128 + SIGSEGV);
    ck_assert_int_eq(end_of(signal_from_somebody), 128 + SIGSEGV);
}
END_TEST

/* -- in a process of its own, before any kernel has run -- */

static void handle(int number)
{
    _exit(number == SIGSEGV ? 42 : 43);
}

static const char *child_has, *child_does;

START_TEST(a_kernel_faults_and_then_the_program)
{
    struct sigaction now;
    const bool has_handler = strcmp(child_has, "handler") == 0;
    sigaction(SIGSEGV, NULL, &now); /* none of ours before the first kernel */
    ck_assert(now.sa_handler == (has_handler ? handle : SIG_DFL));
    must_not(QN_E_FAULT, launch("store", 1, nowhere));
    if (strcmp(child_does, "program") == 0)
        fault_of_the_program();
}
END_TEST

/* What the program has set, and what is to happen. */
static int child(const char *has, const char *what)
{
    const struct fixture_case cases[] = {{a_kernel_faults_and_then_the_program, 1}, {0}};
    child_has = has;
    child_does = what;
    if (strcmp(has, "handler") == 0)
        signal(SIGSEGV, handle);
    if (strcmp(has, "off") == 0)
        setenv("QUERN_CPU_FAULTS", "0", 1);
    return fixture_run("child", "cpu:0", open_all, close_all, cases);
}

static int run_child(const char *has, const char *what)
{
    char self[1024];
    int status = 0;
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    const pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        execl(self, self, has, what, (char *)NULL);
        _exit(99);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

START_TEST(the_programs_own_handler_has_all_but_the_kernels_faults)
{
    ck_assert_int_eq(run_child("handler", "kernel"), 0);
    ck_assert_int_eq(run_child("handler", "program"), 42);
    ck_assert_int_eq(run_child("nothing", "kernel"), 0);
    ck_assert_int_eq(run_child("nothing", "program"), 128 + SIGSEGV);
}
END_TEST

START_TEST(a_variable_leaves_faults_to_the_program)
{
    ck_assert_int_eq(run_child("off", "kernel"), 128 + SIGSEGV);
}
END_TEST

int main(int argc, char **argv)
{
    const struct fixture_case cases[] = {
        {a_fault_names_kernel_and_address_and_the_device_goes_on, sizeof faults / sizeof *faults},
        {a_fault_on_a_thread_of_the_programs_is_one_of_its_launch, 1},
        {a_fault_of_the_program_itself_still_ends_it, 1},
        {the_programs_own_handler_has_all_but_the_kernels_faults, 1},
        {a_variable_leaves_faults_to_the_program, 1},
        {0}};
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    printf("skip: under a sanitizer faults are the sanitizer's\n");
    (void)argc, (void)argv, (void)cases, (void)child;
    return 0;
#endif
    if (!can_make_cpu_images()) {
        printf("skip: no clang or no linker to make images for a CPU\n");
        return 0;
    }
    if (argc == 3)
        return child(argv[1], argv[2]);
    return fixture_run("cpu fault", "cpu:0", open_all, close_all, cases);
}
