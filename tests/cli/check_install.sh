#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make install into a folder: the right files; the examples build against it through pkg-config and
# run on PoCL; the installed program finds its helpers; uninstall leaves nothing.
source "$(dirname "$0")/../shell.sh"
if [ "${QN_CONFIG:-release}" != release ]; then
    echo "skip: installation is tested with config=release, this is $QN_CONFIG"
    exit 0
fi
root=$scratch/root prefix=/opt/quern
there=$root$prefix
# a copy of the build: an installation links with its own PREFIX, while other tests run the program
build=$scratch/build
mkdir "$build"
tar -C "$QN_BUILD" --exclude=./tests --exclude=./test-cache -c . | tar -C "$build" -x
# into one place and then into another: nothing of the first may stay, in no file
holds 'make install elsewhere first' make -s B="$build" DESTDIR="$scratch/first" PREFIX=/opt/first install
holds 'make install' make -s B="$build" DESTDIR="$root" PREFIX="$prefix" install
holds 'no file holds the first prefix' sh -c "! grep -rlF /opt/first '$there'"
holds 'the library holds the second' grep -qF "$prefix/libexec/quern" "$there/lib/libquern.so"
holds 'quern.pc holds the second' grep -qx "prefix=$prefix" "$there/lib/pkgconfig/quern.pc"

for file in bin/quern libexec/quern/quern-rtc libexec/quern/quern-translate lib/libquern.a \
    lib/libquern.so lib/libquern.so.0 \
    lib/libquern-engine.a lib/libquern-engine.so lib/libquern-engine.so.0 \
    lib/libquern-cudart.a lib/libquern-cudart.so lib/libquern-cudart.so.0 libexec/quern/bin/nvcc \
    lib/pkgconfig/quern.pc lib/pkgconfig/quern-engine.pc include/quern/quern.h share/man/man1/quern.1 \
    share/bash-completion/completions/quern share/zsh/site-functions/_quern share/fish/vendor_completions.d/quern.fish \
    $(command -v msgfmt >/dev/null && echo share/locale/de/LC_MESSAGES/quern.mo share/locale/zh_CN/LC_MESSAGES/quern.mo); do
    holds "$file is installed" test -e "$there/$file"
done
holds 'the soname has a major version' \
    sh -c "readelf -d '$there/lib/libquern.so' | grep -q 'SONAME.*libquern.so.0\\]'"

export PKG_CONFIG_PATH=$there/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root LD_LIBRARY_PATH=$there/lib
for example in examples/*.c; do
    name=$(basename "$example" .c) package=quern archives=("$there/lib/libquern.a")
    if grep -q 'quern/model.h' "$example"; then
        package=quern-engine archives=("$there/lib/libquern-engine.a" "$there/lib/libquern.a" -lpcre2-8 -ljansson)
    fi
    # shellcheck disable=SC2046 # a list of words
    holds "$name builds" "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -o "$scratch/$name" "$example" \
        $(pkg-config --cflags --libs "$package") -lm
    # shellcheck disable=SC2046
    holds "$name builds statically" "${CC:-cc}" -std=c11 -o "$scratch/$name.static" "$example" \
        $(pkg-config --cflags "$package") "${archives[@]}" -lsodium -lxxhash -lzstd -lpthread -ldl -lm
done

cat >"$scratch/model.c" <<'END'
#include <quern/model_data.h>
#include <stdio.h>
int main(void)
{
    qn_model_file *f;
    if (qn_model_random("made.gguf", NULL) != QN_OK || qn_model_file_open(&f, "made.gguf") != QN_OK) {
        puts(qn_message());
        return 1;
    }
    printf("%u tensors\n", qn_model_file_count_tensors(f));
    qn_model_file_close(f);
    return 0;
}
END
# shellcheck disable=SC2046
holds 'a program builds with the engine' "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -o "$scratch/model" \
    "$scratch/model.c" $(pkg-config --cflags --libs quern-engine)
# shellcheck disable=SC2046
holds 'a program builds with the engine statically' "${CC:-cc}" -std=c11 -o "$scratch/model.static" \
    "$scratch/model.c" $(pkg-config --cflags quern-engine) "$there/lib/libquern-engine.a" \
    "$there/lib/libquern.a" -lpcre2-8 -ljansson -lsodium -lxxhash -lzstd -lpthread -ldl -lm
for program in model model.static; do
    run env -C "$scratch" "./$program"
    exits "$program runs" 0
    says "$program runs" '21 tensors'
done

# Without the build's own helpers and caches: an installed Quern stands alone.
if "$QUERN" devices --no-probe --json | grep -q '"id": "opencl:'; then
    unset QUERN_RTC QUERN_TRANSLATE
    export QUERN_CACHE_DIR=$scratch/cache QUERN_DEVICE=opencl
    cp examples/*.cu "$scratch" 2>/dev/null
    cd "$scratch" || exit 1
    for example in "$QN_SOURCE"/examples/*.c; do
        name=$(basename "$example" .c)
        grep -q 'quern/model.h' "$example" && continue
        run "./$name"
        exits "$name runs" 0
        says "$name runs" 'right'
    done
    model=$QN_SOURCE/models/quern-stories-q8_0.gguf
    run ./stream_text "$model" 'One day'
    exits 'stream_text runs' 0
    matches 'stream_text writes' '^One day .{20}'
    run ./serve_two "$model" 'Once upon a time' 'One day' 'There was'
    exits 'serve_two runs' 0
    says 'serve_two: three texts in two places' '3 texts in '
    matches 'serve_two: the text that quern run --temp 0 writes, too' '^Once upon a time, .{40}'
    run ./embed_texts "$model" 'a dog' 'a dog' 'rain'
    exits 'embed_texts runs' 0
    matches 'embed_texts: the same text is the same vector' '^1\.000 1\.000 0\.[0-9]{3}$'
    run ./embed_texts "$scratch/nothing.gguf" 'a dog'
    exits 'an example without its model' 1
    complains 'an example without its model' 'nothing.gguf: No such file'
    cat >twice.cu <<'END'
extern "C" __global__ void twice(float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * y[i];
}
END
    run "$there/bin/quern" launch twice.cu twice -g 1 -b 4 -a inout:f32:4:ramp -a i32:4
    exits 'the installed program finds its helpers' 0
    says 'the installed program finds its helpers' '0 2 4 6'
    cd "$QN_SOURCE" || exit 1
else
    echo 'skip: running the examples: no OpenCL device'
fi
holds 'make uninstall' make -s B="$build" DESTDIR="$root" PREFIX="$prefix" uninstall
holds 'uninstall leaves no file' test -z "$(find "$root" ! -type d)"
finish
