/* SPDX-License-Identifier: Apache-2.0
 *
 * build_cl PATH ...: does the device's OpenCL compiler take these translations? A path is a file or
 * a folder that is searched for .cl files (coverage.py --save makes such folders). For each file
 * one line, "ok FILE" or "no FILE: first line of the build log"; after them, for each folder that
 * has some, how many files and how many of their kernels were built. The device is QUERN_DEVICE,
 * else the preferred one.
 *
 * Each file is built in a process of its own, so that a driver that crashes on one says nothing
 * about the others; the first process never touches a driver. */
#include "base/file.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <quern/quern.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXT_LIMIT = 256 << 20, DEPTH = 8 };

/* What became of the files of one folder. */
struct count {
    unsigned n_files, n_built, n_kernels, n_kernels_built;
};

static int build(const char *file)
{
    qn_device *dev;
    qn_image *image;
    qn_module *mod;
    if (qn_device_open(&dev, NULL) != QN_OK ||
        qn_image_load(&image, file, "opencl:portable") != QN_OK ||
        qn_module_load(&mod, dev, image) != QN_OK) {
        const char *message = qn_message();
        printf("no %s: %.*s\n", file, (int)strcspn(message, "\n"), message);
        fflush(stdout);
        return 1;
    }
    printf("ok %s\n", file);
    fflush(stdout);
    return 0;
}

static unsigned count_kernels(const char *file)
{
    char *text = NULL;
    size_t n_bytes;
    unsigned n = 0;
    if (qn__file_read(&text, &n_bytes, file, TEXT_LIMIT) != QN_OK)
        return 0;
    for (const char *p = text; (p = strstr(p, "__kernel void ")) != NULL; p++)
        n++;
    free(text);
    return n;
}

static void try_file(struct count *c, const char *file)
{
    int status = 0;
    const pid_t child = fork();
    if (child == -1) {
        perror("fork");
        exit(2);
    }
    if (child == 0)
        _exit(build(file));
    while (waitpid(child, &status, 0) == -1 && errno == EINTR) {
    }
    if (WIFSIGNALED(status))
        printf("no %s: the driver's compiler died: %s\n", file, strsignal(WTERMSIG(status)));
    fflush(stdout);
    const unsigned n = count_kernels(file);
    c->n_files++;
    c->n_kernels += n;
    if (status == 0) {
        c->n_built++;
        c->n_kernels_built += n;
    }
}

static void add(struct count *to, const struct count *c)
{
    to->n_files += c->n_files;
    to->n_built += c->n_built;
    to->n_kernels += c->n_kernels;
    to->n_kernels_built += c->n_kernels_built;
}

static void show(const struct count *c, const char *name)
{
    printf("%s: %u of %u files, %u of %u kernels built\n", name, c->n_built, c->n_files,
           c->n_kernels_built, c->n_kernels);
    fflush(stdout); /* or the next child prints it again */
}

/* The files of a folder in order of their names, then the folders in it. */
static void try_folder(struct count *all, const char *folder, int depth)
{
    struct dirent **entries;
    struct count own = {0};
    const int n = depth ? scandir(folder, &entries, NULL, alphasort) : 0;
    for (int i = 0; i < n; i++) {
        char *const path = qn__path_join(folder, entries[i]->d_name);
        if (path && entries[i]->d_name[0] != '.' && qn__file_is_dir(path))
            try_folder(all, path, depth - 1);
        else if (path && qn__ends_with(path, ".cl"))
            try_file(&own, path);
        free(path);
        free(entries[i]);
    }
    if (n >= 0 && depth)
        free(entries);
    if (own.n_files)
        show(&own, folder);
    add(all, &own);
}

int main(int argc, char **argv)
{
    struct count all = {0};
    for (int i = 1; i < argc; i++)
        if (qn__file_is_dir(argv[i]))
            try_folder(&all, argv[i], DEPTH);
        else
            try_file(&all, argv[i]);
    if (argc > 2 || all.n_files > 1)
        show(&all, "all");
    return all.n_built != all.n_files || all.n_files == 0;
}
