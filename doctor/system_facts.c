/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts of the machine itself: distribution, kernel, container, memory, processors, and the GPUs
 * that the PCI bus has, whether a driver serves them or not. */
#include "doctor/facts.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of NAME=value in a file of such lines, without quotes. */
static bool assignment(const char *text, const char *name, char *out, size_t capacity)
{
    const size_t n = strlen(name);
    *out = 0;
    for (const char *p = text ? text : ""; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        if (strncmp(p, name, n) != 0 || p[n] != '=')
            continue;
        const char *value = p + n + 1 + (p[n + 1] == '"' || p[n + 1] == '\'');
        snprintf(out, capacity, "%.*s", (int)strcspn(value, "\"'\n"), value);
        return true;
    }
    return false;
}

static bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = strstr(list, word); p; p = strstr(p + 1, word))
        if ((p == list || p[-1] == ' ') && (p[n] == 0 || p[n] == ' '))
            return true;
    return false;
}

static void set_distribution(json_t *system, const struct qn__root *root)
{
    static const char *const families[][2] = {
        {"debian", "debian"}, {"ubuntu", "debian"}, {"fedora", "fedora"},
        {"rhel", "fedora"},   {"centos", "fedora"}, {"suse", "sles"},
        {"sles", "sles"},     {"opensuse", "sles"}, {"arch", "arch"},
    };
    char *text = qn__root_read(root, "/etc/os-release"), name[200], id[64], like[128], ids[200];
    if (!text)
        text = qn__root_read(root, "/usr/lib/os-release");
    if (assignment(text, "PRETTY_NAME", name, sizeof name))
        qn__facts_set_text(system, "distribution", name);
    assignment(text, "ID", id, sizeof id);
    assignment(text, "ID_LIKE", like, sizeof like);
    snprintf(ids, sizeof ids, "%s %s", id, like);
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (has_word(ids, families[i][0]) && !qn__facts_part(system, "family"))
            qn__facts_set_text(system, "family", families[i][1]);
    if (!qn__facts_part(system, "family") && strncmp(id, "opensuse", 8) == 0)
        qn__facts_set_text(system, "family", "sles");
    free(text);
}

static void set_container(json_t *system, const struct qn__root *root)
{
    static const struct {
        const char *file, *pattern, *kind; /* pattern NULL: the file's being there is enough */
    } signs[] = {
        {"/.dockerenv", NULL, "docker"},
        {"/run/.containerenv", NULL, "podman"},
        {"/run/systemd/container", "*lxc*", "lxc"},
        {"/run/systemd/container", "*", "systemd-nspawn or its like"},
        {"/proc/self/cgroup", "*kubepods*", "kubernetes"},
        {"/proc/self/cgroup", "*docker*", "docker"},
        {"/proc/self/cgroup", "*/lxc*", "lxc"},
    };
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        char *text = signs[i].pattern ? qn__root_read(root, signs[i].file) : NULL;
        const bool fits = signs[i].pattern
                              ? text && *text && fnmatch(signs[i].pattern, text, 0) == 0
                              : qn__root_exists(root, signs[i].file);
        free(text);
        if (fits) {
            qn__facts_set_text(system, "container", signs[i].kind);
            return;
        }
    }
}

/* The number behind "Name:" in a file of such lines, in its unit. */
static int64_t field(const char *text, const char *name)
{
    const char *at = text ? strstr(text, name) : NULL;
    return at ? strtoll(at + strlen(name), NULL, 10) : -1;
}

static void set_memory(json_t *system, const struct qn__root *root)
{
    char *text = qn__root_read(root, "/proc/meminfo");
    int64_t total = field(text, "MemTotal:") * 1024;
    int64_t available = field(text, "MemAvailable:") * 1024;
    const int64_t limit = qn__root_number(root, "/sys/fs/cgroup/memory.max", -1);
    const int64_t used = qn__root_number(root, "/sys/fs/cgroup/memory.current", 0);
    free(text);
    if (total < 0)
        return;
    if (limit > 0 && limit < total) {
        total = limit;
        if (limit - used < available)
            available = limit > used ? limit - used : 0;
    }
    qn__facts_set_number(system, "memory_total_bytes", total);
    if (available >= 0)
        qn__facts_set_number(system, "memory_available_bytes", available);
}

