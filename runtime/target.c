/* SPDX-License-Identifier: Apache-2.0
 *
 * Target strings and the rules for "may this image run there" (the rules are in target.h).
 *
 * The AMD table says which generic family an architecture belongs to and which features it has; an
 * architecture that is not in it (newer than this file) is taken as it is, with any feature.
 * Sources: the CUDA programming guide's sections on binary compatibility and on architecture- and
 * family-specific features; LLVM's AMDGPU usage guide, "Processors" and "Generic Processors". */
#include "runtime/target.h"

#include "base/options.h"
#include "base/str.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gfx {
    const char *name;
    const char *generic; /* family target, NULL: none */
    bool xnack, sramecc; /* has the feature */
};

static const struct gfx gfx_table[] = {
    {"gfx801", NULL, true, false},
    {"gfx810", NULL, true, false},
    {"gfx802", NULL, false, false},
    {"gfx803", NULL, false, false},
    {"gfx805", NULL, false, false},
    {"gfx900", "gfx9-generic", true, false},
    {"gfx902", "gfx9-generic", true, false},
    {"gfx904", "gfx9-generic", true, false},
    {"gfx906", "gfx9-generic", true, true},
    {"gfx908", NULL, true, true},
    {"gfx909", "gfx9-generic", true, false},
    {"gfx90a", NULL, true, true},
    {"gfx90c", "gfx9-generic", true, false},
    {"gfx940", "gfx9-4-generic", true, true},
    {"gfx941", "gfx9-4-generic", true, true},
    {"gfx942", "gfx9-4-generic", true, true},
    {"gfx950", "gfx9-4-generic", true, true},
    {"gfx1010", "gfx10-1-generic", true, false},
    {"gfx1011", "gfx10-1-generic", true, false},
    {"gfx1012", "gfx10-1-generic", true, false},
    {"gfx1013", "gfx10-1-generic", true, false},
    {"gfx1030", "gfx10-3-generic", false, false},
    {"gfx1031", "gfx10-3-generic", false, false},
    {"gfx1032", "gfx10-3-generic", false, false},
    {"gfx1033", "gfx10-3-generic", false, false},
    {"gfx1034", "gfx10-3-generic", false, false},
    {"gfx1035", "gfx10-3-generic", false, false},
    {"gfx1036", "gfx10-3-generic", false, false},
    {"gfx1100", "gfx11-generic", false, false},
    {"gfx1101", "gfx11-generic", false, false},
    {"gfx1102", "gfx11-generic", false, false},
    {"gfx1103", "gfx11-generic", false, false},
    {"gfx1150", "gfx11-generic", false, false},
    {"gfx1151", "gfx11-generic", false, false},
    {"gfx1152", "gfx11-generic", false, false},
    {"gfx1153", "gfx11-generic", false, false},
    {"gfx1200", "gfx12-generic", false, false},
    {"gfx1201", "gfx12-generic", false, false},
    {"gfx9-generic", NULL, true, false},
    {"gfx9-4-generic", NULL, true, true},
    {"gfx10-1-generic", NULL, true, false},
    {"gfx10-3-generic", NULL, false, false},
    {"gfx11-generic", NULL, false, false},
    {"gfx12-generic", NULL, false, false},
};

/* Embedded NVIDIA parts: binaries are not interchangeable with the other parts of their major. */
static const uint32_t tegra[] = {32, 53, 62, 72, 87, 88, 101, 110};

static const struct gfx *gfx_find(const char *name)
{
    for (size_t i = 0; i < sizeof gfx_table / sizeof *gfx_table; i++)
        if (!strcmp(gfx_table[i].name, name))
            return &gfx_table[i];
    return NULL;
}

static bool is_tegra(uint32_t number)
{
    for (size_t i = 0; i < sizeof tegra / sizeof *tegra; i++)
        if (tegra[i] == number)
            return true;
    return false;
}

/* -- parsing -- */

