/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts of the folders that compilers and the kernel cache write to, and of the environment. */
#define _GNU_SOURCE
#include "base/configuration.h"
#include "base/environment.h"
#include "base/options.h"
#include "base/settings.h"
#include "doctor/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The folder, or the nearest above it that is there; outside the tree; malloc'd. */
static char *nearest_folder(const struct qn__root *root, const char *folder)
{
    char *path = qn__root_path(root, folder), *slash;
    struct stat st;
    while (path && stat(path, &st) != 0 && (slash = strrchr(path, '/')) && slash != path)
        *slash = 0;
    return path;
}

/* Type and options of the mount that holds a folder, by the longest name in /proc/mounts. */
static bool mount_of(const struct qn__root *root, const char *folder, char type[64],
                     char options[512])
{
    char *text = qn__root_read(root, "/proc/mounts");
    size_t best = 0;
    for (char *line = text ? strtok(text, "\n") : NULL; line; line = strtok(NULL, "\n")) {
        char at[1024], t[64], o[512];
        if (sscanf(line, "%*s %1023s %63s %511s", at, t, o) != 3)
            continue;
        size_t n = strlen(at);
        const bool holds =
            !strcmp(at, "/") || (!strncmp(folder, at, n) && (folder[n] == '/' || folder[n] == 0));
        if (holds && n >= best) {
            best = n;
            snprintf(type, 64, "%s", t);
            snprintf(options, 512, "%s", o);
        }
    }
    free(text);
    return best > 0;
}

static bool is_network(const char *type)
{
    static const char *const names[] = {"nfs",    "nfs4", "cifs",   "smb3",
                                        "lustre", "gpfs", "beegfs", "fuse.sshfs",
                                        "ceph",   "afs",  "9p",     "glusterfs"};
    return qn__is_listed(names, sizeof names / sizeof names[0], type);
}

/* As rtc does: QUERN_CACHE_DIR, else quern below the user's cache folder. */
static bool cache_folder(char *out, size_t capacity, const char **why)
{
    const char *named = qn__getenv("QUERN_CACHE_DIR"), *user = qn__getenv("XDG_CACHE_HOME");
    const char *home = qn__getenv("HOME");
    *why = "";
    if (named && *named)
        snprintf(out, capacity, "%s", named);
    else if (user && *user == '/')
        snprintf(out, capacity, "%s/quern", user);
    else if (user && *user)
        *why = "XDG_CACHE_HOME is not an absolute path";
    else if (home && *home == '/')
        snprintf(out, capacity, "%s/.cache/quern", home);
    else
        *why = "HOME is not set";
    return !**why;
}

static void set_cache(json_t *facts, const struct qn__root *root)
{
    json_t *cache = json_object();
    char folder[1024] = "", type[64] = "", options[512];
    const char *why;
    struct stat st;
    struct statvfs fs;
    if (!cache_folder(folder, sizeof folder, &why)) {
        qn__facts_set_text(cache, "unusable", why);
    } else {
        char *path = qn__root_path(root, folder), *near = nearest_folder(root, folder);
        qn__facts_set_text(cache, "folder", folder);
        if (path && stat(path, &st) == 0) {
            qn__facts_set_number(cache, "mode", st.st_mode & 07777);
            if (!S_ISDIR(st.st_mode))
                qn__facts_set_text(cache, "unusable", "it is no folder");
        }
        if (near && access(near, W_OK) != 0)
            qn__facts_set_text(cache, "unusable", "this user may not write there");
        if (near && statvfs(near, &fs) == 0)
            qn__facts_set_number(cache, "free_bytes", (int64_t)(fs.f_bavail * fs.f_frsize));
        if (mount_of(root, folder, type, options) && is_network(type))
            qn__facts_set_text(cache, "network", type);
        free(path);
        free(near);
    }
    qn__facts_set_number(cache, "limit_bytes", (int64_t)qn__setting(QN__SETTING_CACHE_BYTES));
    json_object_set_new(facts, "cache", cache);
}

static void set_temporary(json_t *facts, const struct qn__root *root)
{
    const char *named = qn__getenv("TMPDIR"), *folder = named && *named ? named : "/tmp";
    json_t *out = json_object();
    char *path = qn__root_path(root, folder);
    struct stat st;
    qn__facts_set_text(out, "folder", folder);
    if (!path || stat(path, &st) != 0)
        qn__facts_set_text(out, "unusable", "it is not there");
    else if (!S_ISDIR(st.st_mode))
        qn__facts_set_text(out, "unusable", "it is no folder");
    else if (access(path, W_OK | X_OK) != 0)
        qn__facts_set_text(out, "unusable", "this user may not write there");
    free(path);
    json_object_set_new(facts, "temporary", out);
}

/* "size=65536k" of the mount /dev/shm. */
static void set_shared(json_t *facts, const struct qn__root *root)
{
    char type[64] = "", options[512] = "";
    if (!qn__root_exists(root, "/dev/shm") || !mount_of(root, "/dev/shm", type, options))
        return;
    const char *size = strstr(options, "size=");
    if (strcmp(type, "tmpfs") != 0 || !size)
        return;
    char *unit;
    int64_t bytes = strtoll(size + 5, &unit, 10);
    bytes *= *unit == 'k' ? 1 << 10 : *unit == 'm' ? 1 << 20 : *unit == 'g' ? 1 << 30 : 1;
    json_object_set_new(facts, "shm_bytes", json_integer(bytes));
}

void qn__gather_places(json_t *facts, const struct qn__root *root)
{
    set_cache(facts, root);
    set_temporary(facts, root);
    set_shared(facts, root);
}

/* ---- the environment ---- */

/* What is wrong with the configuration files, a line each. */
static void set_configuration(json_t *facts)
{
    const struct qn__conf *c = qn__configuration();
    json_t *out = json_object(), *files = json_array(), *errors = json_array();
    for (uint32_t i = 0; i < c->n_files; i++)
        if (c->is_read[i])
            json_array_append_new(files, qn__facts_string(c->files[i]));
    for (const char *line = c->errors.text; line && *line;) {
        char one[1024];
        const size_t n = strcspn(line, "\n");
        snprintf(one, sizeof one, "%.*s", (int)n, line);
        json_array_append_new(errors, qn__facts_string(one));
        line += n + (line[n] == '\n');
    }
    json_object_set_new(out, "files", files);
    json_object_set_new(out, "errors", errors);
    json_object_set_new(facts, "configuration", out);
}

void qn__gather_variables(json_t *facts)
{
    static const char *const others[] = {
#define QN_VARIABLE(name, kind, does) name,
#include "doctor/variables.def"
    };
    json_t *out = json_object();
    for (uint32_t i = 0; i < qn__n_environment; i++) {
        const struct qn__variable *v = &qn__environment[i];
        const char *value = strcmp(v->owner, "system") ? qn__getenv(v->name) : NULL;
        if (value)
            json_object_set_new(out, v->name, qn__facts_string(value));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const char *value = qn__getenv(others[i]);
        if (value)
            json_object_set_new(out, others[i], qn__facts_string(value));
    }
    json_object_set_new(facts, "environment", out);
    set_configuration(facts);
}
