/* SPDX-License-Identifier: Apache-2.0
 *
 * Start a program that is not a child of the program around the library.
 *
 * A host may wait for all its children, ignore SIGCHLD or collect whoever ends; a helper that stays
 * idle among them would disturb it, and one that it collected may leave its number to somebody
 * else's process. So the helper is the child of a process that ends at once, and is known by a
 * descriptor (pidfd) instead of its number. */
#ifndef QN_RTC_CLIENT_SPAWN_H
#define QN_RTC_CLIENT_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

struct qn__spawn {
    int program; /* open file, preferred to the path; -1: none */
    const char *path;
    char *const *argv, *const *envp;
    const int *fds; /* they become 0 to n_fds - 1; every other one is closed */
    int n_fds;
};

struct qn__process {
    pid_t pid;
    int pidfd;     /* -1: the system has none; it is then never signalled */
    bool is_child; /* where it could not be avoided: of the program around us */
};

/* Descriptors from here on are none of those that get new meanings. */
enum { QN__SPAWN_SAFE_FD = 10 };

/* The descriptor, moved to where it is safe; the old one is closed. -1 stays -1. */
int qn__spawn_move_up(int fd);

/* 0, or an errno. Neither program nor fds may be numbers below n_fds. */
int qn__spawn(struct qn__process *out, const struct qn__spawn *what);

/* Kill it and all of its process group, whether or not it runs any more. */
void qn__process_kill(const struct qn__process *p);

/* Has it ended? Waits at most that long. */
bool qn__process_wait(const struct qn__process *p, int ms);

/* How it ended, as waitpid() has it; -1: the system does not tell those who are not its parent.
 * To be called once, when it has ended. */
int qn__process_status(const struct qn__process *p);

#endif
