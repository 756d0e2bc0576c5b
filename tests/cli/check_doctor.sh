#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every finding of doctor/findings.def, in a machine that is made for it: a tree of files with libraries built here
# that are missing, wrong, crash or lie. At the end no id may be left that no case has shown.
#
# covers: doctor/advice doctor/amd_facts doctor/amd_findings doctor/cuda_version_findings doctor/examine doctor/facts
#     doctor/findings doctor/machine_findings doctor/node_facts doctor/nvidia_facts doctor/nvidia_findings
#     doctor/opencl_facts doctor/opencl_findings doctor/place_facts doctor/probe_library doctor/probe_process
#     doctor/quern_facts doctor/quern_findings doctor/root doctor/secrets doctor/selftest doctor/show
#     doctor/system_facts
source "$(dirname "$0")/../shell.sh"
for v in $(env | sed -nE 's/^((QUERN|CUDA|NVIDIA|HIP|HSA|ROCR|ROCM|AMD|POCL|OCL|OPENCL|GPU)_[A-Z_0-9]*)=.*/\1/p'); do
    case $v in QUERN_RTC | QUERN_TRANSLATE | QUERN_CACHE_DIR) ;; *) unset "$v" ;; esac
done
unset LD_PRELOAD LD_LIBRARY_PATH VIRTUAL_ENV
export TMPDIR=/tmp
tree=$scratch/tree shown=$scratch/shown skipped=$scratch/skipped
: >"$shown"
: >"$skipped"
lib=/usr/lib/x86_64-linux-gnu

