#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whatever little a process may do: files and descriptors that are limited, disks that are full or may only be
# read, a cache of another user, two containers with the same process numbers on one disk. The kernel comes out
# right, or the status says that it does not and a line says why.
# shellcheck disable=SC2317 # functions that others are given the names of
source "$(dirname "$0")/../shell.sh"
chmod 755 "$scratch"
echo 'extern "C" __global__ void k(int *p) { *p = N; }' >"$scratch/k.cu"
mkdir "$scratch/tmp"
export TMPDIR=$scratch/tmp QUERN_CACHE_DIR=$scratch/cache
# compile NUMBER [BEFORE...]: into $scratch/o-NUMBER, run by the words in front of it
compile() {
    local number=$1
    shift
    run "$@" "$QUERN" compile "$scratch/k.cu" "-DN=$((1000000 + number))" -t opencl:portable --raw -o "$scratch/o-$number"
}
is_right() { grep -q "= $((1000000 + $1));" "$scratch/o-$1/k.opencl_portable.cl" 2>/dev/null; }
right() { # NAME NUMBER
    exits "$1" 0
    holds "$1: the kernel is right" is_right "$2"
}
right_or_said() { # NAME NUMBER: of a limit under which either may be
    if [ "$status" = 0 ]; then
        holds "$1: the kernel is right" is_right "$2"
    else
        [ "$status" = 1 ] && [ -s "$err" ]
        verdict "$1: a failure that is said" $? "$(details)"
    fi
    compile "$((9000 + $2))"
    right "$1, afterwards" "$((9000 + $2))"
}
run "$QUERN" --version
if ! grep -q 'translator *quern-translate' "$out"; then
    echo 'skip: limits: the translator finds no clang'
    exit 0
fi

# ---- rlimits ----
limited() { # ULIMIT'S WORDS -- COMMAND...
    local words=()
    while [ "$1" != -- ]; do
        words+=("$1")
        shift
    done
    shift
    (ulimit "${words[@]}" && exec "$@")
}
{
    cat "$scratch/k.cu"
    for i in $(seq 60); do echo "extern \"C\" __global__ void k$i(float *p) { p[threadIdx.x] += $i; }"; done
} >"$scratch/large.cu"
run limited -f 1 -- "$QUERN" compile "$scratch/large.cu" -DN=1 -t opencl:portable --raw -o "$scratch/large"
exits 'ulimit -f 1' 1
complains 'ulimit -f 1' 'File too large'
run limited -f 1 -- "$QUERN" model random -o "$scratch/m.gguf" --dim 32 --layers 1 --heads 2 --ffn 64 --vocab-size 300
exits 'a model under ulimit -f 1' 1
complains 'a model under ulimit -f 1' 'File too large'
holds 'no part of a model is left' test ! -e "$scratch/m.gguf"
for n in 4 6 8 10 12 16 20 24 32; do
    compile "$((100 + n))" limited -n "$n" --
    right_or_said "ulimit -n $n" "$((100 + n))"
done
if [ "$QN_CONFIG" = release ] || [ "$QN_CONFIG" = debug ]; then
    for kib in 12288 16384 32768 65536 131072; do
        compile "$((kib / 1024 + 200))" limited -v "$kib" --
        right_or_said "ulimit -v $kib" "$((kib / 1024 + 200))"
    done
else
    echo 'skip: limits of memory: a sanitizer does not live under one'
fi
compile 300 limited -s 256 --
right 'ulimit -s 256' 300
holds 'no temporary file is left' test -z "$(ls -A "$TMPDIR")"

# ---- disks ----
if unshare -Urm true 2>/dev/null; then
    # on_disk OPTIONS FOLDER COMMAND...: with a file system of its own there
    cat >"$scratch/on_disk" <<'SH'
mkdir -p "$2" && mount -t tmpfs -o "$1" none "$2" && shift 2 && exec "$@"
SH
    # read_only FOLDER COMMAND...: with that folder as it is, but not to be written
    cat >"$scratch/read_only" <<'SH'
mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"
SH
    for kib in 4 8 16 64; do
        compile "$((400 + kib))" unshare -Urm bash "$scratch/on_disk" "size=${kib}k,mode=700" "$scratch/small"  env QUERN_CACHE_DIR="$scratch/small"
        right "a cache on a disk of $kib KiB" "$((400 + kib))"
        compile "$((500 + kib))" unshare -Urm bash "$scratch/on_disk" "size=${kib}k,mode=700" "$TMPDIR"
        right_or_said "a TMPDIR of $kib KiB" "$((500 + kib))"
    done
    compile 600
    right 'a compile' 600
    rm -r "$scratch/o-600"
    compile 600 unshare -Urm bash "$scratch/read_only" "$scratch/cache"
    right 'a cache that may only be read' 600
    says 'a cache that may only be read' 'from the disk cache'
    compile 601 unshare -Urm bash "$scratch/read_only" "$scratch/cache"
    right 'a miss in a cache that may only be read' 601
    complains 'a miss in a cache that may only be read' 'Read-only file system'
    compile 602 unshare -Urm bash "$scratch/read_only" "$TMPDIR"
    right 'a TMPDIR that may only be read' 602
    complains 'a TMPDIR that may only be read' 'TMPDIR'
    mkdir "$scratch/o-603"
    compile 603 unshare -Urm bash "$scratch/read_only" "$scratch/o-603"
    exits 'an output that may only be written elsewhere' 1
    complains 'an output that may only be written elsewhere' 'Read-only file system'
else
    echo 'skip: full disks and disks that may only be read: no user namespaces here'
fi

# ---- the same process numbers twice ----
if unshare -Urpf --mount-proc true 2>/dev/null; then
    cat >"$scratch/container" <<'SH'
for i in 1 2 3 4; do
    n=$((1000000 + $1 * 10 + i))
    "$QUERN" compile "$2/k.cu" "-DN=$n" -t opencl:portable --raw -o "$2/c-$n" || exit 1
    grep -q "= $n;" "$2/c-$n/k.opencl_portable.cl" || exit 2
done
SH
    both() {
        unshare -Urpf --mount-proc bash "$scratch/container" 70 "$scratch" &
        unshare -Urpf --mount-proc bash "$scratch/container" 71 "$scratch" &
        wait %1 && wait %2
    }
    holds 'two containers with one TMPDIR and one cache' both
    holds 'two containers leave no temporary file' test -z "$(ls -A "$TMPDIR")"
else
    echo 'skip: the same process numbers twice: no namespaces of processes here'
fi

# ---- another user ----
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && setpriv --reuid=12345 --regid=12345 --clear-groups test -x "$QUERN"; then
    before=$(find "$scratch/cache" -type f -exec sha256sum {} + | sort)
    mkdir -m 1777 "$scratch/all" "$scratch/o-800" "$scratch/o-801"
    chmod 755 "$scratch/cache"
    as_other=(setpriv --reuid=12345 --regid=12345 --clear-groups env TMPDIR="$scratch/all")
    compile 800 "${as_other[@]}"
    right 'the cache of another user' 800
    complains 'the cache of another user' "$scratch/cache"
    compile 801 "${as_other[@]}" QUERN_CACHE_DIR="$scratch/all/cache"
    right 'a user beside another one' 801
    holds 'the cache of another user is as it was' test "$before" = "$(find "$scratch/cache" -type f -exec sha256sum {} + | sort)"
    holds 'no temporary file of theirs is left' test "$(ls -A "$scratch/all")" = cache
else
    echo 'skip: the cache of another user: needs root, setpriv, and a program that others may run'
fi
finish
