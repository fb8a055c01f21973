#!/bin/sh
# Installs 知页 Zhiye with its chat model from this folder. Nothing is fetched.
set -eu
cd "$(dirname -- "$0")"
case "${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}" in zh*) zh=1 ;; *) zh=0 ;; esac
say() { if [ "$zh" = 1 ]; then printf '%s\n' "$1"; else printf '%s\n' "$2"; fi; }

say "正在核对文件……" "Checking the files…"
if ! sha256sum --quiet --check SHA256SUMS; then
    say "有文件损坏或不完整，请重新复制本文件夹。没有安装任何东西。" \
        "A file is damaged or incomplete; copy this folder again. Nothing was installed." >&2
    exit 1
fi
deb=$(ls zhiye_*.deb 2> /dev/null || true)
if [ -n "$deb" ] && command -v apt-get > /dev/null && [ "$(id -u)" = 0 ]; then
    apt-get install -y --no-download "./$deb" || dpkg --install "./$deb"
    program=zhiye
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    tar -xzf zhiye-*.tar.gz -C "$work"
    "$work"/zhiye-*/install.sh
    program="$HOME/.local/bin/zhiye"
fi
if [ "$(id -u)" = 0 ] && [ -n "${SUDO_USER:-}" ]; then
    # The models folder belongs to the person who asked for it, not to root.
    as_user() { su "$SUDO_USER" -c "$*"; }
    for model in models/*.gguf; do as_user "$program models add '$PWD/$model'"; done
else
    for model in models/*.gguf; do "$program" models add "$model"; done
fi
say "安装完成。从菜单打开“知页”。" "Done. Open Zhiye from the menu."
