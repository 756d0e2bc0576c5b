/* SPDX-License-Identifier: Apache-2.0
 *
 * The file of drivers: a line for each device, its name, a tab, its driver. See driver_note.h. */
#include "tools/driver_note.h"

#include "base/environment.h"
#include "base/file.h"
#include "base/str.h"
#include "tools/terminal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 1 << 20 };

static bool folder_of(struct qn__str *out)
{
    const char *state = qn__getenv("XDG_STATE_HOME"), *home = qn__getenv("HOME");
    if (state && *state == '/')
        qn__str_printf(out, "%s/quern", state);
    else if (home && *home == '/')
        qn__str_printf(out, "%s/.local/state/quern", home);
    return out->len && !out->failed;
}

/* Without what ends fields and lines. */
static void add_field(struct qn__str *out, const char *text)
{
    for (; *text; text++)
        qn__str_add_char(out, (unsigned char)*text < ' ' ? ' ' : *text);
}

/* All lines but the device's own go to `kept`; what that one says of its driver to `before`. */
static void read_lines(struct qn__str *kept, struct qn__str *before, const char *path,
                       const char *name)
{
    char *text = NULL;
    size_t n = 0;
    const size_t name_bytes = strlen(name);
    if (qn__file_read(&text, &n, path, BYTES_MAX) != QN_OK)
        return; /* the first time */
    for (const char *line = text; *line;) {
        const size_t bytes = strcspn(line, "\n");
        if (bytes > name_bytes && !strncmp(line, name, name_bytes) && line[name_bytes] == '\t')
            qn__str_add_bytes(before, line + name_bytes + 1, bytes - name_bytes - 1);
        else if (bytes)
            qn__str_printf(kept, "%.*s\n", (int)bytes, line);
        line += bytes + (line[bytes] == '\n');
    }
    free(text);
}

/* Where it cannot be kept the change is told of the next time as well. */
static void keep(const char *folder, const char *path, const struct qn__str *lines)
{
    qn_status s = lines->failed ? QN_E_MEMORY : qn__file_make_dirs(folder, 0755);
    if (s == QN_OK)
        s = qn__file_write_atomic(path, lines->text, lines->len, 0644);
    (void)s;
}

void qn__driver_note(const qn_device_info *device)
{
    struct qn__str folder = {0}, path = {0}, name = {0}, driver = {0}, kept = {0}, before = {0};
    add_field(&name, device->name);
    add_field(&driver, device->driver);
    if (strcmp(device->kind, "cpu") != 0 && folder_of(&folder) && name.len && driver.len) {
        qn__str_printf(&path, "%s/drivers", folder.text);
        read_lines(&kept, &before, path.text, name.text);
        if (before.len && strcmp(before.text, driver.text) != 0)
            qn__complain(0,
                         "the driver of %s is another one: %s; before: %s. `quern selftest -d %s` "
                         "checks every kernel with it, in under a minute",
                         name.text, driver.text, before.text, device->id);
        qn__str_printf(&kept, "%s\t%s\n", name.text, driver.text);
        if (!before.len || strcmp(before.text, driver.text) != 0)
            keep(folder.text, path.text, &kept);
    }
    qn__str_release(&folder);
    qn__str_release(&path);
    qn__str_release(&name);
    qn__str_release(&driver);
    qn__str_release(&kept);
    qn__str_release(&before);
}
