/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules (CUDA's compatibility guide): a cubin runs on its own major version, same or later
 * minor (embedded parts on their own alone); PTX runs on every later GPU, if the driver's CUDA
 * version is not older than the toolkit that wrote it, because each toolkit writes its newest PTX
 * version. */
#include "rtc/key/cuda_choice.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Parts of the Tegra line: their cubins and those of their major's other parts do not mix. */
static bool is_embedded(uint32_t arch)
{
    return arch == 53 || arch == 62 || arch == 72 || arch == 87 || arch == 88 || arch == 101 ||
           arch == 110;
}

static bool cubin_fits(uint32_t arch, uint32_t gpu)
{
    return arch == gpu ||
           (arch / 10 == gpu / 10 && arch < gpu && !is_embedded(arch) && !is_embedded(gpu));
}

/* Cubins need a driver of the toolkit's major version or a later one. */
static bool driver_reads_cubins(const struct qn__cuda_facts *f)
{
    return f->driver_version == 0 || f->driver_version / 1000 >= f->nvrtc_major;
}

static bool driver_reads_ptx(const struct qn__cuda_facts *f)
{
    return f->driver_version == 0 ||
           f->driver_version / 10 >= f->nvrtc_major * 100 + f->nvrtc_minor;
}

qn_status qn__cuda_choose(char out[QN__CUDA_ARCH_MAX], const struct qn__cuda_facts *f)
{
    uint32_t ptx = 0, cubin = 0, oldest = UINT32_MAX;
    out[0] = 0;
    for (uint32_t i = 0; i < f->n_archs; i++) {
        const uint32_t a = f->archs[i];
        if (driver_reads_cubins(f) && cubin_fits(a, f->capability) && a > cubin)
            cubin = a;
        if (a <= f->capability && a > ptx)
            ptx = a;
        if (a < oldest)
            oldest = a;
    }
    if (cubin == f->capability) {
        snprintf(out, QN__CUDA_ARCH_MAX, "sm_%u", cubin);
        return QN_OK;
    }
    if (ptx && driver_reads_ptx(f)) { /* the driver turns it into code for exactly this GPU */
        snprintf(out, QN__CUDA_ARCH_MAX, "compute_%u", ptx);
        return QN_OK;
    }
    if (cubin) {
        snprintf(out, QN__CUDA_ARCH_MAX, "sm_%u", cubin);
        return QN_OK;
    }
    const unsigned major = f->capability / 10, minor = f->capability % 10;
    if (!ptx)
        return qn__fail(QN_E_MISMATCH,
                        "%s (compute capability %u.%u) is older than anything NVRTC %d.%d makes "
                        "(from %u.%u on); install an older CUDA toolkit's NVRTC and point "
                        "CUDA_PATH at it",
                        f->gpu, major, minor, f->nvrtc_major, f->nvrtc_minor,
                        oldest == UINT32_MAX ? 0 : oldest / 10,
                        oldest == UINT32_MAX ? 0 : oldest % 10);
    return qn__fail(
        QN_E_MISMATCH,
        "%s (compute capability %u.%u): what NVRTC %d.%d makes is too new for the driver (CUDA "
        "%d.%d); install a driver for CUDA %d.%d or later, or an NVRTC of CUDA %d that knows this "
        "GPU and point CUDA_PATH at it",
        f->gpu, major, minor, f->nvrtc_major, f->nvrtc_minor, f->driver_version / 1000,
        f->driver_version % 1000 / 10, f->nvrtc_major, f->nvrtc_minor, f->driver_version / 1000);
}

void qn__cuda_take_features(char arch[QN__CUDA_ARCH_MAX], const char *source,
                            const char *const *targets, uint32_t n_targets)
{
    const char *const prefix = "sm_";
    char macro[64], wanted[QN__CUDA_ARCH_MAX + 1];
    if (strncmp(arch, prefix, strlen(prefix)) != 0)
        return;
    snprintf(macro, sizeof macro, "__CUDA_ARCH_FEAT_SM%s_ALL", arch + strlen(prefix));
    snprintf(wanted, sizeof wanted, "%sa", arch);
    if (strlen(wanted) >= QN__CUDA_ARCH_MAX || !strstr(source, macro))
        return;
    for (uint32_t i = 0; i < n_targets; i++)
        if (strcmp(targets[i], wanted) == 0)
            memcpy(arch, wanted, strlen(wanted) + 1);
}
