/* SPDX-License-Identifier: Apache-2.0
 *
 * quern-rtc: the vendors' compilers, which must not live in the caller's process, and drivers that
 * nobody has tried yet. It opens them when a job asks and links none, so it starts in a millisecond
 * and works whatever is installed. */
#include "rtc/helper/job_clang.h"
#include "rtc/helper/job_hiprtc.h"
#include "rtc/helper/job_nvrtc.h"
#include "rtc/helper/serve.h"
#include "rtc/helper/try_driver.h"
#include "rtc/job/trial.h"

#include <string.h>

int main(int argc, char **argv)
{
    static const struct qn__helper_compiler compilers[] = {{"nvrtc", qn__job_run_nvrtc},
                                                           {"hiprtc", qn__job_run_hiprtc},
                                                           {"hipcc", qn__job_run_clang},
                                                           {"clang", qn__job_run_clang}};
    static const struct qn__helper self = {"quern-rtc", "NVRTC, hipRTC and clang for AMD GPUs",
                                           compilers, sizeof compilers / sizeof compilers[0]};
    if (argc > 1 && strcmp(argv[1], QN__TRIAL_OF_DRIVER) == 0)
        return qn__try_driver(argc - 2, argv + 2);
    if (argc > 1 && strcmp(argv[1], QN__TRIAL_OF_BUILD) == 0)
        return qn__try_build(argc - 2, argv + 2);
    return qn__helper_main(argc, argv, &self);
}
