#!/usr/bin/env bash
# Installs a release of tintype for this machine, checks its sum, and adds it to the path of later steps.
# TINTYPE_REPOSITORY: owner/name. TINTYPE_VERSION: 0.1.0; else what tintype.toml pins; else TINTYPE_REF, if it is a tag such as v0.1.0 or a
# commit; else the latest release. A pinned revision is built from its source.
# TINTYPE_INTO: the folder. TINTYPE_SERVER: where releases are, by default GitHub.
set -euo pipefail

server=${TINTYPE_SERVER:-${GITHUB_SERVER_URL:-https://github.com}}
into=${TINTYPE_INTO:?}
pinned() { [ ! -f tintype.toml ] || sed -nE "s/^$1 *= *\"([^\"]*)\".*/\1/p" tintype.toml; }
version=${TINTYPE_VERSION:-$(pinned version)}
revision=$(pinned revision)
if [ -z "$version" ] && [ -n "$revision" ]; then
    cargo install --locked --git "$server/${TINTYPE_REPOSITORY:?}" --rev "$revision" --root "$into" tintype-cli
    [ -z "${GITHUB_PATH:-}" ] || printf '%s\n' "$into/bin" >>"$GITHUB_PATH"
    exit
fi
if [ -z "$version" ] && [[ "${TINTYPE_REF:-}" =~ ^v[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
    version=${TINTYPE_REF#v}
fi
# Of a commit, the release is that of its package.
if [ -z "$version" ] && [[ "${TINTYPE_REF:-}" =~ ^[0-9a-f]{40}$ ]]; then
    version=$(sed -nE 's/^version = "(.*)"$/\1/p' "$(dirname "$0")/../../../Cargo.toml" | head -n 1)
fi

case "$(uname -s)-$(uname -m)" in
Linux-x86_64) target=x86_64-unknown-linux-musl ending=tar.gz ;;
Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-musl ending=tar.gz ;;
Darwin-arm64) target=aarch64-apple-darwin ending=tar.gz ;;
Darwin-x86_64) target=x86_64-apple-darwin ending=tar.gz ;;
MINGW*-x86_64 | MSYS*-x86_64 | CYGWIN*-x86_64) target=x86_64-pc-windows-msvc ending=zip ;;
*)
    echo "::error::tintype has no release for $(uname -s) on $(uname -m); install it by cargo, and give the input program"
    exit 1
    ;;
esac

releases=$server/${TINTYPE_REPOSITORY:?}/releases
fetch() { curl --fail --silent --show-error --location --retry 3 --output "$2" "$1"; }
mkdir -p "$into"
if [ -n "$version" ]; then
    folder=$releases/download/v$version
else
    folder=$releases/latest/download
fi
fetch "$folder/SHA256SUMS" "$into/SHA256SUMS"
file=$(sed -nE "s/^[0-9a-f]{64} [ *](tintype-[0-9][^ ]*-$target\.${ending//./\\.})\r?$/\1/p" "$into/SHA256SUMS" | head -n 1)
if [ -z "$file" ]; then
    echo "::error::the release at $folder has no file for $target"
    exit 1
fi
fetch "$folder/$file" "$into/$file"
sum() { if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi; }
wanted=$(grep -F "$file" "$into/SHA256SUMS" | head -n 1 | cut -c1-64)
found=$(sum "$into/$file" | cut -c1-64)
if [ "$wanted" != "$found" ]; then
    echo "::error::$file has the sum $found, SHA256SUMS says $wanted"
    exit 1
fi
case "$ending" in
tar.gz) tar -xzf "$into/$file" -C "$into" --strip-components=1 ;;
zip) (cd "$into" && unzip -qoj "$file") ;;
esac
"$into/tintype" --version
[ -z "${GITHUB_PATH:-}" ] || printf '%s\n' "$into" >>"$GITHUB_PATH"
