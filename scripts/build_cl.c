/* SPDX-License-Identifier: Apache-2.0
 *
 * build_cl FILE.cl ...: does the device's OpenCL compiler take these translations? For each file
 * one line, "ok FILE" or "no FILE: first line of the build log". The device is QUERN_DEVICE, else
 * the preferred one. Each file is built in a process of its own, so that a driver that crashes on
 * one says nothing about the others. */
#include <quern/quern.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

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

int main(int argc, char **argv)
{
    int n_failed = 0;
    for (int i = 1; i < argc; i++) {
        int status = 0;
        const pid_t child = fork();
        if (child == -1) {
            perror("fork");
            return 2;
        }
        if (child == 0)
            _exit(build(argv[i]));
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status))
            printf("no %s: the driver's compiler died: %s\n", argv[i], strsignal(WTERMSIG(status)));
        fflush(stdout);
        n_failed += status != 0;
    }
    return n_failed != 0;
}