put() { # FILE [TEXT]
    mkdir -p "$(dirname "$tree$1")"
    printf '%s\n' "${2-}" >"$tree$1"
}
library() { # FILE: from C on stdin
    mkdir -p "$(dirname "$tree$1")"
    ${CC:-cc} -w -shared -fPIC -o "$tree$1" -x c -
}
machine() { # a plain one without GPUs
    case=$1
    rm -rf "$tree"
    put /etc/os-release "$(printf 'PRETTY_NAME="Test Linux"\nID=debian')"
    put /proc/version 'Linux version 6.1'
    put /proc/sys/kernel/osrelease 6.1.0
    put /proc/meminfo "$(printf 'MemTotal: 16000000 kB\nMemAvailable: 12000000 kB')"
    put /sys/devices/system/cpu/present 0-7
    put /proc/self/status "$(printf 'Name: x\nCpus_allowed_list:\t0-7')"
    put /proc/mounts "$(printf '/dev/a / ext4 rw 0 0\ntmpfs /dev/shm tmpfs rw,size=8000000k 0 0')"
    mkdir -p "$tree/tmp" "$tree/dev/shm" "$tree$HOME"
}
card() { # MAKER [DRIVER [SLOT]]
    local folder=/sys/bus/pci/devices/${3:-0000:01:00.0}
    put "$folder/class" 0x030000
    put "$folder/vendor" "$1"
    if [ -n "${2-}" ]; then ln -s "../../../bus/pci/drivers/$2" "$tree$folder/driver"; fi
}
nvidia() { # a working driver 580.65.06: [C that differs]
    card 0x10de nvidia
    put /proc/driver/nvidia/version 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Mon'
    put /dev/nvidiactl
    put /dev/nvidia-uvm
    put /dev/nvidia0
    put /dev/dri/renderD128
    cuda "$@"
    nvml ''
    nvrtc
}
cuda() { # [MACRO=VALUE]...
    local d=()
    for m in "$@"; do d+=("-D$m"); done
    mkdir -p "$tree$lib"
    rm -f "$tree$lib"/libcuda.so*
    ${CC:-cc} -w -shared -fPIC -DVERSION=13000 -DINIT=0 -DCOUNT=1 -DMAJOR=9 -DMINOR=0 "${d[@]}" -o "$tree$lib/libcuda.so.580.65.06" -x c - <<'C'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef ABORT
__attribute__((constructor)) void begin(void) { static const char t[] = "out of luck\n"; write(2, t, sizeof t - 1); abort(); }
#endif
int cuInit(unsigned f) {
#ifdef HANG
    for (;;) pause();
#endif
    return INIT;
}
int cuDriverGetVersion(int *v) { *v = VERSION; return 0; }
int cuDeviceGetCount(int *n) { *n = COUNT; return 0; }
int cuDeviceGetName(char *p, int n, int d) { strcpy(p, "Card"); return 0; }
int cuDeviceGetAttribute(int *v, int a, int d) { *v = a == 75 ? MAJOR : a == 76 ? MINOR : 0; return 0; }
C
    ln -s libcuda.so.580.65.06 "$tree$lib/libcuda.so.1"
}
nvml() { # C that differs: each of its functions takes the place of the plain one
    local name text='int x;'
    for name in nvmlInit_v2 nvmlDeviceGetMigMode nvmlDeviceGetComputeMode nvmlDeviceGetPowerManagementLimit \
        nvmlDeviceGetCurrentClocksThrottleReasons nvmlDeviceGetUtilizationRates nvmlDeviceGetMemoryInfo \
        nvmlDeviceGetCurrPcieLinkWidth; do
        case $1 in *"$name("*) ;; *) text="$text int $name() { return NOT_SUPPORTED; }" ;; esac
    done
    text=${text/nvmlInit_v2() { return NOT_SUPPORTED/nvmlInit_v2() { return 0}
    library $lib/libnvidia-ml.so.1 <<C
#include <string.h>
enum { NOT_SUPPORTED = 3 };
$1
$text
int nvmlDeviceGetCount_v2(unsigned *n) { *n = 1; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **h) { *h = &x; return 0; }
int nvmlSystemGetDriverVersion(char *p, unsigned n) { strcpy(p, "580.65.06"); return 0; }
int nvmlDeviceGetPowerManagementDefaultLimit(void *h, unsigned *v) { *v = 700000; return 0; }
int nvmlDeviceGetMaxPcieLinkWidth(void *h, unsigned *v) { *v = 16; return 0; }
C
}
nvrtc() { # [MAJOR [MINOR [LOWEST HIGHEST]]]
    local folder=/usr/local/cuda/lib64
    rm -rf "${tree:?}$folder"
    library "$folder/libnvrtc.so.${1:-13}" <<C
int nvrtcVersion(int *a, int *b) { *a = ${1:-13}; *b = ${2:-0}; return 0; }
int nvrtcGetNumSupportedArchs(int *n) { *n = 2; return 0; }
int nvrtcGetSupportedArchs(int *p) { p[0] = ${3:-75}; p[1] = ${4:-121}; return 0; }
C
    put $folder/libnvrtc-builtins.so.13.0
}
amd() { # GFX_TARGET_VERSION [ROCM]: a working ROCm
    card 0x1002 amdgpu
    put /dev/kfd
    put /dev/dri/renderD128
    put /sys/class/kfd/kfd/topology/nodes/0/properties 'gfx_target_version 0'
    put /sys/class/kfd/kfd/topology/nodes/1/properties "gfx_target_version $1"
    put /opt/rocm-"${2:-7.2.0}"/.info/version "${2:-7.2.0}"
    hip "${2:-7.2.0}" 1
}
hip() { # ROCM COUNT [MORE C]
    local folder=/opt/rocm-$1/lib major=${1%%.*}
    local minor=${1#*.}
    library "$folder/libamdhip64.so.$major" <<C
#include <stdlib.h>
#include <string.h>
int hipInit(unsigned f) { return 0; }
int hipRuntimeGetVersion(int *v) { *v = $major * 10000000 + ${minor%%.*} * 100000; return 0; }
int hipGetDeviceCount(int *n) { *n = $2; return $2 ? 0 : 100; }
int hipGetDevicePropertiesR0600(char *p, int d) { strcpy(p, "Card"); strcpy(p + 1160, "gfx1100"); return 0; }
${3-}
C
    echo 'int hiprtcCompileProgram(void) { return 0; }' | library "$folder/libhiprtc.so.$major"
    echo 'int x;' | library "$folder/libamd_comgr.so.3"
}
loader() { # PLATFORMS [C]
    library $lib/libOpenCL.so.1 <<C
#include <string.h>
int x;
int clGetPlatformIDs(unsigned n, void **p, unsigned *c) { if (!$1) return -1001; if (c) *c = $1; for (unsigned i = 0; p && i < n && i < $1; i++) p[i] = &x; return 0; }
int clGetPlatformInfo(void *o, unsigned w, size_t n, void *p, size_t *r) { strncpy(p, w == 0x0901 ? "${2:-OpenCL 3.0}" : "${3:-Some}", n); return 0; }
C
}
driver() { # NAME [C]: one with a platform, and its .icd file
    library $lib/lib"$1".so <<C
#include <stdio.h>
#include <stdlib.h>
#include <dlfcn.h>
int clIcdGetPlatformIDsKHR(unsigned n, void **p, unsigned *c) { if (c) *c = 1; return 0; }
${2-}
C
    put /etc/OpenCL/vendors/"$1".icd lib"$1".so
}

doctor() { run timeout 100 "${as[@]}" "$QUERN" doctor --root "$tree" --json; }
as=()
ids() { sed -nE 's/^ *"id": "([a-z0-9.-]+)",?$/\1/p' "$out"; }
finds() { # ID [PATTERN of what was seen]
    ids >>"$shown"
    holds "$case: finds $1" grep -qxF "$1" <(ids)
    [ $# = 1 ] || matches "$case: $1" "\"seen\": \".*$2"
}
finds_not() { holds "$case: does not find $1" test -z "$(ids | grep -xF "$1")"; }
quiet() { holds "$case: finds nothing ($(ids | tr '\n' ' '))" test -z "$(ids)"; }

# ---- machines with nothing wrong ----
machine 'a machine without a GPU'
doctor
exits "$case" 0
silent "$case"
quiet
machine 'a machine with NVIDIA'
nvidia
doctor
exits "$case" 0
quiet
machine 'a machine with AMD'
amd 110000
doctor
exits "$case" 0
quiet
machine 'a machine with OpenCL'
driver one
loader 1
doctor
exits "$case" 0
quiet

# ---- NVIDIA ----
machine 'no module'
card 0x10de
doctor
exits "$case" 1
finds nvidia-no-module
finds gpu-not-used 'NVIDIA at 0000:01:00.0'
machine nouveau
card 0x10de nouveau
doctor
finds nvidia-nouveau
finds_not nvidia-no-module
machine 'no libcuda'
nvidia
rm "$tree$lib"/libcuda*
doctor
finds nvidia-no-libcuda 580.65.06
machine 'an update without a reboot'
nvidia
put /proc/driver/nvidia/version 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  575.51.03  Mon'
doctor
exits "$case" 1
finds nvidia-version-mismatch '575.51.03, libcuda is 580.65.06'
machine 'the management library says so'
nvidia
nvml 'int nvmlInit_v2(void) { return 18; }'
doctor
finds nvidia-version-mismatch 'says so itself'
machine 'a driver older than the toolkit'
nvidia VERSION=12020
doctor
exits "$case" 1
finds cuda-driver-too-old 'for CUDA 12.2; NVRTC is 13.0 .*needs driver 580'
machine 'CUDA_VISIBLE_DEVICES with a typing error'
nvidia
as=(env "CUDA_VISIBLE_DEVICES=O,0")
doctor
finds cuda-devices-hidden '0 of 1 shown'
cuda INIT=100
as=(env CUDA_VISIBLE_DEVICES=)
doctor
exits "$case: it is a warning" 0
finds cuda-devices-hidden '0 of 1 cards shown'
finds_not cuda-init-fails
cuda
as=(env CUDA_VISIBLE_DEVICES=0)
doctor
quiet
as=()
machine 'no fabric manager'
nvidia INIT=802
put /dev/nvidia-nvswitch0
put /proc/1/comm init
doctor
exits "$case" 1
finds nvidia-fabric-manager '1 NVSwitches; CUDA answers 802; nv-fabricmanager does not run'
machine 'WSL with a Linux driver'
nvidia INIT=100
put /proc/version 'Linux version 5.15.153.1-microsoft-standard-WSL2'
put /dev/dxg
doctor
finds wsl-driver-shadowed $lib/libcuda.so.580.65.06
machine 'WSL without a driver'
put /proc/version 'Linux version 5.15.153.1-microsoft-standard-WSL2'
doctor
exits "$case: it is a note" 0
finds wsl-no-driver
machine 'a stub'
nvidia INIT=34
mkdir -p "$tree/usr/local/cuda/lib64/stubs"
mv "$tree$lib"/libcuda.so* "$tree/usr/local/cuda/lib64/stubs"
as=(env LD_LIBRARY_PATH=/usr/local/cuda/lib64/stubs)
doctor
exits "$case" 1
finds cuda-stub-in-use /usr/local/cuda/lib64/stubs/
as=()
machine 'NVRTC too old'
nvidia MAJOR=12
nvrtc 12 4 50 90
doctor
exits "$case" 1
finds nvrtc-too-old 'sm_120; NVRTC 12.4 .*up to sm_90'
machine 'NVRTC too new'
nvidia MAJOR=6
doctor
finds nvrtc-dropped-card 'sm_60; .*begins at sm_75'
machine 'no NVRTC'
nvidia
rm -r "$tree/usr/local/cuda"
doctor
finds nvrtc-missing
machine 'NVRTC without its builtins'
nvidia
rm "$tree"/usr/local/cuda/lib64/*builtins*
doctor
finds nvrtc-builtins-missing
machine 'an old cuBLAS'
nvidia MAJOR=12
put $lib/libcublas.so.12.3.4.1
doctor
finds cuda-library-without-this-gpu 'libcublas.so.12.3.4.1 is older than CUDA 12.8'
machine 'no nodes'
nvidia
rm "$tree/dev/nvidia-uvm"
doctor
exits "$case" 1
finds nvidia-device-nodes /dev/nvidia-uvm
machine 'a CUDA driver that refuses'
nvidia INIT=999
doctor
finds cuda-init-fails 'answers 999'
machine 'a CUDA driver that crashes'
nvidia ABORT
doctor
exits "$case" 1
finds driver-crashes '(signal 6 \(Aborted\)|ended with code [0-9]+) while .*libcuda.so.1 was loaded'
machine 'MIG'
nvidia
nvml 'int nvmlDeviceGetMigMode(void *h, unsigned *a, unsigned *b) { *a = *b = 1; return 0; }'
doctor
exits "$case: it is a note" 0
finds nvidia-mig
cuda COUNT=0
doctor
finds nvidia-mig-empty
machine 'MPS'
nvidia
as=(env CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=25)
doctor
finds nvidia-mig 'PERCENTAGE=25'
as=()
machine 'compute mode'
nvidia
nvml 'int nvmlDeviceGetComputeMode(void *h, unsigned *v) { *v = 2; return 0; }'
doctor
finds nvidia-compute-prohibited
machine 'power and heat'
nvidia
nvml 'int nvmlDeviceGetPowerManagementLimit(void *h, unsigned *v) { *v = 300000; return 0; } int nvmlDeviceGetCurrentClocksThrottleReasons(void *h, unsigned long long *v) { *v = 0x40; return 0; }'
doctor
exits "$case: warnings alone" 0
finds nvidia-power-cap '300 W of 700 W'
finds nvidia-throttled 'slowed by heat'
machine 'a busy, full, narrow card'
nvidia
nvml 'int nvmlDeviceGetUtilizationRates(void *h, unsigned *v) { v[0] = 97; return 0; } int nvmlDeviceGetMemoryInfo(void *h, unsigned long long *v) { v[0] = 1000ull << 20; v[1] = 10ull << 20; v[2] = 990ull << 20; return 0; } int nvmlDeviceGetCurrPcieLinkWidth(void *h, unsigned *v) { *v = 4; return 0; }'
doctor
finds gpu-busy '97 %'
finds gpu-memory-low '990 of 1000 MiB'
finds pcie-narrow '4 lanes of 16'
machine 'a container without the card'
nvidia
rm "$tree"/dev/nvidia*
put /.dockerenv
doctor
finds container-without-gpu docker

# ---- AMD ----
machine 'no amdgpu'
card 0x1002
doctor
exits "$case" 1
finds amd-no-module
machine 'a container without kfd'
amd 110000
rm "$tree/dev/kfd"
put /run/systemd/container lxc
doctor
exits "$case" 1
finds kfd-missing lxc
rm -r "$tree/dev/dri"
doctor
finds container-without-gpu lxc
machine 'kfd that refuses'
amd 110000
rm "$tree/dev/kfd"
mkdir "$tree/dev/kfd"
doctor
finds kfd-refuses 'Is a directory'
machine 'kfd without a GPU'
amd 110000
rm -r "$tree/sys/class/kfd/kfd/topology/nodes/1"
doctor
finds kfd-without-gpu
machine 'no ROCm'
amd 110000
rm -r "$tree/opt"
doctor
finds rocm-missing
machine 'ROCm too old for the card'
amd 110501 6.4.1
doctor
exits "$case" 1
finds rocm-too-old-for-gpu 'gfx1151, which needs ROCm 7.2; here is 6.4'
machine 'a limit that nobody confirmed'
amd 110003 5.4.3
doctor
finds rocm-too-old-for-gpu 'gfx1103, which needs ROCm 5.5; .*not confirmed'
machine 'rocBLAS without the card'
amd 100302
put /opt/rocm-7.2.0/lib/rocblas/library/TensileLibrary_gfx1030.dat
put /opt/rocm-7.2.0/lib/rocblas/library/TensileLibrary_gfx90a.dat
doctor
finds rocblas-without-this-gpu 'gfx1032; rocBLAS has code for 2'
machine 'HSA_OVERRIDE'
amd 110000
as=(env HSA_OVERRIDE_GFX_VERSION=10.3.0 ROCR_VISIBLE_DEVICES=1)
doctor
finds hsa-override 10.3.0
finds hip-devices-hidden 'ROCR_VISIBLE_DEVICES=1'
as=()
machine 'several runtimes'
amd 110000
hip 6.2.0 1
doctor
finds several-libamdhip64 'rocm-6.2.0.*rocm-7.2.0'
machine 'ROCm in /opt/rocm/core-7.12'
amd 110000 7.12.0
mkdir -p "$tree/opt/rocm"
mv "$tree/opt/rocm-7.12.0" "$tree/opt/rocm/core-7.12"
ln -s core-7.12 "$tree/opt/rocm/core"
doctor
exits "$case" 0
finds_not rocm-missing
finds_not several-libamdhip64
finds_not hiprtc-missing
says "$case" '"version": "7.12.0"'
says "$case" '/opt/rocm/core-7.12/lib/libamdhip64.so.7'
machine 'two ROCm in one'
amd 110000
hip 6.2.0 1
rm "$tree/opt/rocm-6.2.0/lib/libhiprtc.so.6"
doctor
finds rocm-mixed 'libamdhip64.so.6 and .*libhiprtc.so.7'
machine 'no hipRTC'
amd 110000
rm "$tree/opt/rocm-7.2.0/lib/libhiprtc.so.7"
doctor
exits "$case" 1
finds hiprtc-missing
machine 'no comgr'
amd 110000
rm "$tree/opt/rocm-7.2.0/lib/libamd_comgr.so.3"
doctor
finds hiprtc-missing libamd_comgr
machine 'ROCm 7.0'
amd 110000 7.0.1
doctor
finds hiprtc-7.0-fault 'ROCm 7.0.1'
machine 'ROCm 7.0.2'
amd 110000 7.0.2
doctor
quiet
machine 'clang without its lld'
amd 110000
put /usr/bin/clang-19
put /usr/bin/lld-18
doctor
finds lld-of-another-version 'clang 19, and the newest lld is 18'
machine 'HIP without a device'
amd 110000
hip 7.2.0 0
doctor
finds hip-init-fails 'hipGetDeviceCount answers 100'
machine 'a HIP runtime that crashes'
amd 110000
hip 7.2.0 1 '__attribute__((constructor)) void begin(void) { abort(); }'
doctor
finds driver-crashes libamdhip64

# ---- OpenCL ----
machine 'no loader'
driver one
doctor
finds opencl-no-loader '1 drivers'
machine 'no driver'
loader 0
doctor
exits "$case: it is a note" 0
finds opencl-no-driver
machine 'an .icd file that names nothing'
driver one
loader 1
put /etc/OpenCL/vendors/gone.icd libgone.so.1
doctor
exits "$case" 1
finds opencl-icd-names-nothing 'gone.icd names libgone.so.1'
machine 'drivers that are none'
loader 1
driver crash '__attribute__((constructor)) void begin(void) { abort(); }'
driver short
head -c 3000 "$tree$lib/libshort.so" >"$tree/short" && cp "$tree/short" "$tree$lib/libshort.so"
echo 'int x;' | library $lib/libplain.so
put /etc/OpenCL/vendors/plain.icd libplain.so
doctor
exits "$case" 1
finds opencl-driver-broken 'libcrash.so.*(Aborted|code)'
holds "$case: all three are named" test "$(ids | grep -c opencl-driver-broken)" = 3
machine "NVIDIA's library without a file"
driver nvidia-opencl
mv "$tree$lib/libnvidia-opencl.so" "$tree$lib/libnvidia-opencl.so.1"
rm "$tree/etc/OpenCL/vendors/nvidia-opencl.icd"
doctor
finds opencl-nvidia-icd-missing
machine 'two drivers that do not bear one another'
clash='__attribute__((constructor)) void begin(void) { if (getenv("OTHER_LLVM")) { fputs("Option fast registered more than once\n", stderr); abort(); } setenv("OTHER_LLVM", "1", 1); }'
driver one "$clash"
driver two "$clash"
loader 2
doctor
exits "$case" 1
finds opencl-llvm-clash 'registered more than once'
finds_not opencl-driver-broken
machine 'two LLVMs'
for n in 14 15; do
    echo "int llvm$n;" | library $lib/libLLVM-$n.so
    driver with$n
    ${CC:-cc} -w -shared -fPIC -o "$tree$lib/libwith$n.so" -Wl,--no-as-needed,-rpath,"$tree$lib" -L"$tree$lib" \
        -x c - -x none "$tree$lib/libLLVM-$n.so" <<<'int clIcdGetPlatformIDsKHR(unsigned n, void **p, unsigned *c) { if (c) *c = 1; return 0; }'
done
loader 2
doctor
exits "$case: it is a note" 0
finds opencl-two-llvms 'libLLVM-14.so and libLLVM-15.so'
machine 'OCL_ICD_VENDORS'
driver one
loader 1
as=(env OCL_ICD_VENDORS=/etc/OpenCL/none)
doctor
finds opencl-vendors-overridden '/etc/OpenCL/none \(0 drivers there'
as=()
machine 'a driver that the loader leaves out'
driver one
driver two
loader 1
doctor
finds opencl-driver-skipped '2 platforms, .* shows 1'
machine 'an old PoCL'
driver one
loader 1 'OpenCL 3.0 PoCL 3.1'
doctor
finds pocl-old

# ---- permissions: as somebody whom nothing is permitted ----
machine permissions
nvidia
rm -r "$tree/sys/bus"
amd 110000
chmod 000 "$tree/dev/kfd" "$tree/dev/nvidiactl" "$tree/dev/dri/renderD128"
put /etc/group 'render:x:0:'
chmod 555 "$tree/tmp"
if [ "$(id -u)" != 0 ] || setpriv --reuid=12345 --regid=12345 --clear-groups test -x "$QUERN" 2>/dev/null; then
    chmod 755 "$scratch"
    [ "$(id -u)" != 0 ] || as=(setpriv --reuid=12345 --regid=12345 --clear-groups)
    doctor
    exits "$case" 1
    finds kfd-permission 'Permission denied; its group is'
    finds nvidia-permission /dev/nvidiactl
    finds dri-permission /dev/dri/renderD128
    finds tmp-unusable 'may not write there'
    as=()
else
    echo 'skip: permissions: the program cannot be run by another user'
    printf '%s\n' kfd-permission nvidia-permission dri-permission >"$skipped"
fi

# ---- the machine ----
machine 'little of everything'
put /proc/meminfo "$(printf 'MemTotal: 16000000 kB\nMemAvailable: 400000 kB')"
put /sys/fs/cgroup/cpu.max '150000 100000'
put /proc/mounts "$(printf '/dev/a / ext4 rw 0 0\ntmpfs /dev/shm tmpfs rw,size=65536k 0 0\nserver:/x /net nfs4 rw 0 0')"
mkdir -p "$tree/net/cache"
chmod 775 "$tree/net/cache"
as=(env TMPDIR=/none QUERN_CACHE_DIR=/net/cache QUERN_CACHE_MAX_BYTES=9000000G QUERN_CACHE_MODE=off QUERN_BACKEND=cpu
    CUDA_LAUNCH_BLOCKING=1 AMD_LOG_LEVEL=0 POCL_DEBUG=all HSA_TOOLS_LIB=librocprofiler.so)
doctor
exits "$case" 1
finds memory-low '390 MiB'
finds processors-limited '2 of 8'
finds shm-small '64 MiB'
finds tmp-unusable '/none'
finds cache-on-network nfs4
finds cache-writable-by-others 0775
finds disk-full 'MiB free'
finds cache-off
finds backends-limited QUERN_BACKEND=cpu
finds debug-variables 'CUDA_LAUNCH_BLOCKING=1 .*POCL_DEBUG=all'
holds "$case: 0 turns a variable off" test -z "$(grep '"seen".*AMD_LOG_LEVEL' "$out")"
finds profiler-attached librocprofiler
as=(env -u QUERN_CACHE_DIR XDG_CACHE_HOME=cache)
doctor
finds cache-unusable 'XDG_CACHE_HOME is not an absolute path'
printf 'cache-mdoe = off\nbackend = cpu\n' >"$scratch/config"
as=(env QUERN_CONFIG="$scratch/config")
doctor
finds configuration-errors "config:1: 'cache-mdoe' is no key; did you mean 'cache-mode'"
finds backends-limited QUERN_BACKEND=cpu
as=()

# ---- facts of another machine ----
judge() { # JSON of facts
    printf '{"facts": %s}\n' "$1" >"$scratch/facts.json"
    run "$QUERN" doctor --from "$scratch/facts.json" --json
}
case='facts of another machine'
judge '{"quern": {"devices": [
 {"id": "opencl:0", "name": "Small", "class": "integrated", "pci": "0000:00:02.0", "abilities": {"fp16": "emulated"}},
 {"id": "cuda:0", "name": "Odd", "class": "cpu", "cannot_build": "no compiler", "computes_wrong": "fp64 is wrong on this device"}],
 "refusals": [{"backend": "hip", "what": "x", "reason": "crashed; left alone until its files change"}],
 "compilers": [{"name": "cpu", "found": false, "where": "clang 18 to 20 is not in PATH"},
  {"name": "nvrtc", "found": false, "where": "QUERN_RTC=/none: not an executable file"}]},
 "gpus": [{"slot": "0000:01:00.0", "maker": "nvidia", "driver": "nvidia"}],
 "selftest": {"device": "opencl:0", "bad": [{"kernel": "a", "shape": "n=1", "wrong": true, "message": "element 3"},
  {"kernel": "b", "shape": "n=1", "wrong": false, "message": "no"}]}}'
exits "$case" 1
finds integrated-gpu-used
finds device-cannot-build
finds device-computes-wrong
finds driver-crashes
finds clang-missing
finds helper-missing
finds half-precision-emulated
finds selftest-wrong 'a on opencl:0 \(n=1\): element 3'
finds selftest-failed
case='no device at all'
judge '{"quern": {"devices": [], "error": "QUERN_BACKEND=x: no such backend"}}'
finds no-device 'no such backend'
case='facts that are none'
echo '[1]' >"$scratch/facts.json"
run "$QUERN" doctor --from "$scratch/facts.json"
exits "$case" 1
complains "$case" 'no "facts" in it'
run "$QUERN" doctor --from "$scratch/facts.json" --root /
exits "$case: with a root" 2

# ---- what is printed ----
machine 'a report'
driver one
loader 1 'OpenCL 3.0' 'http://joe:pass@example.org GPU-01234567-89ab-cdef-0123-456789abcdef hf_abcdefghijklmnopqrst'
put /etc/OpenCL/vendors/gone.icd "/home/alice/lib/libgone.so"
rm -rf "$scratch/report"
run env HOME=/home/bob QUERN_REMOTE_LOGIN=joe:secret QUERN_BUNDLE_KEYS=aa USER=bob "$QUERN" doctor --root "$tree" --report "$scratch/report"
exits "$case" 1
says "$case" 'opencl-icd-names-nothing'
holds "$case: it is there" grep -qF '"platforms"' "$scratch/report"
for secret in joe alice /home/bob 456789abcdef abcdefghijkl secret "$(uname -n)"; do
    holds "$case: $secret is masked" test -z "$(cat "$out" "$scratch/report" | grep -wF -e "$secret")"
done
says "$case: of Debian alone" 'fix'
holds "$case: no command of others" test -z "$(grep -E 'dnf|zypper|pacman' "$out")"
case='names from memory'
judge '{"system": {"family": "fedora"}, "gpus": [{"slot": "0000:01:00.0", "maker": "nvidia", "driver": "nvidia"}],
 "nvidia": {"libcuda": {"count": 1, "cuda_version": 13000}}}'
finds nvrtc-missing
run "$QUERN" doctor --from "$scratch/facts.json"
matches "$case" '(names not confirmed)'
case='a report'
put /etc/os-release 'ID=plan9'
run "$QUERN" doctor --root "$tree"
holds "$case: an unknown distribution" grep -qF 'opencl' "$out"
for pair in ubuntu:apt fedora:dnf opensuse-leap:zypper arch:pacman rocky:dnf; do
    machine "fixes on ${pair%:*}"
    card 0x10de
    put /etc/os-release "ID=${pair%:*}$([ "${pair%:*}" = rocky ] && printf '\nID_LIKE="rhel fedora"')"
    run "$QUERN" doctor --root "$tree"
    matches "$case" "fix +sudo ${pair#*:} "
    holds "$case: from pages that were read" test -z "$(grep -F 'not confirmed' "$out")"
    holds "$case: no others" test "$(grep -cE 'apt install|dnf install|zypper install|pacman -S' "$out")" = 1
done

# ---- this machine ----
case='this machine'
run env HOME="$scratch" timeout 300 "$QUERN" doctor --json
holds "$case: it ends" test "$status" -le 1
says "$case: there is a processor" '"id": "cpu:0"'
matches "$case: a kernel ran" '"matrix": "(native|emulated)"'
case='settings for a model'
run env HOME="$scratch" timeout 300 "$QUERN" doctor --model models/quern-stories-q8_0.gguf -d cpu
says "$case" 'settings for models/quern-stories-q8_0.gguf on cpu:0'
says "$case" '--ctx 512'
run env HOME="$scratch" timeout 300 "$QUERN" doctor --model "$scratch/none.gguf" -d cpu
exits "$case: no such file" 1

# ---- nothing is left ----
case='every finding was shown'
sed -nE 's/^QN_FINDING\(\w+, "([a-z0-9.-]+)".*/\1/p' doctor/findings.def | sort >"$scratch/all"
comm -23 "$scratch/all" <(sort -u "$shown") >"$scratch/left"
comm -12 "$scratch/left" <(sort -u "$skipped") | sed 's/^/skip: not shown: /'
comm -23 "$scratch/left" <(sort -u "$skipped") >"$scratch/none"
cat "$scratch/none"
holds "$case" test ! -s "$scratch/none"
finish
