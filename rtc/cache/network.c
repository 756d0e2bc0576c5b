/* SPDX-License-Identifier: Apache-2.0
 *
 * Network and cluster file systems by their magic numbers (statfs(2) and the systems' own headers).
 * FUSE is among them because most of its mounts are remote; a local one loses only the locks that
 * save work. */
#define _GNU_SOURCE
#include "rtc/cache/network.h"

#include <stddef.h>
#include <sys/vfs.h>

static const struct {
    uint32_t magic;
    const char *name;
} known[] = {
    {0x6969, "nfs"},       {0xff534d42, "cifs"},   {0xfe534d42, "smb2"},  {0x517b, "smb"},
    {0x01021997, "9p"},    {0x65735546, "fuse"},   {0x5346414f, "afs"},   {0x73757245, "coda"},
    {0x00c36400, "ceph"},  {0x0bd00bd0, "lustre"}, {0x47504653, "gpfs"},  {0x19830326, "beegfs"},
    {0x7461636f, "ocfs2"}, {0x01161970, "gfs2"},   {0x20030528, "pvfs2"}, {0xaad7aaea, "panfs"},
    {0x564c, "ncp"},       {0x786f4256, "vboxsf"},
};

const char *qn__network_name(uint32_t magic)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].magic == magic)
            return known[i].name;
    return "";
}

const char *qn__network_of(int fd)
{
    struct statfs st;
    return fstatfs(fd, &st) == 0 ? qn__network_name((uint32_t)st.f_type) : "";
}
