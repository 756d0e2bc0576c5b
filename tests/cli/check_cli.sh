#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The program from outside: what it prints where, its exit statuses, and each command once for good
# and once for bad.
source "$(dirname "$0")/../shell.sh"
commands='run chat tokenize embed perplexity model demo devices compile translate launch cc check selftest bench tune prewarm bundle cache config why doctor completion help'

# ---- words ----
run "$QUERN"
exits 'no command' 2
says 'no command' 'usage: quern COMMAND'
run "$QUERN" --help
exits '--help' 0
silent '--help'
for command in $commands; do
    says 'the overview lists every command' "  $command "
done
for command in $commands; do
    run "$QUERN" help "$command"
    exits "help $command" 0
    says "help $command" "usage: quern $command"
    cp "$out" "$scratch/help"
    run "$QUERN" "$command" --help
    holds "$command --help is the same page" cmp "$out" "$scratch/help"
    cp "$scratch/help" "$scratch/help.$command"
done
"$QUERN" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' >"$scratch/listed"
holds 'every command of the overview is tested here' test "$(paste -sd " " "$scratch/listed")" = "$commands"
run "$QUERN" compil
exits 'a near miss' 2
complains 'a near miss' "did you mean 'compile'?"
run "$QUERN" frobnicate
exits 'an unknown command' 2
complains 'an unknown command' "'frobnicate' is not a command"
run "$QUERN" --frobnicate
exits 'an unknown option of the program' 2
run "$QUERN" devices --jsno
exits 'an unknown option of a command' 2
complains 'an unknown option of a command' 'did you mean --json?'
run "$QUERN" --version
exits '--version' 0
says '--version' "quern $(sed -n 's/^VERSION := //p' Makefile)"
for compiler in nvrtc hiprtc clang translator; do
    matches '--version names every compiler, found or not' "^  $compiler "
done
if [ -w /dev/full ]; then
    run sh -c '"$0" --help >/dev/full' "$QUERN"
    exits 'output that is lost' 1
    complains 'output that is lost' 'standard output'
fi

# ---- what is printed from tables ----
run "$QUERN" help environment
for name in QUERN_DEVICE QUERN_CACHE_DIR CUDA_VISIBLE_DEVICES HSA_OVERRIDE_GFX_VERSION; do
    says 'the environment' "$name"
done
grep -rhoE 'getenv\("[A-Z_0-9a-z]+"|= \{"QUERN_[A-Z_]+"' base compiler runtime rtc kernels tools --include='*.c' --include='*.h' |
    sed 's/.*"\(.*\)".*/\1/' | sort -u >"$scratch/read"
while read -r name; do
    says 'every variable that is read is in base/environment.def' "  $name "
done <"$scratch/read"
run "$QUERN" help environment --markdown
holds 'docs/environment.md is up to date (make docs)' cmp "$out" docs/environment.md
for wrong in '--markdown' 'run --markdown' 'run --man'; do
    # shellcheck disable=SC2086 # two words
    run "$QUERN" help $wrong
    exits "help $wrong" 2
