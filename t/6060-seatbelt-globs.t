#!/bin/bash
# Deny globs: names that stay closed for reading and writing, also in files
# that are made later, and that no renaming of a directory opens.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/seatbelt.sh"
anyone

globs() { # FS GLOB...: the policy with these
	local fs=$1
	shift
	permissions "{fs: $fs, deny_globs: $(printf '%s\n' "$@" | jq -R . | jq -sc .)}" | wrap
}
open='[{path: "/", access: "read"}, {path: "/w", access: "write"}, {path: "/tmp", access: "write"}]'

globs "$open" '/w/**/.env' '/w/conf/*.key' '/tmp/s?cret' '/v/{a,b}/x'
decide "globs" <<'END'
deny file-read-data file /w/.env
deny file-read-data file /w/made/later/.env
deny file-read-metadata file /w/a/.env
deny file-test-existence file /w/a/.env
deny process-exec file /w/a/.env
deny file-write-create file /w/a/.env
deny file-write-unlink file /w/a/.env
deny file-read-data file /w/.env/below
allow file-read-data file /w/.envrc
allow file-read-data file /w/x.env
allow file-read-data file /other/.env
deny file-read-data file /w/conf/a.key
deny file-read-data file /w/conf/n\nl.key
deny file-read-data file /w/conf/\xff.key
allow file-read-data file /w/conf/sub/a.key
allow file-write-create file /w/conf/a.keys
deny file-read-data file /private/tmp/secret
deny file-read-data file /private/tmp/s\xc3\xa9cret
allow file-read-data file /private/tmp/seecret
deny file-read-data file /v/a/x
deny file-read-data file /v/b/x
allow file-read-data file /v/c/x
deny file-write-unlink directory /w/conf
deny file-write-unlink directory /w/any
deny file-write-unlink directory /w/any/deep
allow file-write-unlink file /w/any/file
allow file-write-create directory /w/any
allow file-write-unlink directory /private/tmp/any
END
# With no other writable place, a directory can only be moved to where the
# pattern still holds.
globs '[{path: "/", access: "read"}, {path: "/w", access: "write"}]' '/w/**/keys/*.pem'
decide "one root" <<'END'
allow file-write-unlink directory /w/any
deny file-write-unlink directory /w/any/keys
deny file-write-unlink directory /w/keys
deny file-write-unlink directory /w
deny file-read-data file /w/any/keys/a.pem
END
globs '[{path: "/", access: "read"}, {path: "/w", access: "write"}]' '/w/a/**/.env'
decide "a root around the pattern" <<'END'
deny file-write-unlink directory /w/a/x
deny file-write-unlink directory /w/a
allow file-write-unlink directory /w/b
END
globs "$open" '/*/top' '/**/deep' '/w/all/**'
decide "patterns at the top" <<'END'
deny file-read-data file /w/top
deny file-read-data file /private/tmp/top
allow file-read-data file /private/other/top
deny file-read-data file /private/tmp/a/deep
deny file-read-data file /deep
deny file-read-data file /w/all/x/y
allow file-read-data directory /w/all
END
mkdir "$ws/real"
ln -s real "$ws/link"
globs '[{path: "/", access: "read"}]' "$ws/link/*.key"
real=/private$ws/real
decide "a directory that is a link" <<END
deny file-read-data file $real/a.key
deny file-read-data file ${real%real}link/a.key
allow file-read-data file $real/a.txt
END

export SBPL_CACHE=$scratch/cache
globs=$(long 50 150)
run "$TESTS/property/sbpl/globs" 1 "$globs"
is "random globs, against a matcher without expressions" "$status $(head -n 1 "$scratch/.out")" \
	"0 globs $globs pairs $((globs * 80)) differences 0"
like "... both answers" "$(tail -n 1 "$scratch/.out")" '^# denied [1-9][0-9]{2,}'
finish