/* "sm_90a", "compute_80": prefix, two or three digits, optional a or f */
static bool parse_nvidia(struct qn__target *t, const char *arch)
{
    const char *p;
    if (qn__starts_with(arch, "sm_")) {
        p = arch + 3;
    } else if (qn__starts_with(arch, "compute_")) {
        p = arch + 8;
        t->is_ptx = true;
    } else {
        return false;
    }
    const size_t digits = strspn(p, "0123456789");
    if (digits < 2 || digits > 3 || *p == '0')
        return false;
    t->number = (uint32_t)strtoul(p, NULL, 10);
    p += digits;
    if (*p == 'a' || *p == 'f')
        t->suffix = *p++;
    if (*p)
        return false;
    QN__TEXT_JOIN(t->base, sizeof t->base, arch);
    QN__TEXT_JOIN(t->arch, sizeof t->arch, arch);
    return true;
}

static qn_status parse_cuda(struct qn__target *t, const char *text, const char *arch)
{
    if (!parse_nvidia(t, arch))
        return qn__fail(QN_E_INVALID,
                        "target '%s': expected cuda:sm_NN (like cuda:sm_90a) or cuda:compute_NN",
                        text);
    return QN_OK;
}

/* One of ":xnack+" and its kind, at *p; moves *p past it. */
static bool parse_feature(struct qn__target *t, const char **p)
{
    signed char *value;
    if (qn__starts_with(*p, ":xnack")) {
        value = &t->xnack;
        *p += 6;
    } else if (qn__starts_with(*p, ":sramecc")) {
        value = &t->sramecc;
        *p += 8;
    } else {
        return false;
    }
    if (*value || (**p != '+' && **p != '-'))
        return false;
    *value = **p == '+' ? 1 : -1;
    (*p)++;
    return true;
}

static const char *feature(signed char value, const char *off, const char *on)
{
    return value == 0 ? "" : value < 0 ? off : on;
}

/* "gfx", then digits and lower-case hex letters, or a family "gfx10-3-generic" */
static bool is_gfx_name(const char *name, bool is_generic)
{
    if (!qn__starts_with(name, "gfx") || !isdigit((unsigned char)name[3]))
        return false;
    const size_t n = strspn(name + 3, is_generic ? "0123456789-" : "0123456789abcdef");
    return !strcmp(name + 3 + n, is_generic ? "generic" : "") && (is_generic || n >= 3);
}

static qn_status parse_hip(struct qn__target *t, const char *text, const char *arch)
{
    if (qn__starts_with(arch, "sm_") && parse_nvidia(t, arch))
        return QN_OK;
    const size_t n = strcspn(arch, ":");
    if (n >= sizeof t->base)
        return qn__fail(QN_E_INVALID, "target '%.100s': the architecture is too long", text);
    memcpy(t->base, arch, n);
    t->is_generic = qn__ends_with(t->base, "-generic");
    if (!is_gfx_name(t->base, t->is_generic))
        return qn__fail(QN_E_INVALID,
                        "target '%s': expected hip:gfxNNN (like hip:gfx90a:sramecc+:xnack-) or "
                        "hip:gfxN-generic",
                        text);
    for (const char *p = arch + n; *p;)
        if (!parse_feature(t, &p))
            return qn__fail(QN_E_INVALID,
                            "target '%s': '%s' is no feature: xnack+, xnack-, sramecc+ and "
                            "sramecc-, each at most once, after a colon",
                            text, p);
    const struct gfx *gfx = gfx_find(t->base);
    if (gfx && ((t->xnack && !gfx->xnack) || (t->sramecc && !gfx->sramecc)))
        return qn__fail(QN_E_INVALID, "target '%s': %s has no %s", text, t->base,
                        t->xnack && !gfx->xnack ? "xnack" : "sramecc");
    snprintf(t->arch, sizeof t->arch, "%s%s%s", t->base,
             feature(t->sramecc, ":sramecc-", ":sramecc+"),
             feature(t->xnack, ":xnack-", ":xnack+"));
    return QN_OK;
}

