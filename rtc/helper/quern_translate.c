/* SPDX-License-Identifier: Apache-2.0
 *
 * quern-translate: the translator, and the one program that links LLVM. Where that library is
 * missing, only this program fails to start. */
#include "rtc/helper/job_cpu.h"
#include "rtc/helper/job_translator.h"
#include "rtc/helper/serve.h"

int main(int argc, char **argv)
{
    static const struct qn__helper_compiler compilers[] = {{"translator", qn__job_run_translator},
                                                           {"cpu", qn__job_run_cpu}};
    static const struct qn__helper self = {"quern-translate",
                                           "the translator to OpenCL C and C, and its LLVM",
                                           compilers, sizeof compilers / sizeof compilers[0]};
    return qn__helper_main(argc, argv, &self);
}
