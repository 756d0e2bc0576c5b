/* SPDX-License-Identifier: Apache-2.0
 *
 * Colours, complaints, progress and sizes: see terminal.h. */
#include "tools/terminal.h"
#include "tools/commands.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A terminal that takes escape sequences. */
static bool is_able(FILE *file)
{
    const char *term = getenv("TERM");
    return isatty(fileno(file)) && !(term && !strcmp(term, "dumb"));
}

static bool has_colors(FILE *file)
{
    const char *no_color = getenv("NO_COLOR");
    return is_able(file) && !(no_color && *no_color);
}

const char *qn__style_on(FILE *file, enum qn__style style)
{
    static const char *const codes[] = {
        [QN__STYLE_BOLD] = "\x1b[1m",
        [QN__STYLE_DIM] = "\x1b[2m",
        [QN__STYLE_GOOD] = "\x1b[32m",
        [QN__STYLE_BAD] = "\x1b[31m",
    };
    return has_colors(file) ? codes[style] : "";
}

const char *qn__style_off(FILE *file)
{
    return has_colors(file) ? "\x1b[0m" : "";
}

/* Why stdout lost something, as errno was then. */
static int lost_errno;

bool qn__flush_stdout(void)
{
    if (fflush(stdout) != 0 && !lost_errno)
        lost_errno = errno;
    return !ferror(stdout);
}

static struct qn__str last;

const char *qn__last_complaint(void)
{
    return last.text ? last.text : "";
}

static void complain(const char *fmt, va_list ap, const char *reason)
{
    qn__progress_clear();
    qn__flush_stdout(); /* so that the two files keep their order on a terminal */
    qn__str_clear(&last);
    qn__str_vprintf(&last, fmt, ap);
    qn__str_printf(&last, "%s%s", reason ? ": " : "", reason ? reason : "");
    fprintf(stderr, "%squern:%s %s\n", qn__style_on(stderr, QN__STYLE_BAD), qn__style_off(stderr),
            qn__plain(last.failed ? "out of memory" : qn__last_complaint()));
}

const char *qn__plain(const char *text)
{
    enum { KEPT = 8 };
    static struct qn__str kept[KEPT];
    static unsigned turn;
    struct qn__str *s = &kept[turn++ % KEPT];
    qn__str_clear(s);
    qn__str_add_plain(s, text, strlen(text));
    return s->failed ? "(no memory for a text)" : s->text ? s->text : "";
}

int qn__complain(int status, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    complain(fmt, ap, NULL);
    va_end(ap);
    return status;
}

int qn__complain_status(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    complain(fmt, ap, qn_message());
    va_end(ap);
    return QN__EXIT_FAILED;
}

static bool progress_is_shown;

bool qn__progress_is_visible(void)
{
    return is_able(stderr);
}

/* Columns of the terminal on stderr; 80 where it does not say. */
static uint32_t columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

void qn__progress_line(struct qn__str *out, uint32_t width, uint32_t done, uint32_t total,
                       const char *what)
{
    enum { BAR = 24, BAR_LEAST = 4 };
    char count[32] = "";
    if (total)
        snprintf(count, sizeof count, "%u/%u ", done, total);
    /* what is told comes first; the bar gets what is left */
    const size_t told = strlen(count) + strlen(what) + 3;
    const uint32_t left = width > told ? width - (uint32_t)told : 0;
    const uint32_t bar = left < BAR ? left : BAR;
    if (total && bar >= BAR_LEAST) {
        const uint32_t full = (uint32_t)((uint64_t)bar * done / total);
        qn__str_add_char(out, '[');
        qn__str_add_repeat(out, '#', full < bar ? full : bar);
        qn__str_add_repeat(out, '.', full < bar ? bar - full : 0);
        qn__str_add(out, "] ");
    }
    qn__str_add(out, count);
    uint32_t column = (uint32_t)out->len;
    for (; *what && (column < width || ((unsigned char)*what & 0xc0) == 0x80); what++) {
        qn__str_add_char(out, *what);
        column += ((unsigned char)*what & 0xc0) != 0x80; /* a character, not a byte */
    }
    if (count[0] && strlen(count) > width) { /* the count alone is wider */
        out->len = width;
        out->text[width] = 0;
    }
}

