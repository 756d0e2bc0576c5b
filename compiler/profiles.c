/* SPDX-License-Identifier: Apache-2.0
 *
 * Profiles and abilities: questions about the two tables of profiles.def. */
#include "compiler/profiles.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *extension, *text;
} abilities[] = {
#define QN_ABILITY(name, extension, text) {#name, extension, text},
#include "compiler/profiles.def"
};

static const struct qn__profile profiles[] = {
#define QN_PROFILE(name, cl_std, wave, abilities, text) {#name, cl_std, wave, abilities, text},
#include "compiler/profiles.def"
};

static const char *const names[] = {
#define QN_PROFILE(name, cl_std, wave, abilities, text) #name,
#include "compiler/profiles.def"
    NULL,
};

const struct qn__profile *qn__profile_find(const char *name)
{
    if (!name || !*name)
        name = "portable";
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++)
        if (strcmp(profiles[i].name, name) == 0)
            return &profiles[i];
    return NULL;
}

const char *const *qn__profile_names(void)
{
    return names;
}

static bool has_word(const struct qn__profile *p, enum qn__ability a)
{
    const char *const name = abilities[a].name;
    const size_t n = strlen(name);
    for (const char *s = p->abilities; *s;) {
        const size_t word = strcspn(s, " ");
        if (word == n && memcmp(s, name, n) == 0)
            return true;
        s += word;
        s += strspn(s, " ");
    }
    return false;
}

bool qn__profile_can(const struct qn__profile *p, enum qn__ability a)
{
    if (a != QN__CAN_warp)
        return has_word(p, a);
    for (unsigned part = QN__CAN_shuffle; part <= QN__CAN_subgroup_size; part++)
        if (!has_word(p, (enum qn__ability)part))
            return false;
    return has_word(p, a);
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
