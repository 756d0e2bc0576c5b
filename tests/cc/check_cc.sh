#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# quern cc: whole programs, built and run on cpu:0, and where there is one on an OpenCL device; its command line.
source "$(dirname "$0")/../shell.sh"
if [ "${QN_CONFIG:-release}" != release ]; then
    echo "skip: programs are linked with config=release, this is $QN_CONFIG"
    exit 0
fi
here=tests/cc
cc() { run "$QUERN" cc -I "$here" "$@"; }
passes() { # NAME PROGRAM: its own checks
    run "$scratch/$2"
    exits "$1" 0
    says "$1" PASS
}
devices=cpu:0
QUERN_DEVICE=opencl "$QUERN" selftest --list >/dev/null 2>&1
"$QUERN" devices 2>/dev/null | grep -q '^ *opencl:0' && devices="$devices opencl:0"
echo "on $devices"

# ---- programs ----
cc "$here/memory.cu" -o "$scratch/memory"
exits 'memory.cu' 0
silent 'memory.cu'
cc "$here/managed.cu" -o "$scratch/managed"
exits 'managed.cu' 0
cc -O2 "$here/queues.cu" -o "$scratch/queues"
exits 'queues.cu' 0
cc "$here/units_main.cu" "$here/units_other.cu" "$here/units_host.cpp" "$here/units_plain.c" -o "$scratch/units"
exits 'several files' 0
silent 'several files'
cc "$here/host_types.cu" -o "$scratch/host_types"
exits 'host_types.cu' 0
silent 'host_types.cu'
cc -rdc=true "$here/relocatable_main.cu" "$here/relocatable_other.cu" -o "$scratch/relocatable"
exits '-rdc=true' 0
cc "$here/hip_program.hip" -o "$scratch/hip_program" --dialect hip
exits '--dialect hip' 0
cc "$here/instances.cu" -o "$scratch/instances"
exits 'instances.cu' 0
for device in $devices; do
    export QUERN_DEVICE=$device
    for program in instances memory managed queues units host_types relocatable hip_program; do
        passes "$program on $device" $program
    done
done
export QUERN_DEVICE=cpu:0
cc "$here/fault.cu" -o "$scratch/fault"
passes 'a fault stays until the reset' fault
complains 'a fault says where' 'stray'

# ---- the second start compiles nothing ----
export QUERN_CACHE_MODE=must-hit
passes 'a second start' memory
unset QUERN_CACHE_MODE

# ---- objects, archives, shared libraries ----
for f in main other; do
    cc -c "$here/units_$f.cu" -o "$scratch/units_$f.o"
    exits "-c units_$f.cu" 0
done
cc -c "$here/units_host.cpp" -o "$scratch/units_host.o"
cc -c "$here/units_plain.c" -o "$scratch/units_plain.o"
ar rc "$scratch/libunits.a" "$scratch/units_other.o" "$scratch/units_host.o" "$scratch/units_plain.o"
cc "$scratch/units_main.o" -L "$scratch" -lunits -lcudart -o "$scratch/from_archive"
exits 'a library of kernels' 0
passes 'a library of kernels' from_archive
cc -shared "$here/units_other.cu" "$here/units_host.cpp" "$here/units_plain.c" -o "$scratch/libshared_units.so"
exits '-shared' 0
cc "$here/units_main.cu" -L"$scratch" -lshared_units -Xlinker -rpath -Xlinker "$scratch" -o "$scratch/from_shared"
exits 'a shared library of kernels' 0
passes 'a shared library of kernels' from_shared
cc -cudart static "$here/units_main.cu" "$here/units_other.cu" "$here/units_host.cpp" "$here/units_plain.c" -o "$scratch/whole"
exits '-cudart static' 0
passes '-cudart static' whole
holds '-cudart static needs no library of ours' bash -c "! ldd '$scratch/whole' | grep -q quern"

# ---- finished images ----
cc --target cpu:native "$here/queues.cu" -o "$scratch/finished"
exits '--target' 0
QUERN_CACHE_MODE=off QUERN_TRANSLATE=/nonexistent/quern-translate run "$scratch/finished"
exits 'a finished image needs no compiler' 0
says 'a finished image needs no compiler' PASS

# ---- CUDA's own compiler, which takes no host code ----
if "$QUERN" --version | grep -q '^  nvrtc .*not found'; then
    echo 'skip: NVRTC is not here'
