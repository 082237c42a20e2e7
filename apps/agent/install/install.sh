#!/bin/sh
# Installs or upgrades the Floorcast agent on a shop's Linux machine. It downloads the server's bundle and checks its hash.
# A run without --key keeps the machine's key; one with another key binds the machine to another device. The manual's page 'The
# agent' describes the steps.
# Everything is in functions, and the last line calls the first of them: a script that arrives only in part does nothing.
set -eu

SERVER='@FLOORCAST_SERVER@'
KEY=''
UPDATE_KEY=''
AUDIO=''
PREFIX=''
NODE_MIRROR='https://nodejs.org/dist'
NODE_VERSION='v24.21.0'
# SHA-256 of Node's archives, from its signed SHASUMS256.txt: a mirror cannot bring another program.
NODE_SHA256_X64='6e1db87ef58b8819e5d5402eff1536491b18edd8eb7bee5ef7897876e88dc5ff'
NODE_SHA256_ARM64='724282c3b43aec998aa9527380465b45d229e021b58035f5f4f63095eabfe5d5'
# The first version that has node:sqlite without a flag.
MIN_NODE_VERSION='22.13.0'
START=yes
# What curl may use, also after a redirect.
PROTOCOLS='=https'

# What it prints, in English. The server adds the same texts in the language of the script's address.
TEXT_HELP_KEY='the licence key on the page of the device (default: the one that this machine has)'
TEXT_HELP_UPDATE_KEY='the public key of update files, from sign-update; without it the player installs no updates (default: as before)'
TEXT_HELP_SERVER='the Floorcast server (default: the one that this script came from)'
TEXT_HELP_AUDIO='mpv’s audio output: alsa, pipewire, null (default: as before, at first mpv’s choice)'
TEXT_HELP_PREFIX='install below DIR, without a user or a service'
TEXT_HELP_NODE_MIRROR='the source of Node if the system has none or an old one (default: https://nodejs.org/dist)'
TEXT_HELP_NO_START='install the service but do not start it'
TEXT_HELP_INSECURE='allow http:// addresses, where anybody on the way can change the program (for a test network)'
TEXT_NOT_INSTALLED='Not installed: {{reason}}'
TEXT_NEEDS_VALUE='{{option}} needs a value'
TEXT_UNKNOWN_OPTION='unknown option {{option}}'
TEXT_NOT_ENCRYPTED='{{address}} is not encrypted; use https://, or add --insecure in a test network'
TEXT_NO_SERVER='the server’s address is missing: add --server https://…'
TEXT_WRONG_UPDATE_KEY='the update key has invalid characters; copy it as sign-update printed it'
TEXT_WRONG_SETTING='the address of the server or the audio output has a space or a quote in it'
TEXT_NO_KEY='the licence key is missing; copy the whole command from the page of the device'
TEXT_WRONG_KEY='the licence key has invalid characters; copy the whole command from the page of the device'
TEXT_NOT_ROOT='run it as root: put sudo before sh'
TEXT_MISSING_PROGRAM='{{program}} is missing; install it and run this command again'
TEXT_MISSING_MPV='mpv, which plays the sound, is missing; install the package mpv and run this command again'
TEXT_MISSING_NODE='Node {{version}} or newer is missing and could not be fetched from {{address}}; install it and run this command again'
TEXT_INSTALLING_PACKAGE='Installing {{package}} by the system’s package manager…'
TEXT_FETCHING_NODE='Fetching Node {{version}} from {{address}}…'
TEXT_WRONG_NODE_HASH='the hash of {{file}} is not the published one'
TEXT_FETCHING_AGENT='Fetching the player from {{address}}…'
TEXT_NOT_FETCHED='{{address}} cannot be fetched; is the address right?'
TEXT_WRONG_AGENT_HASH='the player’s hash is not the server’s; try again'
TEXT_AGENT_FAILS='the player does not start on this machine'
TEXT_INSTALLED='Installed. Its messages: {{command}}'
TEXT_INSTALLED_BELOW='Installed below {{folder}}. To run it:'
TEXT_INSTALLED_WITHOUT_SYSTEMD='Installed, but this system has no systemd. Let its service manager run this as the user {{user}}, with the environment of {{file}} and {{variable}}:'
#@FLOORCAST_TEXTS@

