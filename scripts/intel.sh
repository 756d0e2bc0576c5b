#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# intel.sh FOLDER TEST...: run tests on Intel's OpenCL runtime for CPUs, a second driver for any x86-64.
#
# It comes from PyPI, about 200 MB, into a virtual environment in FOLDER, which stays there for the next
# time. It brings every library that it needs (TBB, hwloc), finds them beside itself, and runs on AMD's
# processors, too; nothing of it is installed on the machine. The tests see this driver and no other,
# because OCL_ICD_VENDORS names a folder with its .icd file alone. QUERN is the program that tells.
# Where it cannot be had, that is one skip with its reason.
set -uo pipefail
folder=$1
shift
# in cl.cfg of the first stands the TBB that it was built with
packages='intel-opencl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0 tbb==2023.2.0'

skip() {
    echo "skip: Intel's OpenCL runtime for CPUs: $1"
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
}

# What is there is complete and of these versions where `installed` says so, which is written last.
install() {
    local log=$folder/pip.log
    rm -rf "$folder"
    mkdir -p "$folder"
    python3 -m venv "$folder" >"$log" 2>&1 || skip "no virtual environment: $(tail -n 1 "$log")"
    # shellcheck disable=SC2086 # a list of words
    "$folder/bin/pip" -q install $packages >"$log" 2>&1 ||
        skip "not from PyPI: $(grep -m 1 ERROR "$log" || tail -n 1 "$log")"
    mkdir "$folder/vendors"
    echo "$PWD/$folder/lib/libintelocl.so" >"$folder/vendors/intel.icd"
    echo "$PWD $packages" >"$folder/installed"
}

[ "$(uname -sm)" = 'Linux x86_64' ] || skip "made for Linux on x86-64, not $(uname -sm)"
command -v python3 >/dev/null || skip 'python3 is not installed'
[ "$(cat "$folder/installed" 2>/dev/null)" = "$PWD $packages" ] || install

export OCL_ICD_VENDORS=$PWD/$folder/vendors QUERN_BACKEND=opencl QN_REQUIRE=opencl
unset QUERN_DEVICE
found=$("$QUERN" devices)
if ! grep -q 'compiled as opencl:intelcpu' <<<"$found" || grep -q '^opencl:1' <<<"$found"; then
    printf "%s\nFAILED: Intel's driver is installed, and the devices are not its one\n" "$found"
    printf '0 passed, 1 failed, 0 skipped\n'
    exit 1
fi
grep '  driver' <<<"$found"
bash scripts/run_tests.sh "$@"
