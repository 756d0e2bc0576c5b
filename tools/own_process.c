/* SPDX-License-Identifier: Apache-2.0
 *
 * A child that does the work and a parent that waits for it; own_process.h says why. What the child
 * is about is in a page that both have, so that it survives whatever ends the child. */
#define _GNU_SOURCE
#include "tools/own_process.h"

#include "tools/commands.h"
#include "tools/json_text.h"
#include "tools/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct shared {
    char what[256], advice[256];
} *shared;

void qn__own_process_does(const char *what, const char *advice)
{
    if (!shared)
        return;
    snprintf(shared->what, sizeof shared->what, "%s", what);
    snprintf(shared->advice, sizeof shared->advice, "%s", advice);
}

static const char *cause(int sig)
{
    switch (sig) {
    case SIGSEGV: return "SIGSEGV (nothing is at an address)";
    case SIGBUS: return "SIGBUS (an address cannot be used)";
    case SIGFPE: return "SIGFPE (a division that the processor cannot do)";
    case SIGILL: return "SIGILL (an instruction that the processor has not)";
    case SIGTRAP: return "SIGTRAP (a trap)";
    case SIGABRT: return "SIGABRT (a driver or a library gave up)";
    case SIGKILL: return "SIGKILL (somebody, or the system when memory ran out)";
    default: return strsignal(sig);
    }
}

/* -1 for errno where it cannot be known. */
static int wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

static int report(int status, const char *name, const char *subject)
{
    if (status != -1 && WIFEXITED(status)) {
        qn__json_is_printed(); /* by the child */
        return WEXITSTATUS(status);
    }
    if (status == -1)
        return qn__complain(QN__EXIT_FAILED, "%s: %s: %s", name, subject, strerror(errno));
    return qn__complain(QN__EXIT_FAILED, "%s: %s: ended by %s%s%s%s%s", name, subject,
                        cause(WTERMSIG(status)), shared->what[0] ? " while " : "", shared->what,
                        shared->advice[0] ? ": " : "", shared->advice);
}

int qn__in_own_process(int (*run)(const void *values), const void *values, const char *name,
                       const char *subject)
{
    void *page =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return qn__complain(QN__EXIT_FAILED, "%s: %s: %s", name, subject, strerror(errno));
    shared = page;
    fflush(stdout);
    const pid_t parent = getpid(), child = fork();
    if (child < 0)
        return qn__complain(QN__EXIT_FAILED, "%s: %s: fork: %s", name, subject, strerror(errno));
    if (child > 0)
        return report(wait_for(child), name, subject);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* who ends the parent means both */
    return getppid() == parent ? run(values) : QN__EXIT_FAILED;
}
