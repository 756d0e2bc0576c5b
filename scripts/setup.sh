#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# setup.sh [run|test|ci]: install what is missing to build Quern and do the named job.
#
# Looks for each program, library and driver by its files (no package manager is asked when all is
# there, so this costs a few milliseconds), prints the Debian packages that would supply what is
# missing, and installs them with apt, through sudo where the user is not root. Nothing of CUDA or
# ROCm is needed; the job "ci" adds the AMD compilers that Debian has, NVRTC and the developers'
# tools.
set -eu
job=${1:-run}
packages=''

need() { packages="$packages $*"; } # PACKAGE...
has() { command -v "$1" >/dev/null 2>&1; }
any_file() { # FILE...: is one of them there? (patterns expand before the call)
    for f in "$@"; do
        [ -e "$f" ] && return 0
    done
    return 1
}

# The translator needs the program clang and LLVM's C library of the same version. $v: the version
# in their names, empty where these have none.
has_llvm() {
    for v in 19 20 18; do
        has "clang-$v" && has "llvm-config-$v" && any_file "/usr/lib/llvm-$v/include/llvm-c/Core.h" && return 0
    done
    v=''
    has clang && has llvm-config || return 1
    case $(llvm-config --version) in
    18.* | 19.* | 20.*) any_file "$(llvm-config --includedir)/llvm-c/Core.h" ;;
    *) return 1 ;;
    esac
}

