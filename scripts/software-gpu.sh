#!/usr/bin/env bash
# A GPU in software for machines without one: fetches Vulkan drivers from the Debian archive this machine already uses, into
# litmus's cache. Nothing is installed, no root is needed, and a second call does nothing.
#
#     scripts/software-gpu.sh               SwiftShader, from Debian's chromium-common
#     scripts/software-gpu.sh --lavapipe    Mesa's lavapipe as well (25.0.7 from backports on Debian 12, whose own 22.3.6 finds
#                                           no adapters)
#
# litmus takes SwiftShader by itself where the system has no Vulkan driver. Names and paths for other uses are printed.
set -euo pipefail

want=(swiftshader)
case "${1-}" in
'') ;;
--lavapipe) want+=(lavapipe) ;;
*) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

cache=${LITMUS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/litmus}
[ -n "${LITMUS_CACHE-}" ] || case "${XDG_CACHE_HOME-}" in /*) ;; *) cache=$HOME/.cache/litmus ;; esac
gpus=$cache/software-gpu
mkdir -p "$gpus"
gpus=$(cd "$gpus" && pwd)

fail() { echo "software-gpu.sh: $*" >&2; exit 3; }
for tool in apt-get dpkg-deb ldd; do
    command -v $tool >/dev/null || fail "$tool is missing: this fetches from the archive of a Debian system; elsewhere install your GPU's Vulkan driver"
done

work=
cleanup() { [ -z "$work" ] || rm -rf "$work"; }
trap cleanup EXIT

# An apt of our own, so that neither root nor the machine's package lists are touched. It reads from where the machine's own
# apt reads, with the archive's own key.
private_apt() {
    [ -z "$work" ] || return 0
    work=$(mktemp -d "$gpus/.fetch-XXXXXX")
    mkdir -p "$work"/{lists,cache/archives}/partial
    # shellcheck disable=SC1091
    codename=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
    local keyring
    keyring=$(find /usr/share/keyrings -name "$(. /etc/os-release && echo "$ID")-archive-keyring.gpg" | head -1)
    [ -n "$keyring" ] || fail "the archive's keyring is not in /usr/share/keyrings"
    apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' | sort -u |
        while read -r uri suite component; do
            case "$suite" in
            "$codename" | "$codename-updates" | "$codename-security") echo "deb [signed-by=$keyring] $uri $suite $component" ;;
            esac
            if [ "$suite" = bookworm ]; then echo "deb [signed-by=$keyring] $uri bookworm-backports $component"; fi
        done >"$work/sources.list"
    [ -s "$work/sources.list" ] || fail "apt has no source for $codename"
    apt update
}

apt() {
    apt-get -qq -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" -o Debug::NoLocking=1 \
        -o "APT::Sandbox::User=$(id -un)" "$@" >&2
}

# unpack FOLDER: every package that was fetched, unpacked into FOLDER.
unpack() {
    local package
    for package in "$work"/cache/archives/*.deb; do dpkg-deb -x "$package" "$1"; done
    rm -f "$work"/cache/archives/*.deb
}

# place NAME MANIFEST LIBRARY LIBS: the driver with what of LIBS it needs and the Vulkan loader, in one folder.
place() {
    local name=$1 manifest=$2 library=$3 libs=$4 to
    to=$(mktemp -d "$work/place-XXXXXX")
    cp -L "$library" "$to/"
    LD_LIBRARY_PATH=$libs ldd "$library" | awk -v libs="$libs/" 'index($3, libs) == 1 { print $3 }' |
        while read -r needed; do cp -L "$needed" "$to/"; done
    cp -L "$(find "$work/$name" -name libvulkan.so.1 | head -1)" "$to/"
    # The manifest names its library by a path, relative to itself.
    sed -E "s#(\"library_path\": *\")[^\"]*/?$(basename "$library")#\1./$(basename "$library")#" "$manifest" >"$to/icd.json"
    chmod 755 "$to"
    rm -rf "${gpus:?}/$name"
    mv "$to" "$gpus/$name"
}

fetch_swiftshader() {
    apt-cache -o "Dir::State::Lists=$work/lists" -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o "Dir::Cache=$work/cache" show chromium-common >/dev/null 2>&1 ||
        fail "this system's archive has no chromium-common package (Ubuntu ships Chromium otherwise); try --lavapipe, or install mesa-vulkan-drivers"
    (cd "$work/cache/archives" && apt download libvulkan1 chromium-common)
    unpack "$work/swiftshader"
    local from=$work/swiftshader/usr/lib/chromium
    place swiftshader "$from/vk_swiftshader_icd.json" "$from/libvk_swiftshader.so" "$from"
}

fetch_lavapipe() {
    local from=()
    if [ "$codename" = bookworm ]; then from=(-t bookworm-backports); fi
    # What the system has already is not fetched.
    apt install -y --download-only --no-install-recommends "${from[@]}" mesa-vulkan-drivers
    (cd "$work/cache/archives" && apt download libvulkan1)
    unpack "$work/lavapipe"
    local library manifest
    library=$(find "$work/lavapipe" -name libvulkan_lvp.so | head -1)
    manifest=$(find "$work/lavapipe" -name 'lvp_icd*.json' | head -1)
    [ -n "$library" ] && [ -n "$manifest" ] || fail "mesa-vulkan-drivers holds no lavapipe here; is it installed already? then name its manifest in VK_DRIVER_FILES"
    place lavapipe "$manifest" "$library" "$(dirname "$library")"
}

for name in "${want[@]}"; do
    if [ ! -f "$gpus/$name/icd.json" ]; then
        echo "fetching $name" >&2
        private_apt
        "fetch_$name"
    fi
    cat <<TEXT
$name is in $gpus/$name
  in a sweep file:   options.vulkan.icd = "$name"
  for other tools:   export VK_DRIVER_FILES=$gpus/$name/icd.json VK_ICD_FILENAMES=$gpus/$name/icd.json LD_LIBRARY_PATH=$gpus/$name
TEXT
done