/* How many a list such as "0-3,8" names. */
static int64_t count_list(const char *text)
{
    int64_t n = 0;
    while (*text >= '0' && *text <= '9') {
        char *end;
        const long first = strtol(text, &end, 10);
        const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        n += last - first + 1;
        text = end + (*end == ',');
    }
    return n;
}

static void set_processors(json_t *system, const struct qn__root *root)
{
    char line[256];
    int64_t n = 0, allowed = 0, quota = 0, period = 0;
    if (qn__root_line(root, "/sys/devices/system/cpu/present", line, sizeof line))
        n = count_list(line);
    char *status = qn__root_read(root, "/proc/self/status");
    const char *list = status ? strstr(status, "Cpus_allowed_list:") : NULL;
    if (list)
        allowed = count_list(list + strlen("Cpus_allowed_list:") + 1);
    free(status);
    if (qn__root_line(root, "/sys/fs/cgroup/cpu.max", line, sizeof line) && line[0] != 'm') {
        char *end;
        quota = strtoll(line, &end, 10);
        period = strtoll(end, NULL, 10);
    }
    if (period > 0 && quota > 0 && (quota + period - 1) / period < (allowed ? allowed : n))
        allowed = (quota + period - 1) / period;
    if (n)
        qn__facts_set_number(system, "processors", n);
    if (allowed)
        qn__facts_set_number(system, "processors_allowed", allowed);
}

/* ---- GPUs on the bus ---- */

static const char *maker(int64_t vendor)
{
    switch (vendor) {
    case 0x10de: return "nvidia";
    case 0x1002: return "amd";
    case 0x8086: return "intel";
    }
    return "";
}

static void add_gpu(json_t *list, const struct qn__root *root, const char *folder)
{
    struct qn__str path = {0};
    char text[128];
    const struct {
        const char *file, *name;
    } numbers[] = {
        {"device", "device"},
        {"current_link_width", "link_width"},
        {"max_link_width", "link_width_max"},
        {"gpu_busy_percent", "busy_percent"},
        {"mem_info_vram_total", "memory_bytes"},
        {"mem_info_vram_used", "memory_used_bytes"},
    };
    qn__str_printf(&path, "%s/class", folder);
    const int64_t class_ = qn__root_number(root, path.text, 0) >> 16;
    qn__str_clear(&path);
    qn__str_printf(&path, "%s/vendor", folder);
    const int64_t vendor = qn__root_number(root, path.text, 0);
    /* displays, and accelerators without one */
    if ((class_ == 3 || class_ == 0x12) && maker(vendor)[0]) {
        json_t *gpu = json_object();
        qn__facts_set_text(gpu, "slot", strrchr(folder, '/') + 1);
        qn__facts_set_text(gpu, "maker", maker(vendor));
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            qn__str_clear(&path);
            qn__str_printf(&path, "%s/%s", folder, numbers[i].file);
            const int64_t value = qn__root_number(root, path.text, -1);
            if (value >= 0)
                qn__facts_set_number(gpu, numbers[i].name, value);
        }
        qn__str_clear(&path);
        qn__str_printf(&path, "%s/driver", folder);
        if (qn__root_link_base(root, path.text, text, sizeof text))
            qn__facts_set_text(gpu, "driver", text);
        json_array_append_new(list, gpu);
    }
    qn__str_release(&path);
}

static json_t *gpus(const struct qn__root *root)
{
    json_t *list = json_array();
    struct qn__names folders = {0};
    qn__root_match(&folders, root, "/sys/bus/pci/devices/*");
    for (size_t i = 0; i < folders.n; i++)
        add_gpu(list, root, folders.items[i]);
    qn__names_release(&folders);
    return list;
}

void qn__gather_system(json_t *facts, const struct qn__root *root)
{
    json_t *system = json_object();
    char line[300];
    set_distribution(system, root);
    if (qn__root_line(root, "/proc/sys/kernel/osrelease", line, sizeof line))
        qn__facts_set_text(system, "kernel", line);
    if (qn__root_line(root, "/proc/version", line, sizeof line))
        json_object_set_new(system, "wsl",
                            json_boolean(strstr(line, "icrosoft") || strstr(line, "WSL")));
    set_container(system, root);
    set_memory(system, root);
    set_processors(system, root);
    json_object_set_new(facts, "system", system);
    json_object_set_new(facts, "gpus", gpus(root));
}