usage() {
  cat <<HELP
sh install.sh [--key KEY] [--update-key KEY] [--server URL] [--audio OUTPUT] [--prefix DIR] [--node-mirror URL] [--no-start]

  --key KEY          $TEXT_HELP_KEY
  --update-key KEY   $TEXT_HELP_UPDATE_KEY
  --server URL       $TEXT_HELP_SERVER
  --audio OUTPUT     $TEXT_HELP_AUDIO
  --prefix DIR       $TEXT_HELP_PREFIX
  --node-mirror URL  $TEXT_HELP_NODE_MIRROR
  --no-start         $TEXT_HELP_NO_START
  --insecure         $TEXT_HELP_INSECURE
HELP
}

# Prints a text with its values: fill TEXT [NAME VALUE]…
fill() {
  filled=$1
  shift
  while [ $# -ge 2 ]; do
    place="{{$1}}"
    case "$filled" in
      *"$place"*) filled=${filled%%"$place"*}$2${filled#*"$place"} ;;
    esac
    shift 2
  done
  printf '%s\n' "$filled"
}

say() { fill "$@"; }
fail() { fill "$TEXT_NOT_INSTALLED" reason "$(fill "$@")" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }
needs_value() { [ $# -ge 2 ] && [ -n "$2" ] || fail "$TEXT_NEEDS_VALUE" option "$1"; }

fetch() { curl -fsSL --proto "$PROTOCOLS" --proto-redir "$PROTOCOLS" "$1" -o "$2"; }

# An address of the kind that PROTOCOLS allows.
check_address() {
  case "$1" in
    https://?*) ;;
    http://?*) [ "$PROTOCOLS" != '=https' ] || fail "$TEXT_NOT_ENCRYPTED" address "$1" ;;
    *) fail "$TEXT_NO_SERVER" ;;
  esac
}

read_options() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --key) needs_value "$@"; KEY=$2; shift 2 ;;
      --server) needs_value "$@"; SERVER=${2%/}; shift 2 ;;
      --update-key) needs_value "$@"; UPDATE_KEY=$2; shift 2 ;;
      --audio) needs_value "$@"; AUDIO=$2; shift 2 ;;
      --prefix) needs_value "$@"; PREFIX=${2%/}; shift 2 ;;
      --node-mirror) needs_value "$@"; NODE_MIRROR=${2%/}; shift 2 ;;
      --no-start) START=no; shift ;;
      --insecure) PROTOCOLS='=http,https'; shift ;;
      --help) usage; exit 0 ;;
      *) usage >&2; fail "$TEXT_UNKNOWN_OPTION" option "$1" ;;
    esac
  done
  case "$UPDATE_KEY" in
    *[!A-Za-z0-9+/=]*) fail "$TEXT_WRONG_UPDATE_KEY" ;;
  esac
  case "$SERVER$AUDIO" in
    *[[:space:]\"\']*) fail "$TEXT_WRONG_SETTING" ;;
  esac
  check_address "$SERVER"
  check_address "$NODE_MIRROR"
}

check_machine() {
  [ -n "$PREFIX" ] || [ "$(id -u)" -eq 0 ] || fail "$TEXT_NOT_ROOT"
  has curl || fail "$TEXT_MISSING_PROGRAM" program curl
  has sha256sum || fail "$TEXT_MISSING_PROGRAM" program 'sha256sum (coreutils)'
}

name_files() {
  PROGRAM=$PREFIX/opt/floorcast-agent
  DATA=$PREFIX/var/lib/floorcast-agent
  SETTINGS=$PREFIX/etc/floorcast-agent.env
  KEY_FILE=$PREFIX/etc/floorcast-agent.key
  UNIT=$PREFIX/etc/systemd/system/floorcast-agent.service
}

# The value of a setting of the former installation.
former() { if [ -f "$SETTINGS" ]; then sed -n "s/^$1=//p" "$SETTINGS"; fi; }

# Without --key it is the machine's own; agents of release 2.775.0 have it among their settings.
check_key() {
  if [ -z "$KEY" ] && [ -f "$KEY_FILE" ]; then KEY=$(cat "$KEY_FILE"); fi
  if [ -z "$KEY" ]; then KEY=$(former FLOORCAST_KEY); fi
  case "$KEY" in
    '') usage >&2; fail "$TEXT_NO_KEY" ;;
    *[!A-Za-z0-9._-]*) fail "$TEXT_WRONG_KEY" ;;
  esac
}

install_package() {
  say "$TEXT_INSTALLING_PACKAGE" package "$1"
  if has apt-get; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get install -y --no-install-recommends "$1" || { apt-get update && apt-get install -y --no-install-recommends "$1"; }
  elif has dnf; then dnf install -y "$1"
  elif has zypper; then zypper --non-interactive install "$1"
  elif has pacman; then pacman -S --noconfirm "$1"
  elif has apk; then apk add "$1"
  else return 1
  fi
}

