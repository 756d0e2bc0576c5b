#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Where kernels are from, and what may be signed: from outside, with entries made here, of an older version, and of a
# server that signs nothing.
# covers: rtc/cache/origin tools/cmd_bundle tools/cmd_cache tools/cmd_why
source "$(dirname "$0")/../shell.sh"
export QUERN_CACHE_DIR=$scratch/cache
unset QUERN_BUNDLE_KEYS QUERN_REMOTE SOURCE_DATE_EPOCH
printf 'extern "C" __global__ void k(int *p) { *p = N; }\n' >"$scratch/k.cu"
printf '{"version": 1, "kernels": [{"file": "k.cu", "defines": ["N=123", "PASS=hunter2"], "targets": ["opencl:portable"]}]}' \
    >"$scratch/k.json"
source_words=("$scratch/k.cu" -DN=123 -DPASS=hunter2 -t opencl:portable)
run "$QUERN" bundle keygen -o "$scratch/secret"
public=$(cat "$out")
# shellcheck disable=SC2317 # called through holds
hides() { test -e "$1" && ! grep -q hunter2 "$@"; }

# ---- made here ----
run "$QUERN" compile "${source_words[@]}" -o "$scratch/images"
exits 'compile' 0
run "$QUERN" cache ls
says 'cache ls of what was made here' '; made here'
run "$QUERN" cache ls --json
says 'cache ls --json of what was made here' '"origin": "here"'
says 'cache ls --json of what was made here' '"verified": true'
run "$QUERN" why "${source_words[@]}"
says 'why of what was made here' 'origin    made here'
says 'why shows values at home' 'option: -DPASS=hunter2'
holds 'an image that is a file has no values of macros' hides "$scratch"/images/*.qni
run "$QUERN" bundle create -o "$scratch/app.qnb" --from-cache --key "$scratch/secret" --name app --serial 7
says 'bundle create --name --serial' "app.qnb: 1 entries"
says 'bundle create --name --serial' "'app' number 7, signed by $public"
silent 'bundle create of what was made here'
run "$QUERN" bundle extract "$scratch/app.qnb" -o "$scratch/extracted"
holds 'nor has one from a bundle' hides "$scratch"/extracted/*.qni
run env QUERN_CACHE_MODE=must-hit QUERN_CACHE_DIR="$scratch/none" QUERN_BUNDLE="$scratch/app.qnb" "$QUERN" compile \
    "${source_words[@]}" -o "$scratch/o"
says 'a bundle serves without values' 'from the bundle'
run env QUERN_CACHE_DIR="$scratch/none" QUERN_BUNDLE="$scratch/app.qnb" "$QUERN" why "${source_words[@]}"
says 'why of a bundle' "origin    bundle $scratch/app.qnb, signed by $public"
run env QUERN_CACHE_MODE=must-hit QUERN_CACHE_DIR="$scratch/none" QUERN_BUNDLE="$scratch/app.qnb" "$QUERN" compile \
    "$scratch/k.cu" -DN=123 -DPASS=hunter3 -t opencl:portable -o "$scratch/o"
complains 'a miss names the macro that differs' 'option: -DPASS=digest:'
complains 'and no other' 'option: -DPASS=hunter3 here'

# ---- older bundles ----
# shellcheck disable=SC2317 # called through run
use() { env QUERN_BUNDLE_KEYS="$public" QUERN_CACHE_MODE=must-hit QUERN_CACHE_DIR="$scratch/user" QUERN_BUNDLE="$1" \
    "$QUERN" compile "${source_words[@]}" -o "$scratch/o"; }
run use "$scratch/app.qnb"
exits 'a signed bundle' 0
cp "$scratch/app.qnb" "$scratch/older.qnb"
run "$QUERN" bundle sign "$scratch/older.qnb" --key "$scratch/secret" --name app --serial 6
run use "$scratch/older.qnb"
exits 'an older bundle' 1
complains 'an older bundle' "its serial number is 6, and a newer 'app' of that signer was seen, number 7"
run env QUERN_BUNDLE_KEYS="$public" QUERN_CACHE_DIR="$scratch/user" "$QUERN" bundle verify "$scratch/older.qnb"
exits 'verify of an older bundle' 1
run use "$scratch/app.qnb"
exits 'the newer one still' 0
run env SOURCE_DATE_EPOCH=1000 "$QUERN" bundle sign "$scratch/older.qnb" --key "$scratch/secret"
says 'name and number where none are given' "'older.qnb' number 1000, signed by $public"
run "$QUERN" bundle create -o "$scratch/x.qnb" --from-cache --serial 6
exits 'a number without a key' 2
run env QUERN_BUNDLE_KEYS="$public@2020-01-01" "$QUERN" bundle verify "$scratch/app.qnb"
exits 'a key whose time is over' 1
complains 'a key whose time is over' 'is over'

# ---- of an older version, whose entries do not say ----
run "$QUERN" cache ls --json
key=$(sed -n 's/.*"key": "\([0-9a-f]*\)".*/\1/p' "$out" | head -1)
mkdir -p "$scratch/old/images/${key:0:2}"
chmod -R go= "$scratch/old"
cp "$scratch"/images/*.qni "$scratch/old/images/${key:0:2}/$key"
chmod 600 "$scratch/old/images/${key:0:2}/$key"
run env QUERN_CACHE_DIR="$scratch/old" "$QUERN" compile "${source_words[@]}" -o "$scratch/o"
says 'an entry of an older version' 'from the disk cache'
run env QUERN_CACHE_DIR="$scratch/old" "$QUERN" cache ls
says 'cache ls of an older one' '; not known'
run env QUERN_CACHE_DIR="$scratch/old" "$QUERN" bundle create -o "$scratch/x.qnb" --from-cache --key "$scratch/secret"
exits 'what is not known is not signed' 1
complains 'what is not known is not signed' '1 entries are left out'
holds 'and no bundle is written' test ! -e "$scratch/x.qnb"

# ---- from a server ----
if ! command -v python3 >/dev/null; then
    echo 'skip: entries of a server: python3 is not installed'
    finish
fi
mkdir "$scratch/server"
cp "$scratch"/images/*.qni "$scratch/server/$key"
PYTHONUNBUFFERED=1 python3 -m http.server --bind 127.0.0.1 --directory "$scratch/server" 0 >"$scratch/port" 2>/dev/null &
server=$!
trap 'kill $server; rm -rf "$scratch"' EXIT
for _ in $(seq 200); do
    port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$scratch/port")
    [ -n "$port" ] && break
    sleep 0.05
done
export QUERN_REMOTE=http://reader:hunter2@127.0.0.1:$port QUERN_REMOTE_TIMEOUT=20
export QUERN_CACHE_DIR=$scratch/reader
run "$QUERN" compile "${source_words[@]}" -o "$scratch/o"
says 'an entry of a server' 'from the remote cache'
run "$QUERN" cache ls
says 'cache ls of it' "; server http://127.0.0.1:$port, not signed"
run "$QUERN" why "${source_words[@]}"
says 'why of it' "origin    server http://127.0.0.1:$port, not signed"
run "$QUERN" bundle create -o "$scratch/x.qnb" --from-cache --key "$scratch/secret"
exits 'what a server gave is not signed' 1
complains 'what a server gave is not signed' '1 entries are left out'
run "$QUERN" prewarm "$scratch/k.json" -o "$scratch/unsigned.qnb"
complains 'an unsigned bundle takes what is there' '1 images: 0 compiled, 1 were there'
run "$QUERN" prewarm "$scratch/k.json" -o "$scratch/x.qnb" --key "$scratch/secret"
exits 'prewarm --key' 0
complains 'prewarm --key compiles it here' '1 images came from elsewhere'
complains 'prewarm --key compiles it here' '1 images: 1 compiled'
run "$QUERN" prewarm "$scratch/k.json" -o "$scratch/x.qnb" --key "$scratch/secret"
complains 'and believes its own signature' '1 images: 0 compiled, 1 were there'
run env QUERN_BUNDLE_KEYS="$public" QUERN_CACHE_DIR="$scratch/careful" "$QUERN" compile "${source_words[@]}" -o "$scratch/o"
exits 'with trusted keys the server is not believed' 0
says 'with trusted keys the server is not believed' ' ms -> '
complains 'with trusted keys the server is not believed' 'not signed, and QUERN_BUNDLE_KEYS asks for another signer'
run env QUERN_REMOTE_LOGIN=reader:hunter2 QUERN_REMOTE_PUT_LOGIN=writer:hunter2 "$QUERN" devices
holds 'devices shows no login' hides "$out"
says 'devices shows that there is one' 'QUERN_REMOTE_LOGIN=(not shown)'
run env QUERN_REMOTE_LOGIN=reader:hunter2 "$QUERN" devices --json
holds 'nor with --json' hides "$out"
finish
