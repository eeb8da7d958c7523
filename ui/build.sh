#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What Maven runs: builds the dashboard into target/web if Node.js is there and something has changed.
# Arguments: skipUi=true leaves the dashboard out, skipTests=true leaves out its checks and tests.
set -eu
cd "$(dirname "$0")"

# Removes what an earlier build left, so that the jar has the dashboard of this source or none.
without_dashboard() {
  rm -rf target/web target/built
  mkdir -p target/web
}

case ${1:-} in
  skipUi=false) ;;
  *)
    without_dashboard
    echo "skipUi: the jar will have no dashboard."
    exit
    ;;
esac

new_enough='const [major, minor] = process.versions.node.split(".").map(Number);
process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1);'
if ! node --eval "$new_enough" 2>/dev/null || ! command -v npm >/dev/null; then
  found=$(node --version 2>/dev/null || echo none)
  warning="THE JAR HAS NO DASHBOARD: it needs Node.js 20.19 or newer and npm, found: $found. Install them from https://nodejs.org, or use -DskipUi"
  if [ "${PERDURE_NODE:-}" = required ]; then
    echo "$warning" >&2
    exit 1
  fi
  without_dashboard
  printf '\n*** %s ***\n\n' "$warning" >&2
  exit
fi
exec node build.mjs "${2:-}"
