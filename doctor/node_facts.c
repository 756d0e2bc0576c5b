/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts of the device nodes through which drivers reach GPUs: which there are, whether this user
 * may open them, and which group may. */
#include "doctor/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The group's name in the tree's /etc/group, else its number. */
static void set_group(json_t *node, const struct qn__root *root, const char *file)
{
    struct stat st;
    char *name = qn__root_path(root, file), number[32];
    char *text = qn__root_read(root, "/etc/group");
    const int error = name ? stat(name, &st) : -1;
    free(name);
    snprintf(number, sizeof number, "%lu", error ? 0UL : (unsigned long)st.st_gid);
    for (char *line = text ? strtok(text, "\n") : NULL; !error && line; line = strtok(NULL, "\n")) {
        char group[64], id[32];
        if (sscanf(line, "%63[^:]:%*[^:]:%31[0-9]", group, id) == 2 && strcmp(id, number) == 0)
            qn__facts_set_text(node, "group", group);
    }
    if (!error && !qn__facts_part(node, "group"))
        qn__facts_set_text(node, "group", number);
    free(text);
}

void qn__gather_nodes(json_t *facts, const struct qn__root *root)
{
    static const char *const patterns[] = {"/dev/kfd",        "/dev/dri/renderD*", "/dev/nvidiactl",
                                           "/dev/nvidia-uvm", "/dev/nvidia[0-9]*", "/dev/dxg"};
    json_t *nodes = json_object();
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        struct qn__names files = {0};
        qn__root_match(&files, root, patterns[i]);
        for (size_t k = 0; k < files.n; k++) {
            json_t *node = json_object();
            const int error = qn__root_access(root, files.items[k]);
            if (error)
                qn__facts_set_text(node, "refused", strerror(error));
            else if (strcmp(files.items[k], "/dev/kfd") == 0 &&
                     qn__root_open_error(root, files.items[k]))
                qn__facts_set_text(node, "open_fails",
                                   strerror(qn__root_open_error(root, files.items[k])));
            set_group(node, root, files.items[k]);
            json_object_set_new(nodes, files.items[k], node);
        }
        qn__names_release(&files);
    }
    json_object_set_new(facts, "nodes", nodes);
}
