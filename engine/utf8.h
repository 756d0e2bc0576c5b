/* SPDX-License-Identifier: Apache-2.0
 *
 * Characters in UTF-8. */
#ifndef QN_ENGINE_UTF8_H
#define QN_ENGINE_UTF8_H

#include <stddef.h>
#include <stdint.h>

enum { QN__CHARACTER_MAX = 0x10ffff };

/* Bytes of the character at p (n are there), or 0 if there is none: cut off, too long a form, a
 * surrogate, past the last character. */
uint32_t qn__utf8_bytes(const char *p, size_t n);

/* The same, and the character itself where there is one. */
uint32_t qn__utf8_read(uint32_t *character, const char *p, size_t n);

/* Writes a character, returns how many bytes it has. */
uint32_t qn__utf8_write(char out[4], uint32_t character);

#endif
