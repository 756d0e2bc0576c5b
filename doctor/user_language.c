/* SPDX-License-Identifier: Apache-2.0
 *
 * The user's language: see user_language.h.
 *
 * gettext reads LANGUAGE in every locale but "C". A container often has none but "C" and
 * "C.UTF-8" though its user sets LANG=de_DE.UTF-8 or LANGUAGE=de: then "C.UTF-8" is taken, with
 * LANGUAGE from what was asked for, so that no locale needs to be installed. */
#include "doctor/user_language.h"

#include "base/environment.h"

#include <limits.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<libintl.h>)
#include <libintl.h>
#define HAS_GETTEXT 1
#endif
#endif

#if HAS_GETTEXT

static const char DOMAIN[] = "quern";
static bool is_started;

/* What the environment says of messages; "" where nothing. */
static const char *wanted_locale(void)
{
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = qn__getenv(names[i]);
        if (value && *value)
            return value;
    }
    return "";
}

static bool is_plain(const char *locale)
{
    return !strcmp(locale, "C") || !strcmp(locale, "POSIX");
}

/* Does LC_MESSAGES speak a language now? */
static bool take_locale(void)
{
    const char *wanted = wanted_locale(), *language = qn__getenv("LANGUAGE");
    const char *taken = setlocale(LC_MESSAGES, "");
    if (is_plain(wanted))
        return false; /* asked for English */
    if (taken && !is_plain(taken))
        return true;
    if (!*wanted && !(language && *language))
        return false;
    if (!setlocale(LC_MESSAGES, "C.UTF-8"))
        return false;
    return (language && *language) || !setenv("LANGUAGE", wanted, 1);
}

/* The folder `name` beside the program, or above it. */
static bool folder_of(char out[PATH_MAX], const char *name)
{
    char program[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0)
        return false;
    program[n] = 0;
    char *slash = strrchr(program, '/');
    if (!slash)
        return false;
    *slash = 0;
    const int length = snprintf(out, PATH_MAX, "%s/%s", program, name);
    return length > 0 && length < PATH_MAX && access(out, R_OK | X_OK) == 0;
}

void qn__language_start(void)
{
    char folder[PATH_MAX];
    if (!take_locale() || (!folder_of(folder, "locale") && !folder_of(folder, "../share/locale")))
        return;
    is_started = bindtextdomain(DOMAIN, folder) && bind_textdomain_codeset(DOMAIN, "UTF-8");
}

const char *qn__tr(const char *text)
{
    return is_started && *text ? dgettext(DOMAIN, text) : text; /* "" is the catalogue's head */
}

#else

void qn__language_start(void)
{
}

const char *qn__tr(const char *text)
{
    return text;
}

#endif