# NVRTC compiles without a GPU. Where CUDA is not installed, NVIDIA's packages of PyPI have it and
# its headers, in a virtual environment of its own (VIRTUAL_ENV names it, docs/environment.md). It is no condition:
# without a network its tests are skipped and say so.
nvrtc_from_pypi() {
    [ "$job" = ci ] || return 0
    any_file "${CUDA_PATH:-/usr/local/cuda}"/lib64/libnvrtc.so.1* /usr/lib/*/libnvrtc.so.1* \
        /usr/lib64/libnvrtc.so.1* build/nvrtc/lib/*/site-packages/nvidia/*/lib/libnvrtc.so.1* && return 0
    echo 'Quern: NVRTC comes from PyPI, into build/nvrtc'
    { python3 -m venv build/nvrtc && build/nvrtc/bin/pip -q install nvidia-cuda-nvrtc==13.5.37 \
        nvidia-cuda-runtime==13.5.37; } || {
        rm -rf build/nvrtc
        echo 'Quern: no NVRTC from PyPI; the tests that need it will be skipped'
    }
}

has gcc || need gcc libc6-dev
has make || need make
[ "$job" = run ] || { has msgfmt && has xgettext; } || need gettext # without it messages are English
if has pkg-config; then
    pkg-config --exists libsodium || need libsodium-dev
    pkg-config --exists libxxhash || need libxxhash-dev
    pkg-config --exists libzstd || need libzstd-dev
    pkg-config --exists jansson || need libjansson-dev
    pkg-config --exists libpcre2-8 || need libpcre2-dev
    [ "$job" = run ] || pkg-config --exists check || need check
else
    need pkg-config libsodium-dev libxxhash-dev libzstd-dev libjansson-dev libpcre2-dev
    [ "$job" = run ] || need check
fi
if ! has_llvm; then
    need LLVM
elif [ "$job" = ci ]; then
    has "lld${v:+-$v}" || need "lld${v:+-$v}"
fi
if [ "$job" != run ]; then
    has g++ || need g++
    any_file /usr/lib/*/libOpenCL.so.1 /usr/lib/libOpenCL.so.1 /usr/lib64/libOpenCL.so.1 || need ocl-icd-libopencl1
    any_file /etc/OpenCL/vendors/pocl*.icd || need pocl-opencl-icd # an OpenCL device that every machine can have
fi
if [ "$job" = ci ]; then
    has git || need git
    has clang-format-19 || need clang-format-19 # the one that the tree is formatted with
    has shellcheck || need shellcheck
    has gdb || need gdb # kernels under a debugger and under clang's sanitizers
    any_file /usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.asan-*.a || need libclang-rt-19-dev
    any_file /usr/include/CL/cl.h || need opencl-headers
    any_file /usr/include/mpfr.h || need libmpfr-dev
    any_file /usr/lib/*/libamdhip64.so.5 /opt/rocm/lib/libamdhip64.so || need libamdhip64-dev
    any_file /usr/lib/*/libamd_comgr.so.2 /opt/rocm/lib/libamd_comgr.so || need libamd-comgr-dev
    any_file /usr/lib/*/amdgcn/bitcode/ocml.bc /usr/lib/*/*/amdgcn/bitcode/ocml.bc \
        /opt/rocm/amdgcn/bitcode/ocml.bc /usr/lib/clang/*/amdgcn/bitcode/ocml.bc \
        /usr/lib/llvm-*/lib/clang/*/amdgcn/bitcode/ocml.bc \
        /usr/lib/llvm-*/lib/clang/*/lib/amdgcn/bitcode/ocml.bc || need DEVICE_LIBS
    has oclgrind || need oclgrind
    has qemu-aarch64 || need qemu-user # kernels for another kind of processor
    any_file /usr/aarch64-linux-gnu/lib/Scrt1.o || need libc6-dev-arm64-cross
    has man || need man-db
    has zsh || need zsh
    has bindfs || need bindfs
    has nginx || any_file /usr/sbin/nginx || need nginx-light
    python3 -c 'import ensurepip' 2>/dev/null || need python3-venv
    any_file /usr/lib/*/libcurl.so.4 /usr/lib/*/libcurl-gnutls.so.4 || need libcurl4
fi
if [ -z "$packages" ]; then
    nvrtc_from_pypi
    exit 0
fi

if ! has apt-get; then
    names=$(printf '%s' "$packages" | sed 's/LLVM/clang-19 llvm-19-dev/; s/DEVICE_LIBS/rocm-device-libs/')
    echo "Quern: something is missing. On Debian and Ubuntu it would be:$names" >&2
    echo '(clang and the LLVM development files: of one version, 18 to 20.) On other systems:' >&2
    echo '  Fedora: sudo dnf install gcc gcc-c++ make pkgconf clang llvm-devel libsodium-devel xxhash-devel libzstd-devel jansson-devel pcre2-devel ocl-icd pocl check-devel' >&2
    echo '  Arch:   sudo pacman -S gcc make pkgconf clang llvm libsodium xxhash zstd jansson pcre2 ocl-icd pocl check' >&2
    echo '  macOS and Windows are not supported: Quern needs Linux (a virtual machine or WSL 2 will do).' >&2
    exit 1
fi
sudo=''
[ "$(id -u)" = 0 ] || sudo=sudo
apt_knows() { apt-cache show "$1" >/dev/null 2>&1; }
if ! apt_knows libsodium-dev && { [ -z "$sudo" ] || has sudo; }; then $sudo apt-get -q update; fi
# Without lists of packages the names are those of Debian 12.
first_known() { # NAME...
    apt_knows libsodium-dev || { echo "$1" && return 0; }
    for name in "$@"; do
        if apt_knows "$name"; then
            echo "$name"
            return 0
        fi
    done
}
case $packages in
*LLVM*)
    v=$(first_known llvm-19-dev llvm-20-dev llvm-18-dev)
    v=${v#llvm-} v=${v%-dev}
    if [ -z "$v" ]; then
        echo 'Quern: apt has neither clang-19, clang-20 nor clang-18; Debian 12 and Ubuntu 24.04 do.' >&2
        echo 'On an older system add https://apt.llvm.org and try again.' >&2
        exit 1
    fi
    llvm="clang-$v llvm-$v-dev"
    [ "$job" != ci ] || llvm="$llvm lld-$v" # clang links for AMD by the lld of its version
    packages=$(printf '%s' "$packages" | sed "s/LLVM/$llvm/")
    ;;
esac
case $packages in
*DEVICE_LIBS*) # AMD's; Ubuntu 24.04 has them by LLVM's version
    libs=$(first_known rocm-device-libs rocm-device-libs-19 rocm-device-libs-18 rocm-device-libs-17)
    packages=$(printf '%s' "$packages" | sed "s/DEVICE_LIBS/${libs:-rocm-device-libs}/")
    ;;
esac
if [ -n "$sudo" ] && ! has sudo; then
    echo "Quern: please run as root, then try again: apt-get install$packages" >&2
    exit 1
fi
echo 'Quern needs these packages, which apt will install now:'
for p in $packages; do echo "  $p"; done
# shellcheck disable=SC2086 # a list of words
DEBIAN_FRONTEND=noninteractive $sudo apt-get -q -y install --no-install-recommends $packages || {
    echo 'Quern: apt could not install them (are the lists old? try: apt-get update)' >&2
    exit 1
}
nvrtc_from_pypi
