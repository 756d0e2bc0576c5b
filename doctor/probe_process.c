/* SPDX-License-Identifier: Apache-2.0
 *
 * A child that answers with JSON through a pipe: see probe_process.h. Lines that begin with '+' are
 * its steps, all else is the answer. */
#define _GNU_SOURCE
#include "doctor/probe_process.h"

#include "base/file.h"
#include "doctor/facts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWER_BYTES_MAX = 16 << 20, WORDS_BYTES_MAX = 64 << 10 };

static int answer_fd = -1; /* in the child */

static void put(const char *bytes, size_t n)
{
    while (n) {
        const ssize_t done = write(answer_fd, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            _exit(3);
        bytes += done;
        n -= (size_t)done;
    }
}

void qn__child_step(const char *what)
{
    struct qn__str line = {0};
    if (answer_fd < 0)
        return;
    qn__str_printf(&line, "+%s\n", what);
    put(line.text, line.len);
    qn__str_release(&line);
}

static void be_child(json_t *(*work)(void *arg), void *arg, const int answer[2], const int words[2])
{
    const struct rlimit none = {0, 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* what it starts ends with it */
    setrlimit(RLIMIT_CORE, &none);
    answer_fd = answer[1];
    close(answer[0]);
    close(words[0]);
    dup2(words[1], STDERR_FILENO); /* drivers talk; the answer is what counts */
    dup2(words[1], STDOUT_FILENO);
    close(words[1]);
    json_t *value = work(arg);
    char *text = value ? json_dumps(value, JSON_COMPACT) : NULL;
    if (text)
        put(text, strlen(text));
    _exit(text ? 0 : 3); /* without the destructors of drivers */
}

/* Both pipes until the answer's end or the deadline; false: too late. */
static bool listen(struct qn__str *answer, struct qn__str *words, int answer_in, int words_in,
                   double deadline)
{
    struct pollfd fds[] = {{answer_in, POLLIN, 0}, {words_in, POLLIN, 0}};
    struct qn__str *const into[] = {answer, words};
    const size_t limit[] = {ANSWER_BYTES_MAX, WORDS_BYTES_MAX};
    while (fds[0].fd >= 0) {
        const double left = deadline - qn__now_ms();
        if (left <= 0)
            return false;
        if (poll(fds, 2, (int)left + 1) < 0 && errno != EINTR)
            return true;
        for (int i = 0; i < 2; i++) {
            char part[4096];
            if (fds[i].fd < 0 || !fds[i].revents)
                continue;
            const ssize_t n = read(fds[i].fd, part, sizeof part);
            if (n > 0 && into[i]->len < limit[i])
                qn__str_add_bytes(into[i], part, (size_t)n);
            else if (n <= 0)
                fds[i].fd = -1;
        }
    }
    return true;
}

/* The last line that is not empty, cut to what a message bears. */
static void set_last_words(json_t *object, const struct qn__str *words)
{
    size_t end = words->len, begin;
    while (end && strchr(" \r\n\t", words->text[end - 1]))
        end--;
    for (begin = end; begin && words->text[begin - 1] != '\n';)
        begin--;
    char line[300];
    snprintf(line, sizeof line, "%.*s", (int)(end - begin), words->len ? words->text + begin : "");
    qn__facts_set_text(object, "said", line);
}

static json_t *crashed(const char *how, const char *step, const struct qn__str *words)
{
    json_t *object = json_object();
    struct qn__str text = {0};
    qn__str_printf(&text, "%s%s%s", how, *step ? " " : "", step);
    qn__facts_set_text(object, "crashed", text.text);
    set_last_words(object, words);
    qn__str_release(&text);
    return object;
}

/* Takes the steps out of the answer; the last of them into step. */
static const char *take_steps(char *step, size_t capacity, const char *answer)
{
    *step = 0;
    while (answer && *answer == '+') {
        const size_t n = strcspn(answer, "\n");
        snprintf(step, capacity, "%.*s", (int)(n - 1), answer + 1);
        answer += n + (answer[n] == '\n');
    }
    return answer ? answer : "";
}

static json_t *judge(const struct qn__str *answer, const struct qn__str *words, int status,
                     bool in_time, unsigned limit_s)
{
    char step[200], how[120];
    json_error_t error;
    const char *text = take_steps(step, sizeof step, answer->text);
    json_t *value = in_time && *text ? json_loads(text, 0, &error) : NULL;
    if (value)
        return value;
    if (!in_time)
        snprintf(how, sizeof how, "no answer for %u s", limit_s);
    else if (WIFSIGNALED(status))
        snprintf(how, sizeof how, "signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(how, sizeof how, "the process was ended with code %d", WEXITSTATUS(status));
    return crashed(how, step, words);
}

static json_t *wait_for(pid_t child, int answer_in, int words_in, unsigned limit_s)
{
    struct qn__str answer = {0}, words = {0};
    int status = 0;
    const bool in_time = listen(&answer, &words, answer_in, words_in, qn__now_ms() + limit_s * 1e3);
    if (!in_time)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    kill(-child, SIGKILL);
    json_t *value = judge(&answer, &words, status, in_time, limit_s);
    qn__str_release(&answer);
    qn__str_release(&words);
    return value;
}

json_t *qn__child_run(json_t *(*work)(void *arg), void *arg, unsigned limit_s)
{
    const struct qn__str none = {0};
    int answer[2], words[2];
    json_t *value;
    if (pipe2(answer, O_CLOEXEC) != 0)
        return crashed("no child could be made: no pipe", "", &none);
    if (pipe2(words, O_CLOEXEC) != 0) {
        close(answer[0]);
        close(answer[1]);
        return crashed("no child could be made: no pipe", "", &none);
    }
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        be_child(work, arg, answer, words);
    close(answer[1]);
    close(words[1]);
    value = child > 0 ? wait_for(child, answer[0], words[0], limit_s)
                      : crashed("no child could be made", "", &none);
    close(answer[0]);
    close(words[0]);
    return value;
}