else
    for f in memory queues units_main units_other fault; do
        cc -c --target cuda:sm_80 "$here/$f.cu" -o "$scratch/by_nvrtc.o"
        exits "NVRTC compiles $f.cu" 0
        silent "NVRTC compiles $f.cu"
    done
    cc -c --target cuda:sm_80 "$here/instances.cu" -o "$scratch/instances.o"
    exits 'instances of templates' 0
    for symbol in _Z3runI3setEvT_Pi _ZN3app4fillIfLNS_4modeE1EEEvPT_NS_3boxIS2_Li4EEEi _Z5quietPi; do
        holds "NVRTC makes $symbol" grep -qaF ".text.$symbol" "$scratch/instances.o"
    done
    cat >"$scratch/block_cub.cu" <<'END'
#include <cstdint>
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
template <int N> __global__ void sum(const float *x, float *y, uint64_t n)
{
    using blocks = cub::BlockReduce<float, N>;
    __shared__ typename blocks::TempStorage storage;
    const float s = blocks(storage).Sum(threadIdx.x < n ? x[threadIdx.x] : 0);
    if (threadIdx.x == 0)
        *y = s;
}
int main() { sum<128><<<1, 128>>>(nullptr, nullptr, 0); }
END
    cc -c -w --target cuda:sm_80 "$scratch/block_cub.cu" -o "$scratch/block_cub.o"
    if grep -q 'cannot open source file "cub' "$scratch/err" "$scratch/out" 2>/dev/null; then
        echo "skip: CUB's headers are not here"
    else
        exits 'CUB in kernels, through NVRTC' 0
        holds 'NVRTC makes sum<128>' grep -qaF '.text._Z3sumILi128EEvPKfPfm' "$scratch/block_cub.o"
    fi
    cat >"$scratch/unmarked.cu" <<'END'
#include <vector>
float helper(float x) { return x; }
__global__ void k(float *p) { *p = helper(1); }
int main() { std::vector<int> v; }
END
    run "$QUERN" compile -t cuda:sm_80 "$scratch/unmarked.cu"
    exits 'a kernel that needs host code' 1
    complains 'a kernel that needs host code' 'unmarked.cu:3:36: error: identifier "helper" is undefined'
    complains 'a kernel that needs host code' '2 declarations of the host are left out'
fi

if "$QUERN" --version | grep -q '^  hiprtc .*not found'; then
    echo 'skip: hipRTC is not here'
else
    for f in instances memory queues; do
        cc -c --target hip:gfx90a "$here/$f.cu" -o "$scratch/by_hiprtc.o"
        exits "hipRTC compiles $f.cu" 0
    done
fi

# ---- nvcc's place ----
ln -s "$QUERN" "$scratch/nvcc"
printf -- '-arch=sm_80 -I %s\n-o "%s/from_file"' "$here" "$scratch" >"$scratch/words.rsp"
run "$scratch/nvcc" @"$scratch/words.rsp" -gencode arch=compute_80,code=sm_80 --expt-relaxed-constexpr \
    --extended-lambda -Xcompiler -Wall,-fno-strict-aliasing -lineinfo -O3 -std=c++17 "$here/memory.cu" -lcuda -lcudart_static
exits 'nvcc' 0
complains 'nvcc: what means nothing is said' 'no meaning here have -arch=sm_80 -gencode -lineinfo'
passes 'nvcc with a response file' from_file
run "$scratch/nvcc" --version
says 'nvcc --version' 'release 12.4'
ln -s "$QUERN" "$scratch/hipcc"
run "$scratch/hipcc" --offload-arch=gfx90a "$here/hip_program.hip" -o "$scratch/by_hipcc"
exits 'hipcc' 0
passes 'hipcc' by_hipcc
cc -E "$here/units_other.cu"
says '-E' 'units_start'
cc -c -MD -MF "$scratch/units.d" "$here/units_other.cu" -o "$scratch/other.o"
holds '-MD lists the headers' grep -q 'tests/cc/units.h' "$scratch/units.d"
cc --dryrun "$here/memory.cu" -o "$scratch/nothing"
exits '--dryrun' 0
holds '--dryrun writes nothing' test ! -e "$scratch/nothing"

