#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# quern config and the files it shows: who wins, what is refused, who reads them.
source "$(dirname "$0")/../shell.sh"
unset QUERN_CONFIG QUERN_CACHE_DIR QUERN_DEVICE QUERN_BACKEND
export XDG_CONFIG_HOME=$scratch/user HOME=$scratch/home XDG_CACHE_HOME=$scratch/cache
own=$XDG_CONFIG_HOME/quern/config
mkdir -p "$XDG_CONFIG_HOME/quern" "$HOME/.config/quern"

run "$QUERN" config
exits 'no file' 0
says 'no file' "file (not there)         $own"
cat >"$own" <<'END'
# a comment
cache-dir = ~/kernels
cache-max-bytes = 1G

QUERN_THREADS = 2
remote = http://user:pass@127.0.0.1:1/x
END
run "$QUERN" config
exits 'a good file' 0
silent 'a good file'
says 'the file is named' "file                     $own"
matches 'a value and its line' "^cache-max-bytes +1G +\($own:3\)$"
says 'the home folder is meant' "$HOME/kernels"
holds 'no password is shown' test -z "$(grep pass "$out")"
run "$QUERN" cache path
says 'a command goes by the file' "$HOME/kernels"
run env QUERN_CACHE_DIR="$scratch/other" "$QUERN" cache path
says 'a variable wins over the file' "$scratch/other"
run env QUERN_CACHE_DIR="$scratch/other" "$QUERN" config
matches 'and is shown as the source' "^cache-dir +$scratch/other +\(environment\)$"
run "$QUERN" cache gc --max-bytes 500M --json
exits 'an option wins over both' 0
run "$QUERN" config cache-max-bytes
says 'one value' 1G
holds 'one value is alone' test "$(wc -l <"$out")" = 1
run "$QUERN" config watchdog
exits 'one that is not set' 1
run "$QUERN" config cache-drr
exits 'one that there is not' 2
complains 'one that there is not' "did you mean 'cache-dir'?"
run "$QUERN" config --json
holds 'as JSON' python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); k = {r["key"]: r for r in d["keys"]}; assert k["threads"]["value"] == "2" and k["threads"]["from"].endswith("config:5") and k["watchdog"]["value"] is None and k["watchdog"]["from"] == "default" and not d["errors"] and d["files"][1]["read"]' "$out"
run "$QUERN" config --all
matches 'all keys' '^watchdog +- +\(default\)$'
says 'what a key means' 'seconds a call may wait for a kernel'
run env NO_COLOR=1 "$QUERN" config
holds 'no escape sequences' test -z "$(tr -dc '\033' <"$out")"
run "$QUERN" devices --no-probe
says 'devices shows what a file says' "QUERN_THREADS=2 ($own:5)"
printf '__global__ void k(int *p) { *p = 1; }\n' >"$scratch/k.cu"
echo 'cache-dir = ~/kernels' >"$own"
run "$QUERN" compile "$scratch/k.cu" -t opencl:portable -o "$scratch/made"
exits 'a compile goes by the file' 0
holds 'what it made is there' test -n "$(find "$HOME/kernels/images" -type f)"

# ---- which file ----
echo 'threads = 7' >"$HOME/.config/quern/config"
run env -u XDG_CONFIG_HOME "$QUERN" config threads
says 'without XDG_CONFIG_HOME it is ~/.config' 7
run env XDG_CONFIG_HOME=relative "$QUERN" config threads
says 'a relative XDG_CONFIG_HOME does not count' 7
run env QUERN_CONFIG=none "$QUERN" config
says 'no file is wanted' 'QUERN_CONFIG=none'
printf 'threads = 4\n' >"$scratch/named"
run env QUERN_CONFIG="$scratch/named" "$QUERN" config threads
says 'a named file' 4
run env QUERN_CONFIG="$scratch/nowhere" "$QUERN" config
exits 'a named file that is not there' 1
complains 'a named file that is not there' "$scratch/nowhere: No such file or directory"

# ---- what is refused ----
printf 'cache-dri = x\nthreads = many\nnonsense\ndevice = cpu\n' >"$own"
run "$QUERN" config
exits 'a bad file' 1
complains 'an unknown key' "$own:1: 'cache-dri' is no key; did you mean 'cache-dir'?"
complains 'a value that it cannot have' "$own:2: QUERN_THREADS='many': expected a number from 1 to 1024"
complains 'no key = value' "$own:3: 'nonsense': expected"
matches 'the rest counts' '^device +cpu '
run "$QUERN" compile "$scratch/k.cu" -t opencl:portable -o "$scratch/made"
exits 'other commands go on' 0
complains 'other commands warn' "warning: $own:1: 'cache-dri' is no key"
holds 'once' test "$(grep -c "cache-dri" "$err")" = 1
run env QUERN_LOG=quiet "$QUERN" compile "$scratch/k.cu" -t opencl:portable -o "$scratch/made"
silent 'QUERN_LOG=quiet'
chmod 666 "$own"
run "$QUERN" config
complains 'a file that others may write' "$own: left out, because others may write it"
run "$QUERN" config device
exits 'it does not count' 1
finish