need_mpv() {
  if has mpv; then return; fi
  if [ -z "$PREFIX" ] && install_package mpv && has mpv; then return; fi
  fail "$TEXT_MISSING_MPV"
}

# True when the Node at $1 is new enough, and the agent runs on it.
is_node() {
  [ -x "$1" ] && "$1" -e '
    const [least, mine] = [process.argv[1], process.versions.node].map(text => text.split(".").map(Number))
    const at = mine.findIndex((part, index) => part !== least[index])
    process.exit(at < 0 || mine[at] > least[at] ? 0 : 1)
  ' "$MIN_NODE_VERSION" >/dev/null 2>&1 && "$1" "$WORK/floorcast-agent.mjs" --self-test >"$WORK/self-test" 2>&1
}

# Node's own build, checked against the hashes above.
fetch_node() {
  case "$(uname -m)" in
    x86_64) arch=x64 sum=$NODE_SHA256_X64 ;;
    aarch64) arch=arm64 sum=$NODE_SHA256_ARM64 ;;
    *) return 1 ;;
  esac
  archive=node-$NODE_VERSION-linux-$arch.tar.gz
  say "$TEXT_FETCHING_NODE" version "$NODE_VERSION" address "$NODE_MIRROR"
  fetch "$NODE_MIRROR/$NODE_VERSION/$archive" "$WORK/$archive" || return 1
  printf '%s  %s\n' "$sum" "$WORK/$archive" | sha256sum --check --status || fail "$TEXT_WRONG_NODE_HASH" file "$archive"
  mkdir -p "$WORK/node"
  tar -xzf "$WORK/$archive" -C "$WORK/node" --strip-components=1
}

# The certificate authorities of the system, where this Node knows the option.
node_options() { if "$NODE" --use-system-ca --version >/dev/null 2>&1; then printf '%s' '--use-system-ca '; fi; }

need_node() {
  for candidate in "$PROGRAM/node/bin/node" "$(command -v node || true)" "$(command -v nodejs || true)"; do
    if [ -n "$candidate" ] && is_node "$candidate"; then NODE=$candidate; return; fi
  done
  fetch_node || fail "$TEXT_MISSING_NODE" version "$MIN_NODE_VERSION" address "$NODE_MIRROR"
  if is_node "$WORK/node/bin/node"; then NODE=$PROGRAM/node/bin/node; return; fi
  if [ -f "$WORK/self-test" ]; then cat "$WORK/self-test" >&2; fi
  fail "$TEXT_AGENT_FAILS"
}

fetch_agent() {
  say "$TEXT_FETCHING_AGENT" address "$SERVER"
  for name in floorcast-agent.mjs floorcast-agent.mjs.sha256; do
    fetch "$SERVER/agent/$name" "$WORK/$name" || fail "$TEXT_NOT_FETCHED" address "$SERVER/agent/$name"
  done
  (cd "$WORK" && sha256sum --check --status floorcast-agent.mjs.sha256) || fail "$TEXT_WRONG_AGENT_HASH"
}

# Until here nothing of a former installation has changed.
install_agent() {
  mkdir -p "$PROGRAM" "$DATA" "$(dirname "$SETTINGS")" "$(dirname "$UNIT")"
  if [ -x "$WORK/node/bin/node" ]; then
    mkdir -p "$PROGRAM/node/bin"
    install -m 755 "$WORK/node/bin/node" "$PROGRAM/node/bin/node.new"
    mv "$PROGRAM/node/bin/node.new" "$PROGRAM/node/bin/node"
  fi
  install -m 644 "$WORK/floorcast-agent.mjs" "$PROGRAM/floorcast-agent.mjs.new"
  mv "$PROGRAM/floorcast-agent.mjs.new" "$PROGRAM/floorcast-agent.mjs"
  # The agent of the server is the one to start, and not an earlier update.
  rm -rf "$DATA/updates"
}

make_user() {
  if id floorcast >/dev/null 2>&1; then return; fi
  useradd --system --home-dir "$DATA" --shell /usr/sbin/nologin floorcast
  for group in audio video render; do
    if getent group "$group" >/dev/null; then usermod -a -G "$group" floorcast; fi
  done
}