# ---- what is not so ----
cat >"$scratch/unserved.cu" <<'END'
#include <cuda_runtime.h>
int main() { void *p = 0; cudaIpcMemHandle_t h; return cudaIpcGetMemHandle(&h, p); }
END
cc "$scratch/unserved.cu" -o "$scratch/unserved"
exits 'a call that is not served' 1
complains 'a call that is not served' "cudaIpcGetMemHandle is not served by Quern's runtime"
cat >"$scratch/wrong.cu" <<'END'
__global__ void k(int *p) { *p = undefined_name; }
int main() { return 0; }
END
cc "$scratch/wrong.cu" -o "$scratch/wrong"
exits 'a mistake in a kernel' 1
complains 'a mistake in a kernel' 'wrong.cu:1:34: error: use of undeclared identifier'
cat >"$scratch/refused.cu" <<'END'
#include <cstdio>
__global__ void good(int *p) { *p = 1; }
__global__ void bad(int *p) { asm volatile("nosuch.instruction;"); *p = 2; }
int main()
{
    int *p;
    cudaMalloc(&p, 4);
    good<<<1, 1>>>(p);
    printf("good: %s\n", cudaGetErrorName(cudaGetLastError()));
    bad<<<1, 1>>>(p);
    printf("bad: %s\n", cudaGetErrorName(cudaGetLastError()));
}
END
cc "$scratch/refused.cu" -o "$scratch/refused"
exits 'a kernel that is refused' 0
run "$scratch/refused"
says 'the others run' 'good: cudaSuccess'
says 'the refused one is an error' 'bad: cudaErrorInvalidDeviceFunction'
complains 'with the reason' 'refused.cu:3'
cc --check "$scratch/refused.cu"
exits '--check' 1
says '--check finds it' 'refused.cu:3'
cc --check "$here/memory.cu"
exits '--check of a good program' 0
says '--check of a good program' '3 kernels for cpu:'
cc --check "$scratch/unserved.cu"
exits '--check of what is not served' 1
cc --check --json "$here/memory.cu"
exits '--check --json' 0
holds '--check --json' python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert r["host"] and r["not_served"] == [], r
(k,) = r["kernels"]
assert k["ok"] and k["target"].startswith("cpu:") and len(k["kernels"]) == 3 and k["message"] is None, k' "$out"
cc --check --json "$scratch/unserved.cu"
exits '--check --json of what is not served' 1
holds '--check --json names it' python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert not r["host"] and r["not_served"] == ["cudaIpcGetMemHandle"], r' "$out"
cc --json "$here/memory.cu"
exits '--json alone' 2
echo 'int main() { return 0; }' >"$scratch/plain.cu"
cc --check "$scratch/plain.cu"
exits '--check of a file without kernels' 0
says '--check of a file without kernels' '0 kernels for cpu:'
cc "$here/memory.cu" --frobnicate
exits 'an unknown option' 2
complains 'an unknown option' '--frobnicate: no such option'
cc
exits 'no files' 2
cc "$scratch/nothing.cu" -o "$scratch/x"
exits 'no such file' 1
cc README.md
exits 'no source' 2
cc -c "$here/memory.cu" "$here/queues.cu" -o "$scratch/x.o"
exits '-c -o with two files' 2
cat >"$scratch/list.cu" <<'END'
#include <cstdio>
int main()
{
    int n = 0;
    cudaError_t e = cudaGetDeviceCount(&n);
    printf("%d devices, %s\n", n, cudaGetErrorName(e));
    for (int i = 0; i < n; i++)
        printf("%d: %s\n", i, cudaGetErrorName(cudaSetDevice(i)));
}
END
cc "$scratch/list.cu" -o "$scratch/list"
QUERN_DEVICE=cpu:0,cpu:0 run "$scratch/list"
says 'a list of devices' '2 devices, cudaSuccess'
says 'a list of devices' '1: cudaSuccess'
QUERN_DEVICE=cpu:0,cpu:7 run "$scratch/list"
says 'the second of a list is not there' '0: cudaSuccess'
complains 'the second of a list is not there' 'cpu:7'
QUERN_DEVICE=, run "$scratch/list"
says 'a list of none' '0 devices, cudaErrorNoDevice'
echo 'device = cpu:0,cpu:0,cpu:0' >"$scratch/config"
(unset QUERN_DEVICE QUERN_BACKEND && QUERN_CONFIG=$scratch/config "$scratch/list") >"$scratch/listed"
holds 'a list in a configuration file' grep -q '^3 devices, cudaSuccess' "$scratch/listed"
QUERN_CONFIG=$scratch/config QUERN_DEVICE=cpu:0 run "$scratch/list"
says 'the variable replaces the line' '1 devices, cudaSuccess'
QUERN_DEVICE=cpu:7 run "$scratch/memory"
exits 'a device that is not there' 1
complains 'a device that is not there' 'cpu:7'
finish
