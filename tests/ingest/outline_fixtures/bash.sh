#!/usr/bin/env bash
#
# Deploys the shop.

set -euo pipefail
shopt -s nullglob

source "$(dirname "$0")/common.sh"
. ./env.sh

readonly ROOT="/srv/shop"
declare -A HOSTS=(
  [web]=10.0.0.1
  [db]=10.0.0.2
)
export PATH="$ROOT/bin:$PATH" LANG=C
VERSION=${1:-latest}
log_file=/tmp/deploy.log

# Prints to stderr.
log() {
  echo "$@" >&2
}

# Builds an image.
#   $1: its tag
function build_image {
  local tag=$1
  inner() { echo "$tag"; }
  docker build -t "shop:$tag" - <<EOT
FROM alpine
fake() {
RUN apk add curl
}
EOT
}

function shop::restart() (
  cd "$ROOT"
  systemctl restart shop
)

usage() { cat <<-'USAGE'
	usage: deploy.sh [version]
	USAGE
}

trap 'log failed' ERR

if [[ $# -gt 1 ]]; then
  usage
  exit 1
fi

for host in "${HOSTS[@]}"; do
  log "deploying to $host"
done

case "$VERSION" in
  latest) build_image latest ;;
  *) build_image "$VERSION" ;;
esac

log one
log two && shop::restart
