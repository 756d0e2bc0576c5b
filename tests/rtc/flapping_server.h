/* SPDX-License-Identifier: Apache-2.0
 *
 * A shared kernel cache over HTTP that changes its manners while it runs: it keeps what it is given
 * as files of a folder, or refuses, forgets, breaks off, hangs, sends half an entry or that of
 * another key. A process of its own; `*manner` lies in memory that is shared with it. */
#ifndef QN_TESTS_FLAPPING_SERVER_H
#define QN_TESTS_FLAPPING_SERVER_H

#include "tests/rtc_fixture.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <time.h>

enum flapping_manner { KEEPS, REFUSES, FORGETS, CLOSES, HANGS, CUTS, HALVES, SWAPS, N_MANNERS };

static struct flapping {
    const volatile int *manner;
    char folder[4096];
    int listener;
} flapping;

static inline bool flapping_send(int fd, const char *bytes, size_t n)
{
    while (n) {
        const ssize_t put = send(fd, bytes, n, MSG_NOSIGNAL);
        if (put <= 0)
            return false;
        bytes += put;
        n -= (size_t)put;
    }
    return true;
}

static inline bool flapping_say(int fd, const char *status)
{
    char head[128];
    snprintf(head, sizeof head, "HTTP/1.1 %s\r\nContent-Length: 0\r\n\r\n", status);
    return flapping_send(fd, head, strlen(head));
}

/* Some other file of the folder, the first that there is. */
static inline void another_file(char path[8192], const char *entry)
{
    DIR *d = opendir(flapping.folder);
    const struct dirent *e;
    while (d && (e = readdir(d)))
        if (e->d_name[0] != '.' && strcmp(e->d_name, entry) != 0)
            snprintf(path, 8192, "%s/%s", flapping.folder, e->d_name);
    if (d)
        closedir(d);
}

static inline bool flapping_get(int fd, const char *entry, int manner)
{
    char path[8192], head[128], *bytes;
    size_t n;
    snprintf(path, sizeof path, "%s/%s", flapping.folder, entry);
    if (manner == SWAPS)
        another_file(path, entry);
    if (manner == FORGETS || qn__file_read(&bytes, &n, path, 1 << 24) != QN_OK)
        return flapping_say(fd, "404 Not Found");
    const size_t sent = manner == CUTS || manner == HALVES ? n / 2 : n;
    snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n",
             manner == HALVES ? sent : n);
    const bool ok = flapping_send(fd, head, strlen(head)) && flapping_send(fd, bytes, sent);
    free(bytes);
    return ok && manner != CUTS; /* which closes in the middle of the body */
}

/* Whole or not at all, and without waiting for the disk. */
static inline bool flapping_store(const char *entry, const char *bytes, size_t n)
{
    static atomic_uint number;
    char path[8192], part[8192];
    snprintf(path, sizeof path, "%s/%s", flapping.folder, entry);
    snprintf(part, sizeof part, "%s/.%d-%u", flapping.folder, (int)getpid(),
             atomic_fetch_add(&number, 1));
    FILE *f = fopen(part, "w");
    const bool is_written = f && fwrite(bytes, 1, n, f) == n;
    return f && fclose(f) == 0 && is_written && rename(part, path) == 0;
}

/* `got` bytes of the body came with the head. */
static inline bool flapping_put(int fd, const char *entry, const char *body, size_t got, size_t n,
                                int manner)
{
    char *bytes = malloc(n + 1);
    bool ok = bytes && got <= n;
    if (ok)
        memcpy(bytes, body, got);
    while (ok && got < n) {
        const ssize_t r = recv(fd, bytes + got, n - got, 0);
        ok = r > 0;
        got += ok ? (size_t)r : 0;
    }
    if (ok && manner != FORGETS)
        ok = flapping_store(entry, bytes, n);
    free(bytes);
    return ok && flapping_say(fd, "201 Created");
}

/* One request; false: the connection ends. */
static inline bool flapping_answer(int fd)
{
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    char head[8192];
    size_t n = 0;
    const char *end = NULL;
    while (!end && n + 1 < sizeof head) {
        const ssize_t r = recv(fd, head + n, sizeof head - 1 - n, 0);
        if (r <= 0)
            return false;
        n += (size_t)r;
        head[n] = 0;
        end = strstr(head, "\r\n\r\n");
    }
    const int manner = *flapping.manner;
    char path[1024] = "";
    const char *length = strcasestr(head, "\r\nContent-Length:");
    const size_t body = length ? strtoul(length + strlen("\r\nContent-Length:"), NULL, 10) : 0;
    if (!end || sscanf(head, "%*s %1023s", path) != 1 || manner == CLOSES)
        return false;
    if (manner == HANGS) {
        const struct timespec a_while = {5, 0};
        nanosleep(&a_while, NULL);
        return false;
    }
    if (manner == REFUSES)
        return flapping_say(fd, "503 Not now") && body == 0;
    const char *entry = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    if (strncmp(head, "PUT ", 4) == 0 && strcasestr(head, "\r\nExpect: 100-continue") &&
        !flapping_send(fd, go_on, strlen(go_on)))
        return false;
    if (strncmp(head, "PUT ", 4) == 0)
        return flapping_put(fd, entry, end + 4, n - (size_t)(end + 4 - head), body, manner);
    return flapping_get(fd, entry, manner);
}

static inline void *flapping_serve(void *connection)
{
    const int fd = (int)(intptr_t)connection;
    while (flapping_answer(fd))
        ;
    close(fd);
    return NULL;
}

/* A listening socket on that port of loopback, 0: a free one; -1: it is taken. */
static inline int flapping_listen(uint16_t *port)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons(*port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t n = sizeof at;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, n) != 0 || listen(fd, 256) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &n) != 0) {
        close(fd);
        return -1;
    }
    *port = ntohs(at.sin_port);
    return fd;
}

/* Start it; 0: the port is taken. Its end is kill() and waitpid(). */
static inline pid_t flapping_start(uint16_t *port, const char *folder, const volatile int *manner)
{
    flapping.manner = manner;
    flapping.listener = flapping_listen(port);
    snprintf(flapping.folder, sizeof flapping.folder, "%s", folder);
    if (flapping.listener < 0)
        return 0;
    const pid_t pid = fork();
    if (pid == 0) {
        signal(SIGPIPE, SIG_IGN);
        for (;;) {
            pthread_t thread;
            const int fd = accept(flapping.listener, NULL, NULL);
            if (fd >= 0 && pthread_create(&thread, NULL, flapping_serve, (void *)(intptr_t)fd) == 0)
                pthread_detach(thread);
            else if (fd >= 0)
                close(fd);
        }
    }
    close(flapping.listener);
    return pid;
}

#endif
