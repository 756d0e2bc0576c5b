/* SPDX-License-Identifier: Apache-2.0
 *
 * Profiles, abilities and quirks: questions about the tables of profiles.def. */
#include "base/profiles.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *extension, *text;
} abilities[] = {
#define QN_ABILITY(name, extension, text) {#name, extension, text},
#include "base/profiles.def"
};

static const char *const quirks[] = {
#define QN_QUIRK(name, text) #name,
#include "base/profiles.def"
};

static const struct {
    const char *name, *cl_std;
    unsigned wave, argument_bytes;
    const char *abilities, *quirks;
} profiles[] = {
#define QN_PROFILE(name, cl_std, wave, argument_bytes, abilities, quirks, text)                    \
    {#name, cl_std, wave, argument_bytes, abilities, quirks},
#include "base/profiles.def"
};
enum { N_PROFILES = sizeof profiles / sizeof *profiles };

static const char *const names[] = {
#define QN_PROFILE(name, cl_std, wave, argument_bytes, abilities, quirks, text) #name,
#include "base/profiles.def"
    NULL,
};

/* What subgroups need to be warps, beside the ability `warp`. */
static bool is_warp_part(enum qn__ability a)
{
    return a >= QN__CAN_shuffle && a <= QN__CAN_subgroup_size;
}

static bool find_quirk(enum qn__quirk *out, const char *name, size_t n)
{
    for (unsigned i = 0; i < QN__N_QUIRKS; i++)
        if (strlen(quirks[i]) == n && memcmp(quirks[i], name, n) == 0) {
            *out = (enum qn__quirk)i;
            return true;
        }
    return false;
}

/* Add or take away what has that name; false: nothing has. */
static bool change(struct qn__profile *p, const char *name, size_t n, bool add)
{
    enum qn__ability a;
    enum qn__quirk q;
    uint32_t *const set = qn__ability_find(&a, name, (unsigned)n) ? &p->abilities : &p->quirks;
    if (set == &p->quirks && !find_quirk(&q, name, n))
        return false;
    const uint32_t bit = 1u << (set == &p->quirks ? (unsigned)q : (unsigned)a);
    *set = add ? *set | bit : *set & ~bit;
    return true;
}

static void add_words(struct qn__profile *p, const char *words)
{
    for (size_t n; *words; words += n + strspn(words + n, " ")) {
        n = strcspn(words, " ");
        change(p, words, n, true);
    }
}

static bool find_profile(struct qn__profile *out, const char *name, size_t n)
{
    for (size_t i = 0; i < N_PROFILES; i++) {
        if (strlen(profiles[i].name) != n || memcmp(profiles[i].name, name, n) != 0)
            continue;
        *out = (struct qn__profile){.cl_std = profiles[i].cl_std,
                                    .wave = profiles[i].wave,
                                    .argument_bytes = profiles[i].argument_bytes};
        add_words(out, profiles[i].abilities);
        add_words(out, profiles[i].quirks);
        return true;
    }
    return false;
}

bool qn__profile_parse(struct qn__profile *out, const char *name)
{
    if (!name || !*name)
        name = "portable";
    size_t n = strcspn(name, ":");
    if (strlen(name) >= sizeof out->name || !find_profile(out, name, n))
        return false;
    snprintf(out->name, sizeof out->name, "%s", name);
    for (const char *p = name + n; *p; p += n) {
        n = strcspn(++p, ":");
        if (n < 2 || (p[n - 1] != '+' && p[n - 1] != '-') ||
            !change(out, p, n - 1, p[n - 1] == '+'))
            return false;
    }
    return true;
}

const char *const *qn__profile_names(void)
{
    return names;
}

bool qn__profile_can(const struct qn__profile *p, enum qn__ability a)
{
    for (unsigned part = 0; a == QN__CAN_warp && part < QN__N_ABILITIES; part++)
        if (is_warp_part((enum qn__ability)part) && !(p->abilities >> part & 1))
            return false;
    return p->abilities >> a & 1;
}

bool qn__profile_has(const struct qn__profile *p, enum qn__quirk q)
{
    return p->quirks >> q & 1;
}

void qn__profile_of_device(char *out, size_t capacity, const char *base,
                           bool (*has)(const void *device, const char *extension),
                           const void *device)
{
    struct qn__profile p;
    size_t n = (size_t)snprintf(out, capacity, "%s", base);
    if (!find_profile(&p, base, strlen(base)))
        return;
    for (unsigned a = 0; a < QN__N_ABILITIES && n < capacity; a++) {
        const bool expected = p.abilities >> a & 1;
        if (!*abilities[a].extension || has(device, abilities[a].extension) == expected ||
            (!expected && is_warp_part((enum qn__ability)a)))
            continue;
        n += (size_t)snprintf(out + n, capacity - n, ":%s%c", abilities[a].name,
                              expected ? '-' : '+');
    }
}

bool qn__ability_find(enum qn__ability *out, const char *name, unsigned n)
{
    for (unsigned i = 0; i < QN__N_ABILITIES; i++)
        if (strlen(abilities[i].name) == n && memcmp(abilities[i].name, name, n) == 0) {
            *out = (enum qn__ability)i;
            return true;
        }
    return false;
}

const char *qn__ability_name(enum qn__ability a)
{
    return abilities[a].name;
}

const char *qn__ability_extension(enum qn__ability a)
{
    return abilities[a].extension;
}

const char *qn__ability_text(enum qn__ability a)
{
    return abilities[a].text;
}

const char *qn__quirk_name(enum qn__quirk q)
{
    return quirks[q];
}
