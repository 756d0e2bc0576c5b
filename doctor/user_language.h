/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages in the user's language, from gettext's catalogues (po/): the C library has what reads
 * them. Machine-readable output, ids and what goes into a cache are never translated. */
#ifndef QN_DOCTOR_USER_LANGUAGE_H
#define QN_DOCTOR_USER_LANGUAGE_H

/* Take the user's language (LANGUAGE, LC_ALL, LC_MESSAGES, LANG) for messages of this process;
 * until then all of them are English. Catalogues are looked for in locale/ beside the program
 * (where it was built) and in ../share/locale. A program's main calls it, no library. */
void qn__language_start(void);

/* The message in the user's language, or as it is. Marks it for the catalogues, too. */
const char *qn__tr(const char *text) __attribute__((format_arg(1)));

/* In a static table: marked, and translated where it is printed. */
#define QN__TR(text) text

#endif
