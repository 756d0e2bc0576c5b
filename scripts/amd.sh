#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# amd.sh FOLDER TEST...: run HIP tests without an AMD GPU, on an emulated one.
#
# The unchanged HIP backend loads a libamdhip64.so whose GPU is an emulator that executes real code
# objects. It is slow (about half a million wave-instructions a second) and knows nothing of races.
#   TINYGRAD   checkout of github.com/tinygrad/tinygrad, whose emulator executes the instructions
#   AMD_TOOLS  folder with hipemu.c, amdserve.py and mkbc.sh (default ../shared/tools/amd)
#   AMD_ARCHS  architectures to run (default "gfx1100 gfx1201 gfx942 gfx90a"): wave 32, 32, 64, 64
# Further needed: python3, clang-19, llvm-19, lld-19, rocm-device-libs. What is missing is a skip.
set -uo pipefail
folder=$1
shift
tools=${AMD_TOOLS:-../shared/tools/amd}
archs=${AMD_ARCHS:-gfx1100 gfx1201 gfx942 gfx90a}

skip() {
    echo "skip: HIP tests on an emulated AMD GPU: $1"
    exit 0
}
[ -f "$tools/hipemu.c" ] || skip "no hipemu.c in $tools (AMD_TOOLS names its folder)"
[ -d "${TINYGRAD:-}" ] || skip 'TINYGRAD names no checkout of github.com/tinygrad/tinygrad'
for program in python3 clang-19 llvm-as-19 llvm-objdump-19 lld-19; do
    command -v "$program" >/dev/null || skip "$program is not installed"
done
dpkg -s rocm-device-libs >/dev/null 2>&1 || dpkg -s rocm-device-libs-17 >/dev/null 2>&1 || skip 'rocm-device-libs is not installed'

mkdir -p "$folder/lib" "$folder/bin"
folder=$(cd "$folder" && pwd)
tools=$(cd "$tools" && pwd)
sh "$tools/mkbc.sh" "$folder/bitcode" || exit 1
"${CC:-cc}" -O2 -w -fPIC -shared -o "$folder/lib/libamdhip64.so" "$tools/hipemu.c" \
    -Wl,-soname,libamdhip64.so -ldl -lpthread || exit 1
# clang's link step wants `lld`, the emulator wants `clang`: both without a version
for program in clang lld; do
    ln -sf "$(command -v "$program-19")" "$folder/bin/$program"
done

export PATH=$PATH:$folder/bin LD_LIBRARY_PATH=$folder/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
unset CC # the emulator would take it for its own clang
export TINYGRAD CACHEDB=$folder/emulator.db AMD_TOOLS=$tools HIPEMU_SERVER=$PWD/scripts/amd_server.py
export HIPEMU_BITCODE=$folder/bitcode PYTHONDONTWRITEBYTECODE=1
export ASAN_OPTIONS=detect_leaks=0 # the emulator never frees its functions and graphs
export QUERN_BACKEND=hip QN_REQUIRE=hip QN_SHAPES=small
# hipRTC stays the installed one: the emulated library hands its calls on
real=$(ldconfig -p | awk '/libamdhip64\.so\.[0-9]+ / { print $NF; exit }')
[ -z "$real" ] || export HIPEMU_HIPRTC=$real
bad=0
for arch in $archs; do
    echo "==== $arch"
    tests=("$@")
    if [ "$arch" = gfx90a ]; then # no v_mac_f32 there, which integer division is made of
        echo "skip: check_selftest.sh on $arch: kernels that divide integers are not emulated"
        tests=()
        for test in "$@"; do [[ $test == *check_selftest.sh ]] || tests+=("$test"); done
    fi
    HIPEMU_ARCH=$arch bash scripts/run_tests.sh "${tests[@]}" || bad=1
done
exit $bad
