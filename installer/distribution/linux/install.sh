#!/bin/sh
# Installs 知页 Zhiye for this user, or with --system (as root) for all; --remove takes it away again.
# Documents, libraries and settings are never touched.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
case "${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}" in zh*) zh=1 ;; *) zh=0 ;; esac
say() { if [ "$zh" = 1 ]; then printf '%s\n' "$1"; else printf '%s\n' "$2"; fi; }
fail() { say "$1" "$2" >&2; exit 1; }

mode=install
system=0
for argument in "$@"; do
    case "$argument" in
        --system) system=1 ;;
        --remove) mode=remove ;;
        *) fail "用法：install.sh [--system] [--remove]" "usage: install.sh [--system] [--remove]" ;;
    esac
done
if [ "$system" = 1 ]; then
    [ "$(id -u)" = 0 ] || fail "为所有用户安装需要管理员权限：sudo ./install.sh --system" \
        "Installing for all users needs root: sudo ./install.sh --system"
    place=/opt/zhiye bin=/usr/local/bin share=/usr/local/share
else
    [ -n "${HOME:-}" ] || fail "未设置 HOME，无法得知安装到哪里。" "HOME is not set: there is no place to install to."
    data=${XDG_DATA_HOME:-$HOME/.local/share}
    place=$data/zhiye-program bin=$HOME/.local/bin share=$data
fi

files() { (cd "$here/share" && find . -type f); }
refresh() {
    command -v update-desktop-database > /dev/null && update-desktop-database -q "$share/applications" || true
    command -v update-mime-database > /dev/null && update-mime-database "$share/mime" > /dev/null 2>&1 || true
}

if [ "$mode" = remove ]; then
    rm -rf "$place"
    rm -f "$bin/zhiye" "$bin/zhiye-gui"
    files | while read -r file; do rm -f "$share/$file"; done
    refresh
    say "知页已移除；文档和知识库没有动。" "Zhiye is removed; documents and libraries were not touched."
    exit 0
fi

need=$(du -sk "$here/zhiye" | cut -f1)
mkdir -p "$(dirname "$place")" "$bin" "$share" 2> /dev/null ||
    fail "无法写入 $(dirname "$place")，请检查权限。" "Cannot write to $(dirname "$place"); check its permissions."
free=$(df -Pk "$(dirname "$place")" | tail -n 1 | awk '{print $4}')
[ "$free" -gt "$need" ] ||
    fail "磁盘空间不足：需要 $((need / 1024)) MB，只剩 $((free / 1024)) MB。" \
        "Not enough room: $((need / 1024)) MB are needed, $((free / 1024)) MB are free."

# Beside the old one first: a copy that fails half-way leaves it as it was.
rm -rf "$place.new"
cp -a "$here/zhiye" "$place.new"
rm -rf "$place"
mv "$place.new" "$place"
ln -sf "$place/zhiye" "$bin/zhiye"
printf '#!/bin/sh\nexec "%s/zhiye" --window "$@"\n' "$place" > "$bin/zhiye-gui"
chmod 755 "$bin/zhiye-gui"
files | while read -r file; do
    mkdir -p "$share/$(dirname "$file")"
    cp "$here/share/$file" "$share/$file"
done
# A menu does not always look for programs in the user's own folder.
sed -i "s|^Exec=zhiye-gui|Exec=\"$bin/zhiye-gui\"|" "$share/applications/zhiye.desktop"
refresh
say "知页已安装。从菜单打开“知页”，或运行 $bin/zhiye-gui" "Zhiye is installed. Open it from the menu, or run $bin/zhiye-gui"