done
run "$QUERN" help --man
exits 'the man page' 0
silent 'the man page'
cp "$out" "$scratch/quern.1"
for command in $commands; do # its section, without what troff needs, has every line of its page
    sed 's/\\-/-/g; s/\\e/\\/g; s/^\.B //' "$scratch/quern.1" |
        awk -v name="$command" '/^\.S[SH]/ { on = $3 == name } on' | tr -s '\n ' '  ' >"$scratch/section"
    sed '/^examples:/,$d' "$scratch/help.$command" | grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+|\(default [0-9]+\)|\(may be$' |
        sed 's/^ *//' | sort -u >"$scratch/spelled"
    holds "the page about $command has options" test -s "$scratch/spelled"
    while read -r word; do
        holds "the man page about $command has $word" grep -qF -e "$word" "$scratch/section"
    done <"$scratch/spelled"
done
if command -v man >/dev/null; then
    LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$scratch/quern.1" >/dev/null 2>"$scratch/roff"
    holds 'the man page has no troff warnings' test ! -s "$scratch/roff"
else
    echo 'skip: man page warnings: no man program'
fi
run "$QUERN" completion bash
exits 'bash completion' 0
cp "$out" "$scratch/completion.bash"
complete_words() { # WORD...: what bash would offer for the last one
    bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _quern; echo "${COMPREPLY[@]}"' "$scratch/completion.bash" "$@"
}
holds 'bash completes commands' test "$(complete_words quern co)" = 'compile config completion'
holds 'bash completes options' test "$(complete_words quern compile --ve)" = '--verbose'
holds 'bash completes choices' test "$(complete_words quern compile --compiler hi)" = 'hiprtc hipcc'
holds 'bash completes operands' test "$(complete_words quern cache '')" = 'path ls stat zero verify gc clear'
holds 'bash completes files after the word that says what' test "$(cd "$scratch" && complete_words quern cache ls help.r)" = 'help.run'
holds 'bash completes topics' test "$(complete_words quern help env)" = 'environment'
run "$QUERN" completion zsh
exits 'zsh completion' 0
if command -v zsh >/dev/null; then
    cp "$out" "$scratch/_quern"
    holds 'zsh reads its completion' zsh -n "$scratch/_quern"
else
    echo 'skip: zsh completion: no zsh'
fi
run "$QUERN" completion fish
exits 'fish completion' 0
says 'fish completion' "-n '__fish_seen_subcommand_from cache' -f -a 'path ls stat zero verify gc clear'"
says 'fish completion: options' "-n '__fish_seen_subcommand_from doctor' -l selftest -f -d "
if command -v fish >/dev/null; then
    cp "$out" "$scratch/quern.fish"
    holds 'fish reads its completion' fish --no-execute "$scratch/quern.fish"
else
    echo 'skip: fish completion: no fish'
fi
run "$QUERN" completion tcsh
exits 'completion for an unknown shell' 2
run "$QUERN" cache sta
exits 'half an inner word' 2
complains 'half an inner word' "did you mean 'stat'?"
run "$QUERN" cache verfy
complains 'a typing error in an inner word' "did you mean 'verify'?"
misspelt() { # NAME MEANT COMMAND...: what was meant is named
    local name=$1 meant=$2
    shift 2
    run env "$@"
    complains "$name" "did you mean '$meant'?"
}
misspelt 'a device' opencl "$QUERN" demo -d opnecl:0
misspelt 'a list of backends' cuda QUERN_BACKEND=cdua "$QUERN" devices
misspelt 'a target' opencl "$QUERN" compile examples/vector_add.cu -t opencll:portable
launch=(launch examples/vector_add.cu vector_add -a)
misspelt 'a direction' inout "$QUERN" "${launch[@]}" inuot:f32:4
misspelt 'a type' f32 "$QUERN" "${launch[@]}" in:f23:4
misspelt 'a type of a value' f64 "$QUERN" "${launch[@]}" fp64:4
misspelt 'what fills a buffer' rand "$QUERN" "${launch[@]}" in:f32:4:rnad
run "$QUERN" cache everything
holds 'an inner word far from all' test -z "$(grep 'did you mean' "$err")"

# ---- devices ----
run "$QUERN" devices --no-probe
exits 'devices' 0
silent 'devices'
says 'devices' 'compilers:'
says 'devices' "QUERN_CACHE_DIR=$QUERN_CACHE_DIR"
holds 'no escape sequences in a pipe' test -z "$(tr -dc '\033' <"$out")"
if command -v script >/dev/null; then
    TERM=xterm NO_COLOR='' script -qec "'$QUERN' frobnicate" /dev/null >"$scratch/colored"
    TERM=xterm NO_COLOR=1 script -qec "'$QUERN' frobnicate" /dev/null >"$scratch/plain"
    holds 'colours on a terminal' grep -q $'\x1b' "$scratch/colored"
    holds 'no colours with NO_COLOR' test -z "$(tr -dc '\033' <"$scratch/plain")"
fi
run env QUERN_BACKEND=vulkan "$QUERN" devices
exits 'an unknown backend' 1
complains 'an unknown backend' 'vulkan'
run env -u QUERN_DEVICE QUERN_BACKEND=opencl,cpu "$QUERN" devices --no-probe
matches 'without a GPU the processor itself is the default' '^cpu:0 .*used by default'
run env -u QUERN_DEVICE QUERN_BACKEND=opencl,cpu "$QUERN" launch examples/vector_add.cu vector_add -g 1 -b 32 \
    -a out:f32:32 -a in:f32:32:ramp -a in:f32:32:ramp -a i32:32
exits 'a launch on the default device' 0
run env POCL_CACHE_DIR=/proc/self/none "$QUERN" devices --no-probe
holds 'OpenCL without a device has a reason' grep -qE '^opencl:|^  opencl ' "$out"
run "$QUERN" devices --no-probe --json
exits 'devices --json' 0
has_opencl=$(grep -c '"id": "opencl:' "$out")

# ---- compile and translate, without a device ----
cat >"$scratch/add.cu" <<'END'
template <typename T> __global__ void add(T *y, const T *x, T a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += SCALE * a * x[i];
}
END
run "$QUERN" compile "$scratch/add.cu"
exits 'compile without a target' 2
run "$QUERN" compile "$scratch/nothing.cu" --target opencl:portable
exits 'compile without a file' 1
complains 'compile without a file' 'nothing.cu'
run "$QUERN" compile "$scratch/add.cu" --target z80:portable
exits 'compile for an unknown target' 1
complains 'compile for an unknown target' 'z80'
words=(compile "$scratch/add.cu" -t opencl:portable --name 'add<float>' -DSCALE=2)
run "$QUERN" "${words[@]}" -o "$scratch/add.cu"
exits 'compile into a file' 1
complains 'compile into a file' 'Not a directory'
run "$QUERN" "${words[@]}" -o "$scratch/new/folder"
exits 'compile into a new folder' 0
holds 'compile makes its folder' test -s "$scratch/new/folder/add.opencl_portable.qni"
run env QUERN_CLANG=/nonexistent/clang "$QUERN" "${words[@]}"
exits 'compile with a clang that is not there' 1
complains 'compile with a clang that is not there' 'QUERN_CLANG=/nonexistent/clang: no such program'
if "$QUERN" --version | grep -q '^  clang  *clang [0-9]'; then
    # real for the questions; its compile meets the lld of an older LLVM
    mkdir "$scratch/old-lld"
    printf '#!/bin/sh\ncase "$*" in\n*cuda-device-only*) echo "%s" >&2; exit 1;;\nesac\nexec "%s" "$@"\n' \
        "lld: error: unknown argument '--lto-CGO3'" "$(command -v clang++-19 || command -v clang++)" \
        >"$scratch/old-lld/clang++-19"
    chmod +x "$scratch/old-lld/clang++-19"
    run env PATH="$scratch/old-lld:$PATH" "$QUERN" compile "$scratch/add.cu" -t hip:gfx90a --compiler clang --no-cache
    exits "compile with another version's lld" 1
    complains "compile with another version's lld" 'apt install lld-'
else
    echo "skip: another version's lld: no clang for AMD"
fi
run "$QUERN" "${words[@]}" -o "$scratch"
exits 'compile' 0
says 'compile' "$scratch/add.opencl_portable.qni"
holds 'compile writes the image' test -s "$scratch/add.opencl_portable.qni"
run "$QUERN" "${words[@]}" --raw -o "$scratch"
says 'the second compile' 'from the disk cache'
holds 'compile --raw writes OpenCL C' grep -q '__kernel' "$scratch/add.opencl_portable.cl"
run "$QUERN" "${words[@]}" --no-cache --json
says 'compile --json' '"origin": "compiled"'
says 'compile --json' '"expression": "add<float>"'
run "$QUERN" compile "$scratch/add.cu" -t opencl:portable --name 'add<float>'
exits 'a source that does not compile' 1
complains 'a source that does not compile' 'add.cu:5:'
complains 'a source that does not compile' 'SCALE'
cat >"$scratch/waits.cu" <<'EOF'
__global__ void waits(int *p)
{
    int unused = 1;
    while (*(volatile int *)p == 0)
        ;
}
EOF
for how in 'at first' 'from the cache'; do
    run "$QUERN" translate "$scratch/waits.cu"
    complains "a loop that waits, $how" 'waits.cu:4:12: warning: this loop waits for another thread'
    holds "clang's own words stay away, $how" bash -c "! grep unused '$err'"
done
run "$QUERN" translate "$scratch/add.cu" --name 'add<float>' -DSCALE=2
exits 'translate' 0
says 'translate' '__kernel'
silent 'translate'
echo '__device__ float twice(float x);
extern "C" __global__ void both(float *y) { y[threadIdx.x] = twice(y[threadIdx.x]); }' >"$scratch/both.cu"
echo '__device__ float twice(float x) { return 2 * x; }' >"$scratch/twice.cu"
run "$QUERN" translate "$scratch/both.cu"
exits 'a function of another file' 1
run "$QUERN" translate "$scratch/both.cu" --with "$scratch/twice.cu"
exits 'translate --with' 0
says 'translate --with' '2.0f * y'
run "$QUERN" translate "$scratch/add.cu" --name 'add<float>' -DSCALE=2 -o "$scratch/add.cl"
holds 'translate -o writes the file' grep -q '__kernel' "$scratch/add.cl"
run "$QUERN" translate "$scratch/add.cu" --name 'add<float>' -DSCALE=2 --reflect json
exits 'translate --reflect' 0
says 'translate --reflect' '"arguments"'
run "$QUERN" translate "$scratch/add.cu" --name 'add<float>' -DSCALE=2 --lines directives
exits 'translate --lines' 0
says 'translate --lines directives' '#line'
run "$QUERN" translate "$scratch/add.cu" --name 'add<float>' -DSCALE=2 --dump-after simplify
exits 'translate --dump-after' 0
says 'translate --dump-after' '/* kernel add_float after simplify */'
run "$QUERN" translate "$scratch/add.cu" --name 'add<float>' -DSCALE=2 --dump-after simplifies
exits 'translate --dump-after of no pass' 1
complains 'translate --dump-after of no pass' 'no pass is called simplifies; with that letter:'
run "$QUERN" compile "$scratch/add.cu" --name 'add<float>' -DSCALE=2 -t opencl:portable --option=--dump-after=simplify
exits 'compile --dump-after' 1
complains 'compile --dump-after' 'no image'
run "$QUERN" translate "$scratch/add.cu" --name 'add<float>' -DSCALE=2 --explain
exits 'translate --explain' 0
says 'translate --explain' 'build with -cl-std='
run "$QUERN" translate "$scratch/add.cu" --name 'add<float>' -DSCALE=2 --json
exits 'translate --json' 0
says 'translate --json' '"diagnostics": []'
says 'translate --json' '"text": "#pragma'
run "$QUERN" translate "$scratch/add.cu" --name 'sub<float>' -DSCALE=2 --json
exits 'translate --json of a wrong name' 1
says 'translate --json of a wrong name' '"file": "name expression sub<float>"'
run "$QUERN" translate "$scratch/add.cu" --name 'add<float>' -DSCALE=2 --profile pdp11
exits 'translate for an unknown profile' 1
complains 'translate for an unknown profile' 'pdp11'

# ---- cache ----
run "$QUERN" cache path
says 'cache path' "$QUERN_CACHE_DIR"
run "$QUERN" cache path --json
says 'cache path --json' "\"path\": \"$QUERN_CACHE_DIR\""
run "$QUERN" cache stat
exits 'cache stat' 0
matches 'cache stat' '^[1-9][0-9]* entries of at most [0-9]+, .* of at most 2 GiB$'
# an image for a processor belongs to a backend, too
if "$QUERN" compile "$QN_SOURCE/examples/vector_add.cu" -t cpu:native >"$out" 2>&1; then
    run "$QUERN" cache stat
    matches 'cache stat: the processor'"'"'s' '^  cpu  *1, '
else
    echo "skip: cache stat of cpu: $(tail -n 1 "$out")"
fi
touch "$scratch/file"
run env QUERN_CACHE_DIR="$scratch/file" "$QUERN" cache path
exits 'a cache folder that is a file' 1

# ---- on a device ----
if [ "$has_opencl" = 0 ]; then
    echo 'skip: launch, selftest and demo: no OpenCL device'
    finish
fi
export QUERN_DEVICE=opencl
launch=(launch "$scratch/add.cu" 'add<float>' -DSCALE=2 -g 2 -b 4)
args=(-a inout:f32:8:ramp -a in:f32:8:const:0.5 -a f32:10 -a i32:7)
run "$QUERN" "${launch[@]}" "${args[@]}"
exits 'launch' 0
says 'launch' '10 11 12 13 14 15 16 7' # the eighth element is beyond n
# a helper that leaves a trace when it is started
printf '#!/bin/sh\necho started >>"%s/starts"\nexec "%s" "$@"\n' "$scratch" "$QUERN_TRANSLATE" >"$scratch/quern-translate"
chmod +x "$scratch/quern-translate"
run env QUERN_TRANSLATE="$scratch/quern-translate" QUERN_CACHE_DIR="$scratch/cache" "$QUERN" "${launch[@]}" "${args[@]}"
exits 'a cold launch' 0
holds 'a cold launch starts the helper' test -s "$scratch/starts"
rm -f "$scratch/starts"
run env QUERN_TRANSLATE="$scratch/quern-translate" QUERN_CACHE_DIR="$scratch/cache" "$QUERN" "${launch[@]}" "${args[@]}"
exits 'a warm launch' 0
holds 'a warm launch starts no helper' test ! -e "$scratch/starts"
cat > "$scratch/bump.cu" <<'END'
__global__ void bump(float *x) { x[0] += 0.5f; }
__global__ void bump(int *x) { x[0] += 2; }
END
run "$QUERN" launch "$scratch/bump.cu" 'bump(int *)' -a inout:i32:1:const:40
exits 'launch of one of two kernels of a name' 0
says 'launch of one of two kernels of a name' '42'
run "$QUERN" launch "$scratch/bump.cu" bump -a inout:i32:1
exits 'launch of a name that two kernels have' 1
complains 'launch of a name that two kernels have' 'bump(float *), bump(int *)'
cat > "$scratch/texture.cu" <<'END'
#include <cooperative_groups.h>
__global__ void plain(float *o) { o[0] = 1.5f; }
__global__ void fetch(float *o) { o[0] = 1; cooperative_groups::this_grid().sync(); }
END
cat > "$scratch/grid.cu" <<'END'
#include <cooperative_groups.h>
extern "C" __global__ void next(int *o)
{
    auto g = cooperative_groups::this_grid();
    o[g.thread_rank()] = (int)g.thread_rank();
    g.sync();
    const int v = o[(g.thread_rank() + 1) % g.size()];
    g.sync();
    o[g.thread_rank()] = v;
}
END
run env -u QUERN_DEVICE "$QUERN" launch "$scratch/grid.cu" next -d cpu:0 -g 4 --cooperative -a out:i32:4
exits 'a cooperative launch' 0
says 'a cooperative launch' '  1 2 3 0'
run env -u QUERN_DEVICE "$QUERN" launch "$scratch/grid.cu" next -d cpu:0 -g 4 -a out:i32:4
exits 'grid.sync() in another launch' 1
complains 'grid.sync() in another launch' 'qn_stream_launch_cooperative'
cat > "$scratch/heap.cu" <<'END'
__global__ void take(int *o) { for (int n = 0; malloc(1000); n++) o[0] = n + 1; }
END
run "$QUERN" launch "$scratch/heap.cu" take -a out:i32:1:zero --heap 16384
exits 'launch with a small heap' 0
says 'launch with a small heap' '  16'
run "$QUERN" launch "$scratch/heap.cu" take -a out:i32:1:zero --heap 99999999999
exits 'launch with a heap that is too large' 2
run "$QUERN" launch "$scratch/texture.cu" plain -d opencl -a out:f32:1
exits 'launch of a kernel beside one that is refused' 0
says 'launch of a kernel beside one that is refused' '1.5'
complains 'launch of a kernel beside one that is refused' 'fetch is left out'
run "$QUERN" launch "$scratch/texture.cu" fetch -d opencl -a out:f32:1
exits 'launch of a kernel that is refused' 1
complains 'launch of a kernel that is refused' 'error: a barrier across blocks (grid.sync)'
run "$QUERN" "${launch[@]}" "${args[@]}" --json --time 5 --print 2
exits 'launch --json' 0
says 'launch --json' '"times_ms"'
matches 'launch --json' '"mean": 12.25'
run "$QUERN" "${launch[@]}" "${args[@]}" --save "$scratch"
holds 'launch --save writes raw bytes' \
    test "$(od -An -tf4 "$scratch/arg0.f32" | tr -s ' \n' ' ')" = ' 10 11 12 13 14 15 16 7 '
run "$QUERN" launch "$scratch/add.opencl_portable.qni" 'add<float>' -b 8 -a "inout:f32:8:file:$scratch/arg0.f32" \
    -a in:f32:8:const:1 -a f32:1 -a i32:8
exits 'launch of an image, on data from a file' 0
says 'launch of an image, on data from a file' '12 13 14 15 16 17 18 9'
run "$QUERN" launch "$scratch/add.opencl_portable.cl" add -b 8
exits 'launch of bare OpenCL C finds no such kernel' 1
complains 'launch of bare OpenCL C finds no such kernel' 'add'
run "$QUERN" "${launch[@]}" -a out:f32:8 -a in:f32:8 -a f32:10
exits 'an argument too few' 1
complains 'an argument too few' 'takes 4 arguments'
run "$QUERN" "${launch[@]}" -a out:f32:8 -a in:f32:8 -a i32:10 -a i32:8
exits 'an integer for a float' 1
complains 'an integer for a float' 'floating point'
run "$QUERN" "${launch[@]}" -a out:f32:8 -a in:f32:8 -a f32:ten -a i32:8
exits 'an argument that is no number' 2
complains 'an argument that is no number' "'ten' is not a number"
run "$QUERN" "${launch[@]}" -a out:f32:8 -a in:f32:8 -a f32:1 -a i32:8 --check-nan
exits 'an output that holds NaN' 1
complains 'an output that holds NaN' '8 NaN'
run "$QUERN" "${launch[@]}" -b 0
exits 'a block of nothing' 2
run "$QUERN" launch "$scratch/add.cu" 'add<float>' -DSCALE=2 -b 1000000 "${args[@]}"
exits 'a block beyond the device' 1
run "$QUERN" launch "$scratch/add.cu" nothing -DSCALE=2
exits 'an unknown kernel' 1
run "$QUERN" launch "$scratch/add.cu" nothing -DSCALE=2 --json
exits 'an unknown kernel, for a program' 1
says 'an unknown kernel, for a program' '"ok": false'
says 'an unknown kernel, for a program' "no kernel 'nothing'"

# ---- kernels that fault or never end ----
cat >"$scratch/faulty.cu" <<'EOF'
extern "C" __global__ void far(float *out, long long at) { out[at] = 1; }
extern "C" __global__ void endless(int *flag) { while (atomicAdd(flag, 0) == 0) ; }
EOF
far=(launch "$scratch/faulty.cu" far -a out:f32:4 -a i64:100000000000)
export ASAN_OPTIONS=handle_segv=0${ASAN_OPTIONS:+:$ASAN_OPTIONS} # the sanitizer would end it by itself
run "$QUERN" "${far[@]}"
exits 'a store out of bounds' 1
complains 'a store out of bounds' 'launch: far: '
run "$QUERN" "${far[@]}" --json
exits 'a store out of bounds, for a program' 1
says 'a store out of bounds, for a program' '"ok": false'
says 'a store out of bounds, for a program' 'far'
if "$QUERN" devices --no-probe --json | grep -A 12 '"id": "opencl:0"' | grep '"class": "CPU"' >"$scratch/cpu"; then
    says 'a store out of bounds on a CPU' 'ended by SIGSEGV'
    says 'a store out of bounds on a CPU' 'while it ran on opencl:0'
fi
run env QUERN_WATCHDOG=1 timeout 100 "$QUERN" launch "$scratch/faulty.cu" endless -a inout:i32:1
exits 'a kernel that never ends' 1
complains 'a kernel that never ends' 'endless still runs after 1 s'
run "$QUERN" "${far[@]/100000000000/3}"
exits 'a store in bounds' 0
matches 'a store in bounds' ' 1$'

run "$QUERN" demo
exits 'demo' 0
for line in device source translation build result speed; do
    matches 'demo' "^$line "
done
run "$QUERN" demo
matches 'the second demo' '^translation .* cache, no compiler was started'
matches 'the second demo' '^build +from the disk cache, no compiler was started'
run "$QUERN" demo --json
exits 'demo --json' 0
holds 'demo --json has every step' python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); assert d["ok"] and d["result"]["right"] and d["speed"]["ms"] > 0 and d["device"]["id"] and d["source"]["op"] == "rmsnorm" and d["compile"]["size_bytes"] > 0 and d["build"]["origin"]' "$out"
run "$QUERN" demo rmsnrom --json
exits 'demo of a misspelt op' 2
complains 'demo of a misspelt op' "did you mean 'rmsnorm'?"
says 'demo of a misspelt op' '"ok": false'
run "$QUERN" selftest vector_add --json --repeat 1
exits 'selftest --json' 0
says 'selftest --json' '"wrong": 0'
run "$QUERN" selftest frobnicate
exits 'selftest of an unknown op' 2
run "$QUERN" devices
exits 'devices with abilities' 0
matches 'devices with abilities' 'abilities +fp16 (native|emulated|no), bf16'
finish
