#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# quern run offers the self-test when a device's driver is another one than it was.
#
# covers: tools/driver_note
source "$(dirname "$0")/../shell.sh"
export XDG_STATE_HOME=$scratch/state QUERN_DEVICE=opencl
note=$XDG_STATE_HOME/quern/drivers
stories=models/quern-stories-q8_0.gguf
"$QUERN" devices --no-probe --json >"$scratch/devices"
if ! grep -q '"id": "opencl:' "$scratch/devices"; then
    echo 'skip: no OpenCL device'
    finish
fi
# PoCL's threads end while LeakSanitizer looks at them, which ends it now and then
once() { ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 run timeout 200 "$QUERN" run "$stories" -p a -n 1; }
said() { grep -c 'quern selftest -d opencl:' "$err"; }

once
exits 'the first time' 0
holds 'the first time: nothing is said' test "$(said)" = 0
holds 'the driver is noted' grep -qP '^[^\t]+\t.+$' "$note"
once
holds 'the same driver: nothing is said' test "$(said)" = 0
cp "$note" "$scratch/right"
printf 'Another card\t7\n' >>"$note"
sed -i '1s/\t.*/\told driver 1.2/' "$note"
once
exits 'another driver' 0
complains 'another driver' 'is another one: '
complains 'another driver: which it was, and what to do' 'before: old driver 1.2. `quern selftest -d opencl:'
holds 'it is noted, and other lines stay' diff <(sort "$note") <({ cat "$scratch/right"; printf 'Another card\t7\n'; } | sort)
once
holds 'it is said once' test "$(said)" = 0
rm -r "$XDG_STATE_HOME"
touch "$XDG_STATE_HOME"
once
exits 'no folder for it' 0
holds 'no folder for it: nothing is said' test "$(said)" = 0
finish
