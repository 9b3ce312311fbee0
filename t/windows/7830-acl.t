#!/bin/bash
# Access entries, added and taken out: t/windows/acl.c.
. "${0%/*}/../lib/lib.sh"
. "${0%/*}/wine.sh"
run wine "$BUILD/windows/t/acl.exe"
is "every claim holds" "$status $(grep -c '^ok' <<<"$out") $(grep '^not' <<<"$out")" "0 41 "
finish
