#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The driver API and NVRTC in programs that quern cc builds, on cpu:0 and where there is one on an OpenCL device.
source "$(dirname "$0")/../shell.sh"
if [ "${QN_CONFIG:-release}" != release ]; then
    echo "skip: programs are linked with config=release, this is $QN_CONFIG"
    exit 0
fi
here=tests/cc
cc() { run "$QUERN" cc -I "$here" "$@"; }
passes() { # NAME PROGRAM WORD...: its own checks
    run "$scratch/$2" "${@:3}"
    exits "$1" 0
    says "$1" PASS
}
devices=cpu:0
"$QUERN" devices 2>/dev/null | grep -q '^ *opencl:0' && devices="$devices opencl:0"
devices=${QN_DEVICES:-$devices} # "cuda:0" on a machine that has one
echo "on $devices"

# ---- what nvcc writes for cuModuleLoad() ----
cc -fatbin "$here/driver_kernels.cu" -o "$scratch/k.fatbin"
exits '-fatbin' 0
silent '-fatbin'
(cd "$scratch" && ln -s "$OLDPWD/$here/driver_kernels.cu" .) # the name where -o does not say it
root=$PWD
cd "$scratch" || exit 1
run "$QUERN" cc -ptx driver_kernels.cu
cd "$root" || exit 1
exits '-ptx' 0
holds '-ptx names its file' test -s "$scratch/driver_kernels.ptx"
echo '__global__ void k(int *p) { *p = undefined_name; }' >"$scratch/wrong.cu"
cc -cubin "$scratch/wrong.cu" -o "$scratch/wrong.cubin"
exits 'a mistake in a kernel' 1
complains 'a mistake in a kernel' 'wrong.cu:1:34: error: use of undeclared identifier'
holds 'a mistake writes no file' test ! -e "$scratch/wrong.cubin"
cc -fatbin "$here/driver.cpp" -o "$scratch/x"
exits '-fatbin of a file without kernels' 1

# ---- programs ----
cc "$here/driver.cpp" -o "$scratch/driver" -lcuda
exits 'driver.cpp' 0
silent 'driver.cpp'
cc "$here/nvrtc.cpp" -o "$scratch/nvrtc" -lnvrtc -lcuda
exits 'nvrtc.cpp' 0
silent 'nvrtc.cpp'
cc -x cu "$here/nvrtc.cpp" -o "$scratch/nvrtc_by_clang" -lnvrtc -lcuda
exits 'nvrtc.cpp as a file with kernels' 0
cc "$here/driver_plain.c" -o "$scratch/plain" -lnvrtc -lcuda
exits 'driver_plain.c' 0
silent 'driver_plain.c'
cc "$here/hip_module.cpp" -o "$scratch/hip_module" --dialect hip -lhiprtc
exits 'hip_module.cpp' 0
cc "$here/hip_module.cpp" -o "$scratch/hip_plain" -lhiprtc
exits 'hip_module.cpp by the compiler of files without kernels' 0
for device in $devices; do
    export QUERN_DEVICE=$device
    cuda=
    case $device in cuda*) cuda=cuda ;; esac
    passes "driver on $device" driver "$scratch/k.fatbin" $cuda
    [ -z "$cuda" ] && complains "PTX on $device" "PTX means nothing to $device"
    for program in nvrtc nvrtc_by_clang; do
        passes "$program on $device" $program "$scratch"
    done
    for program in plain hip_module hip_plain; do
        passes "$program on $device" $program
    done
    holds "PTX of NVRTC's calls on $device is text" grep -q '^// A program of Quern' "$scratch/image.ptx"
done

# ---- what one device's program has compiled another device loads ----
export QUERN_DEVICE=cpu:0
passes 'an image that was made for another device' nvrtc x "$scratch/image.ptx"

# ---- the second start compiles nothing ----
export QUERN_CACHE_MODE=must-hit
passes 'a second start' plain
finish