# The key is in a file of its own, which the service's user alone can read: an environment is seen by every child process.
write_settings() {
  # What the operator added, such as DISPLAY or an install command.
  kept=''
  INSTALL_COMMAND=''
  if [ -f "$SETTINGS" ]; then
    kept=$(grep -v '^FLOORCAST_' "$SETTINGS" || true)
    if [ -z "$UPDATE_KEY" ]; then UPDATE_KEY=$(former FLOORCAST_UPDATE_KEY); fi
    if [ -z "$AUDIO" ]; then AUDIO=$(former FLOORCAST_AUDIO); fi
    INSTALL_COMMAND=$(grep '^FLOORCAST_INSTALL_COMMAND=' "$SETTINGS" || true)
  fi
  (
    umask 077
    rm -f "$KEY_FILE" "$SETTINGS"
    printf '%s\n' "$KEY" >"$KEY_FILE"
    {
      printf 'FLOORCAST_SERVER=%s\nFLOORCAST_KEY_FILE=%s\n' "$SERVER" "$KEY_FILE"
      if [ -n "$UPDATE_KEY" ]; then printf 'FLOORCAST_UPDATE_KEY=%s\n' "$UPDATE_KEY"; fi
      if [ -n "$INSTALL_COMMAND" ]; then printf '%s\n' "$INSTALL_COMMAND"; fi
      if [ -n "$AUDIO" ]; then printf 'FLOORCAST_AUDIO=%s\n' "$AUDIO"; fi
      if [ -n "$kept" ]; then printf '%s\n' "$kept"; fi
    } >"$SETTINGS"
  )
  if [ -z "$PREFIX" ]; then chown floorcast: "$KEY_FILE"; fi
}

write_unit() {
  OPTIONS=$(node_options)
  cat >"$UNIT" <<SERVICE
[Unit]
Description=Floorcast agent: plays what the server publishes
Documentation=$SERVER/docs
Wants=network-online.target
After=network-online.target sound.target
# However often the service ends, it is started again.
StartLimitIntervalSec=0

[Service]
User=floorcast
EnvironmentFile=$SETTINGS
Environment=FLOORCAST_DATA=$DATA
# The supervisor: it starts the agent, and changes to installed updates, which are in the data folder.
ExecStart=$NODE $OPTIONS$PROGRAM/floorcast-agent.mjs --supervise
# The supervisor ends the agent.
KillMode=mixed
Restart=always
RestartSec=1
# The supervisor starts an agent that hangs again, and systemd a supervisor that does. It says by systemd-notify that it answers.
NotifyAccess=all
WatchdogSec=180
WatchdogSignal=SIGKILL
# 2: wrong settings. 3: the key belongs to another machine. 4: no device has the key. A restart would not help.
RestartPreventExitStatus=2 3 4
StateDirectory=floorcast-agent
StateDirectoryMode=0700
# For what a full or read-only disk does not take, until the machine ends.
RuntimeDirectory=floorcast-agent
RuntimeDirectoryMode=0700
RuntimeDirectoryPreserve=yes
UMask=0077
# The agent reads the system, writes its data, and talks to the server, the sound system and the screen. It keeps the groups
# audio, video and render: PrivateDevices, ProtectClock and PrivateUsers would take the sound card away. Node compiles while
# it runs, so MemoryDenyWriteExecute is not possible.
ReadWritePaths=$DATA
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RemoveIPC=yes

[Install]
WantedBy=multi-user.target
SERVICE
}

report() {
  if [ -n "$PREFIX" ]; then
    say "$TEXT_INSTALLED_BELOW" folder "$PREFIX"
    say "  FLOORCAST_SERVER=$SERVER FLOORCAST_KEY_FILE=$KEY_FILE $NODE $PROGRAM/floorcast-agent.mjs --supervise --data $DATA"
  elif has systemctl && [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl enable floorcast-agent
    if [ "$START" = yes ]; then systemctl restart floorcast-agent; fi
    say "$TEXT_INSTALLED" command 'journalctl -u floorcast-agent -f'
  else
    say "$TEXT_INSTALLED_WITHOUT_SYSTEMD" user floorcast file "$SETTINGS" variable "FLOORCAST_DATA=$DATA"
    say "  $NODE $PROGRAM/floorcast-agent.mjs --supervise"
  fi
}

main() {
  read_options "$@"
  check_machine
  name_files
  check_key
  WORK=$(mktemp -d)
  trap 'rm -rf "$WORK"' EXIT
  fetch_agent
  need_node
  need_mpv
  install_agent
  if [ -z "$PREFIX" ]; then make_user; chown floorcast: "$DATA"; chmod 700 "$DATA"; fi
  write_settings
  write_unit
  report
}

main "$@"