void qn__progress(uint32_t done, uint32_t total, const char *fmt, ...)
{
    static struct qn__str shown;
    struct qn__str what = {0}, line = {0};
    if (!qn__progress_is_visible())
        return;
    va_list ap;
    va_start(ap, fmt);
    qn__str_vprintf(&what, fmt, ap);
    va_end(ap);
    /* the last column stays free: some terminals begin a new line there */
    qn__progress_line(&line, columns() - 1, done, total, what.failed ? "" : what.text);
    if (!line.failed && !(progress_is_shown && qn__equal(shown.text, line.text))) {
        fprintf(stderr, "\r\x1b[K%s", line.text ? line.text : "");
        fflush(stderr);
        qn__str_clear(&shown);
        qn__str_add(&shown, line.text ? line.text : "");
        progress_is_shown = true;
    }
    qn__str_release(&what);
    qn__str_release(&line);
}

void qn__progress_clear(void)
{
    if (progress_is_shown) {
        fputs("\r\x1b[K", stderr);
        fflush(stderr);
        progress_is_shown = false;
    }
}

const char *qn__size_text(char out[QN__SIZE_TEXT], uint64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double size = (double)bytes;
    size_t unit = 0;
    while (size >= 1024 && unit + 1 < sizeof units / sizeof units[0]) {
        size /= 1024;
        unit++;
    }
    const bool is_whole = size == (double)(uint64_t)size;
    snprintf(out, QN__SIZE_TEXT, is_whole ? "%.0f %s" : "%.1f %s", size, units[unit]);
    return out;
}

const char *qn__time_text(char out[QN__TIME_TEXT], int64_t seconds)
{
    static const struct {
        const char *unit;
        int64_t seconds;
    } units[] = {{"days", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}};
    const int64_t s = seconds > 0 ? seconds : 0;
    size_t u = 0;
    while (units[u].seconds > 1 && s < 2 * units[u].seconds)
        u++;
    snprintf(out, QN__TIME_TEXT, "%lld %s", (long long)(s / units[u].seconds), units[u].unit);
    return out;
}

void qn__print_field(const char *name, const char *value)
{
    struct qn__str line = {0};
    if (!value[0])
        return;
    qn__str_printf(&line, "  %-10s ", name);
    qn__str_add_wrapped(&line, value, line.len, line.len, 92);
    puts(line.text ? line.text : "");
    qn__str_release(&line);
}

char *qn__read_file(size_t *n, const char *path)
{
    struct qn__str bytes = {0};
    char piece[16384];
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    for (size_t got; file && (got = fread(piece, 1, sizeof piece, file)) > 0;)
        qn__str_add_bytes(&bytes, piece, got);
    const bool good = file && !ferror(file);
    if (!good)
        qn__complain(QN__EXIT_FAILED, "%s: %s", path, strerror(errno));
    else if (bytes.failed)
        qn__complain(QN__EXIT_FAILED, "%s: out of memory", path);
    if (file && file != stdin)
        fclose(file);
    if (n)
        *n = bytes.len;
    if (good)
        return qn__str_take(&bytes);
    qn__str_release(&bytes);
    return NULL;
}

char *qn__read_text(const char *path)
{
    size_t n;
    char *text = qn__read_file(&n, path);
    if (!text || strlen(text) == n)
        return text;
    qn__complain(0, "%s: no text: byte %zu is zero (is it UTF-16? give UTF-8)", path, strlen(text));
    free(text);
    return NULL;
}

bool qn__write_file(const char *path, const void *bytes, size_t n)
{
    if (!strcmp(path, "-"))
        return fwrite(bytes, 1, n, stdout) == n;
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(bytes, 1, n, file) == n;
    if (file && fclose(file) != 0)
        good = false;
    if (!good)
        qn__complain(QN__EXIT_FAILED, "%s: %s", path, strerror(errno));
    return good;
}

bool qn__make_folder(const char *path)
{
    struct qn__str part = {0};
    bool good = *path;
    errno = ENOENT;
    for (size_t n = 0; good && path[n];) {
        n += strspn(path + n, "/");
        n += strcspn(path + n, "/");
        qn__str_clear(&part);
        qn__str_add_bytes(&part, path, n);
        good = qn__str_check(&part) == QN_OK && (mkdir(part.text, 0777) == 0 || errno == EEXIST);
    }
    struct stat st;
    if (good && stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
        errno = ENOTDIR;
        good = false;
    }
    if (!good)
        qn__complain(QN__EXIT_FAILED, "%s: %s", path, strerror(errno));
    qn__str_release(&part);
    return good;
}

bool qn__close_stdout(void)
{
    const bool is_lost = !qn__flush_stdout();
    if (!is_lost && qn__str_failures() > 0)
        return qn__complain(false, "no memory for all that was to be said");
    if (!is_lost && fclose(stdout) == 0)
        return true;
    return qn__complain(false, "standard output: %s", strerror(lost_errno ? lost_errno : errno));
}