static qn_status parse_opencl(struct qn__target *t, const char *text, const char *arch)
{
    const size_t n = strspn(arch, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    const size_t all = n + strspn(arch + n, "abcdefghijklmnopqrstuvwxyz0123456789_:+-");
    t->is_binary = n == 64 && strspn(arch, "0123456789abcdef") == 64;
    if (arch[all] || (arch[n] && arch[n] != ':') || n == 0 || all >= sizeof t->arch ||
        (n >= sizeof t->base && !t->is_binary))
        return qn__fail(QN_E_INVALID,
                        "target '%.100s': expected opencl:portable, another profile, or the "
                        "fingerprint of a device",
                        text);
    QN__TEXT_JOIN(t->arch, sizeof t->arch, arch);
    if (!t->is_binary)
        memcpy(t->base, arch, n);
    return QN_OK;
}

static qn_status parse_cpu(struct qn__target *t, const char *text, const char *arch)
{
    const qn_status s = qn__cpu_target_parse(&t->cpu, arch);
    if (s != QN_OK)
        return qn__fail_prefix(s, "target '%.100s'", text);
    qn__cpu_target_print(t->arch, &t->cpu);
    QN__TEXT_JOIN(t->base, sizeof t->base, qn__cpu_level_name(t->cpu.level));
    return QN_OK;
}

qn_status qn__target_parse(struct qn__target *out, const char *text)
{
    *out = (struct qn__target){0};
    qn_status s;
    if (qn__starts_with(text, "cuda:")) {
        out->backend = QN__TARGET_CUDA;
        s = parse_cuda(out, text, text + 5);
    } else if (qn__starts_with(text, "hip:")) {
        out->backend = QN__TARGET_HIP;
        s = parse_hip(out, text, text + 4);
    } else if (qn__starts_with(text, "opencl:")) {
        out->backend = QN__TARGET_OPENCL;
        s = parse_opencl(out, text, text + 7);
    } else if (qn__starts_with(text, "cpu:")) {
        out->backend = QN__TARGET_CPU;
        s = parse_cpu(out, text, text + 4);
    } else {
        char meant[QN__MEANT_BYTES], word[QN__CHOICE_BYTES];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(text, ":"), text);
        s = qn__fail(QN_E_INVALID,
                     "target '%.100s': expected cuda:, hip:, opencl: or cpu: in front, as in "
                     "cuda:sm_90, hip:gfx90a, opencl:portable or cpu:x86-64-v3%s",
                     text, qn__did_you_mean(meant, "cuda|hip|opencl|cpu", word));
    }
    if (s != QN_OK)
        *out = (struct qn__target){0};
    return s;
}

static const char *const backend_names[] = {"cuda", "hip", "opencl", "cpu"};

void qn__target_print(char *out, size_t capacity, const struct qn__target *t)
{
    QN__TEXT_JOIN(out, capacity, backend_names[t->backend], ":", t->arch);
}

/* -- may this image run there -- */

static qn_status mismatch(const struct qn__target *device, const struct qn__target *image,
                          const char *why)
{
    return qn__fail(QN_E_MISMATCH, "an image for %s:%s does not run on %s:%s: %s",
                    backend_names[image->backend], image->arch, backend_names[device->backend],
                    device->arch, why);
}

static qn_status accepts_nvidia(const struct qn__target *device, const struct qn__target *image)
{
    const bool same_major = device->number / 10 == image->number / 10;
    if (image->suffix == 'a')
        return device->number == image->number
                   ? QN_OK
                   : mismatch(device, image, "its 'a' features are of that architecture alone");
    if (image->is_ptx && !image->suffix)
        return device->number >= image->number
                   ? QN_OK
                   : mismatch(device, image, "PTX runs on its own and later architectures only");
    if (!same_major)
        return mismatch(device, image, "binaries stay within a major architecture");
    if (device->number < image->number)
        return mismatch(device, image, "binaries run on the same or a later minor architecture");
    if (device->number != image->number && (is_tegra(device->number) || is_tegra(image->number)))
        return mismatch(device, image, "embedded and other parts do not share binaries");
    return QN_OK;
}

