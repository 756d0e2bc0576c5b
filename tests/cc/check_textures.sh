#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Arrays and textures in programs that quern cc builds, on cpu:0 and where there is one on an OpenCL device.
source "$(dirname "$0")/../shell.sh"
if [ "${QN_CONFIG:-release}" != release ]; then
    echo "skip: programs are linked with config=release, this is $QN_CONFIG"
    exit 0
fi
here=tests/cc
cc() { run "$QUERN" cc -I "$here" "$@"; }
devices=cpu:0
"$QUERN" devices 2>/dev/null | grep -q '^ *opencl:0' && devices="$devices opencl:0"
devices=${QN_DEVICES:-$devices} # "cuda:0" on a machine that has one
echo "on $devices"
for program in textures texture_references; do
    cc "$here/$program.cu" -o "$scratch/$program"
    exits "$program.cu" 0
    silent "$program.cu"
    for device in $devices; do
        case $program-$device in texture_references-cuda*) continue ;; esac # NVRTC knows none
        QUERN_DEVICE=$device run "$scratch/$program"
        exits "$program on $device" 0
        says "$program on $device" PASS
    done
done
# ---- under HIP's names ----
sed 's/cuda\([A-Z]\)/hip\1/g' "$here/check.h" >"$scratch/check.h"
{
    echo '#include <hip/hip_runtime.h>'
    sed 's/cuda\([A-Z]\)/hip\1/g; s/make_cuda/make_hip/g' "$here/textures.cu"
} >"$scratch/textures.hip"
run "$QUERN" cc --dialect hip "$scratch/textures.hip" -o "$scratch/textures_hip"
exits 'the same under names of HIP' 0
QUERN_DEVICE=${devices%% *} run "$scratch/textures_hip"
says 'the same under names of HIP' PASS

cat >"$scratch/plain.cpp" <<'END'
#include <cuda_runtime.h>
int main()
{
    const cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
    cudaArray_t a;
    return cudaMallocArray(&a, &d, 4, 4) != cudaSuccess || cudaFreeArray(a) != cudaSuccess;
}
END
cc "$scratch/plain.cpp" -o "$scratch/plain"
exits 'a file without kernels' 0
silent 'a file without kernels'
QUERN_DEVICE=${devices%% *} run "$scratch/plain"
exits 'a file without kernels runs' 0
finish
