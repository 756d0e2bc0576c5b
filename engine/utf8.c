/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/utf8.h"

uint32_t qn__utf8_bytes(const char *p, size_t n)
{
    const unsigned char *u = (const unsigned char *)p;
    if (n == 0)
        return 0;
    if (u[0] < 0x80)
        return 1;
    const uint32_t bytes = u[0] >= 0xf0 ? 4 : u[0] >= 0xe0 ? 3 : 2;
    if (u[0] < 0xc2 || u[0] > 0xf4 || n < bytes)
        return 0;
    for (uint32_t i = 1; i < bytes; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] > 0x9f) || /* too long; surrogates */
        (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] > 0x8f))   /* too long; too large */
        return 0;
    return bytes;
}

uint32_t qn__utf8_read(uint32_t *character, const char *p, size_t n)
{
    const uint32_t bytes = qn__utf8_bytes(p, n);
    if (bytes == 0)
        return 0;
    uint32_t c = (unsigned char)*p & (bytes == 1 ? 0x7fu : 0x7fu >> bytes);
    for (uint32_t i = 1; i < bytes; i++)
        c = c << 6 | ((unsigned char)p[i] & 0x3fu);
    *character = c;
    return bytes;
}

uint32_t qn__utf8_write(char out[4], uint32_t c)
{
    static const unsigned char heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    const uint32_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (uint32_t i = n; i-- > 1; c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(heads[n] | c);
    return n;
}
