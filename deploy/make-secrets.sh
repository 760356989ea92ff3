#!/bin/sh
# Makes the secrets that compose.yaml reads. Refuses to replace existing ones.
set -eu
cd "$(dirname "$0")"

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
write() { printf '%s\n' "$2" >"secrets/$1"; }

# Only root and the owner enter the folder. The files are readable because containers run under another user.
mkdir -m 0700 secrets
umask 0022
owner=$(random)
app=$(random)
write postgres-password "$(random)"
write owner-password "$owner"
write app-password "$app"
write database-owner-url "postgres://transit_owner:$owner@postgres/transit"
write database-url "postgres://transit_app:$app@postgres/transit"
write secret "$(random)"
