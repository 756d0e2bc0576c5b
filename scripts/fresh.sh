#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fresh.sh: prove that the README's two commands are all it takes. Makes a minimal Debian 12 with
# debootstrap (plus git and make, which one needs to clone and to type the commands), clones the
# committed tree into it, and runs `make run`, `make run` again and `make test` there.
#
# Needs root, debootstrap and a Debian mirror: MIRROR=, else the one apt uses here, else
# deb.debian.org. The bare system is kept as build/debian12.tar for the next time.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(id -u)" != 0 ]; then
    echo 'skip: check-fresh needs root (chroot); try: sudo make check-fresh'
    exit 0
fi
if ! command -v debootstrap >/dev/null; then
    echo 'skip: check-fresh needs debootstrap (apt-get install debootstrap)'
    exit 0
fi
mirror=${MIRROR:-$(sed -n 's/^URIs: *\(http[^ ]*\/debian\)\/* *$/\1/p; s/^deb .*\(http[^ ]*\/debian\)\/* .*/\1/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -1 || true)}
mirror=${mirror:-http://deb.debian.org/debian}

work=$(mktemp -d "${TMPDIR:-/tmp}/quern-fresh-XXXXXX")
root=$work/root
clean_up() {
    for place in dev/pts dev sys proc; do
        if mountpoint -q "$root/$place"; then umount "$root/$place" || umount -l "$root/$place"; fi
    done
    # never remove what is under a mount that is still there
    if ! grep -q " $root/" /proc/mounts; then rm -rf "$work"; fi
}
trap clean_up EXIT
trap 'exit 1' INT TERM

mkdir -p "$root" build
if [ ! -s build/debian12.tar ]; then
    echo "fresh: making a minimal Debian 12 from $mirror"
    debootstrap --variant=minbase --include=ca-certificates,git,make bookworm "$root" "$mirror" >"$work/log" 2>&1 || {
        tail -20 "$work/log" >&2
        exit 1
    }
    tar -C "$root" -cf build/debian12.tar.new . && mv build/debian12.tar.new build/debian12.tar
else
    tar -C "$root" -xf build/debian12.tar
fi
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount --bind /dev "$root/dev"
if [ -d /dev/pts ]; then mount --bind /dev/pts "$root/dev/pts"; fi
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
git clone -q --no-hardlinks . "$root/root/quern"

inside() { # COMMAND: in the clone, with nothing of this machine's environment
    chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
        http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" sh -c "cd /root/quern && $1"
}
for command in 'make run' 'make run' 'make test'; do
    echo "fresh: $command"
    inside "$command" 2>&1 | tee "$work/output"
done
echo "fresh: $(tail -1 "$work/output")"