/* A setting that the image demands has to be the device's; a device that does not tell has none. */
static bool feature_fits(signed char device, signed char image)
{
    return image == 0 || image == device;
}

static qn_status accepts_amd(const struct qn__target *device, const struct qn__target *image)
{
    const struct gfx *gfx = gfx_find(device->base);
    if (strcmp(device->base, image->base) != 0) {
        if (!image->is_generic)
            return mismatch(device, image, "code objects are for one architecture");
        if (!gfx || !qn__equal(gfx->generic, image->base))
            return mismatch(device, image, "the device is not of that family");
    }
    if (!feature_fits(device->xnack, image->xnack))
        return mismatch(device, image, "the xnack setting differs");
    if (!feature_fits(device->sramecc, image->sramecc))
        return mismatch(device, image, "the sramecc setting differs");
    return QN_OK;
}

/* A device with the first profile also runs text made for the second. */
static const char *const profile_includes[][2] = {
    {"pocl5", "pocl3"}, /* and not opencl3: that text has no workarounds for PoCL */
    {"intel", "opencl3"},
    {"intelcpu", "opencl3"},
};

static qn_status accepts_opencl(const struct qn__target *device, const struct qn__target *image)
{
    if (image->is_binary)
        return device->is_binary && !strcmp(device->arch, image->arch)
                   ? QN_OK
                   : mismatch(device, image, "a driver's binary is for that device and driver");
    if (!strcmp(image->base, "portable") || !strcmp(image->base, device->base))
        return QN_OK;
    for (size_t i = 0; i < sizeof profile_includes / sizeof *profile_includes; i++)
        if (!strcmp(profile_includes[i][0], device->base) &&
            !strcmp(profile_includes[i][1], image->base))
            return QN_OK;
    return mismatch(device, image, "the device does not have that profile");
}

static qn_status accepts_cpu(const struct qn__target *device, const struct qn__target *image)
{
    char why[64];
    const char *lacks = qn__cpu_target_lacks(&device->cpu, &image->cpu);
    if (!lacks)
        return QN_OK;
    if (qn__cpu_level_machine(device->cpu.level) != qn__cpu_level_machine(image->cpu.level))
        return mismatch(device, image, "another kind of processor");
    snprintf(why, sizeof why, "the processor has no %s", lacks);
    return mismatch(device, image, why);
}

qn_status qn__target_accepts(const struct qn__target *device, const struct qn__target *image)
{
    if (device->backend != image->backend)
        return mismatch(device, image, "another kind of device");
    if (device->backend == QN__TARGET_CPU)
        return accepts_cpu(device, image);
    if (device->backend == QN__TARGET_OPENCL)
        return accepts_opencl(device, image);
    if (device->number && image->number)
        return accepts_nvidia(device, image);
    if (device->number || image->number)
        return mismatch(device, image, "another maker's architecture");
    return accepts_amd(device, image);
}

int qn__target_rank(const struct qn__target *device, const struct qn__target *image)
{
    enum { RANK_BINARY = 500, RANK_PORTABLE = 100 };
    struct qn__message message;
    if (device->backend == image->backend && !strcmp(device->arch, image->arch))
        return QN__RANK_EXACT;
    qn__message_save(&message);
    const bool runs = qn__target_accepts(device, image) == QN_OK;
    qn__message_restore(&message);
    if (!runs)
        return 0;
    if (device->backend == QN__TARGET_OPENCL)
        return strcmp(image->base, "portable") ? RANK_BINARY : RANK_PORTABLE;
    if (device->backend == QN__TARGET_CPU) /* the one that uses most of what is there */
        return RANK_PORTABLE + 32 * (int)image->cpu.level + __builtin_popcount(image->cpu.features);
    if (image->number) /* the latest of each kind */
        return (image->is_ptx ? RANK_PORTABLE : RANK_BINARY) + (int)image->number;
    return (image->is_generic ? RANK_PORTABLE : RANK_BINARY) + (image->xnack != 0) +
           (image->sramecc != 0);
}
