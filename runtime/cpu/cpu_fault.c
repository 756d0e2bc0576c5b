/* SPDX-License-Identifier: Apache-2.0
 *
 * The handler may run on any thread of the process, at any instruction: it reads what the thread
 * has under one key, which takes no lock and no memory, and either jumps or calls the handler that
 * was there before. A thread-local variable would be as good in a program; a library whose
 * variables have to be there when a thread begins cannot always be loaded by a running one. */
#define _GNU_SOURCE
#include "runtime/cpu/cpu_fault.h"

#include "base/environment.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNDER_SANITIZER true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define UNDER_SANITIZER true
#endif
#endif
#ifndef UNDER_SANITIZER
#define UNDER_SANITIZER false
#endif

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGURG};
enum { N_SIGNALS = sizeof signals / sizeof *signals, STACK_BYTES = 64 << 10 };

static struct sigaction before[N_SIGNALS];

static _Thread_local struct qn__cpu_guard *guard;
static pthread_key_t for_handler; /* the same, where are_caught */
static bool are_caught;

void qn__cpu_guard_set(struct qn__cpu_guard *g)
{
    guard = g;
    if (are_caught)
        (void)pthread_setspecific(for_handler, g); /* no memory: a fault is the program's */
}

struct qn__cpu_guard *qn__cpu_guard_lift(void)
{
    struct qn__cpu_guard *g = guard;
    qn__cpu_guard_set(NULL);
    return g;
}

static uint64_t instruction(const void *context)
{
    const ucontext_t *c = context;
#if defined(__x86_64__)
    return (uint64_t)c->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return c->uc_mcontext.pc;
#else
    (void)c;
    return 0;
#endif
}

/* As if we were not there. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    const struct sigaction *old = NULL;
    for (int i = 0; i < N_SIGNALS; i++)
        if (signals[i] == number)
            old = &before[i];
    if (!old)
        return;
    if (old->sa_flags & SA_SIGINFO) {
        old->sa_sigaction(number, info, context);
    } else if (old->sa_handler == SIG_IGN && info->si_code <= 0) {
        return;
    } else if (number == SIGURG && old->sa_handler == SIG_DFL) {
        return; /* which is to do nothing */
    } else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
        old->sa_handler(number);
    } else { /* the instruction runs again and ends the process; one that was sent is sent again */
        sigaction(number, old, NULL);
        if (info->si_code <= 0)
            raise(number);
    }
}

static void handle(int number, siginfo_t *info, void *context)
{
    struct qn__cpu_guard *g = pthread_getspecific(for_handler);
    const bool is_late =
        number == SIGURG && g && g->watched && atomic_load(&g->watched->since_ns) == QN__CPU_LATE;
    if (!g || (info->si_code <= 0 && !is_late)) { /* not in a kernel, or sent by somebody */
        pass_on(number, info, context);
        return;
    }
    (void)pthread_setspecific(for_handler, NULL); /* its place is there */
    g->fault = (struct qn__cpu_fault){
        .signal = number, .address = (uintptr_t)info->si_addr, .code = instruction(context)};
    siglongjmp(g->back, 1);
}

static bool are_wanted(void)
{
    const char *v = qn__getenv("QUERN_CPU_FAULTS");
    return !UNDER_SANITIZER && !(v && strcmp(v, "0") == 0);
}

/* Threads, handlers and a thread's last call stay until the process ends, so the library must. */
static void stay(void)
{
    Dl_info own;
    if (dladdr(signals, &own) && own.dli_fname)
        (void)dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

static void install(void)
{
    stay();
    if (!are_wanted() || pthread_key_create(&for_handler, NULL) != 0)
        return;
    are_caught = true;
    const int n = qn__cpu_watchdog_seconds() ? N_SIGNALS : N_SIGNALS - 1; /* SIGURG is the last */
    for (int i = 0; i < n; i++) {
        /* the signal is not blocked while it is handled: a jump leaves the mask as it was */
        struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
        ours.sa_sigaction = handle;
        sigemptyset(&ours.sa_mask);
        if (signals[i] == SIGURG)
            ours.sa_flags |= SA_RESTART;
        sigaction(signals[i], &ours, &before[i]);
    }
}

void qn__cpu_faults_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

void qn__cpu_signal_stack_make(void **out)
{
    stack_t now, ours = {0};
    *out = NULL;
    if (!are_wanted() || sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE))
        return;
    ours.ss_size = STACK_BYTES;
#ifdef _SC_MINSIGSTKSZ /* registers of 64 bytes and tiles make it large */
    const long least = sysconf(_SC_MINSIGSTKSZ);
    if (least > STACK_BYTES / 2)
        ours.ss_size = (size_t)least * 2;
#endif
    ours.ss_sp = malloc(ours.ss_size);
    if (ours.ss_sp && sigaltstack(&ours, NULL) == 0)
        *out = ours.ss_sp;
    else
        free(ours.ss_sp);
}

void qn__cpu_signal_stack_drop(void *stack)
{
    stack_t now;
    const stack_t none = {.ss_flags = SS_DISABLE};
    if (!stack)
        return;
    if (sigaltstack(NULL, &now) == 0 && now.ss_sp == stack)
        sigaltstack(&none, NULL);
    free(stack);
}
