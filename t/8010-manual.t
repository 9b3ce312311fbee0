#!/bin/bash
# The manual tells the truth: no option that the program has not, pages that
# exist, examples that work as printed.  (0020 compares the lists of options.)
. "${0%/*}/lib/lib.sh"
export HOME=$scratch/home
mkdir -m 700 "$HOME" "$HOME/.codex"

help_options() { "$SBX/$1" --help | sed -nE 's/^  (-(.), |    )--([a-z-]+).*$/-\3 \2/p' | tr ' ' '\n' | grep . | sort -u; }
for file in "$SBX"/sbx-*; do help_options "${file##*/}"; done | sort -u >"$scratch/all"

# Words behind Fl anywhere in a page: -long or a letter; "-" alone ends options.
mentioned() {
	tr ' ' '\n' <"$1" | awk 'flag && /^[A-Za-z-]+$/ && $0 != "-" { print } { flag = ($0 == "Fl" || $0 == ".Fl") }' | sort -u
}
unknown() { comm -23 <(mentioned "$1") "$2"; }

pages=0
for page in "$SHARE"/man/*.[1-9]; do
	name=${page##*/}
	pages=$((pages + 1))
	case $name in
	*.1) help_options "${name%.1}" >"$scratch/own" ;;
	*) cp "$scratch/all" "$scratch/own" ;;
	esac
	is "$name: no option that is not there" "$(unknown "$page" "$scratch/own")" ""
	# Pages of ours that are referred to.
	missing=
	while read -r other section; do
		[ -e "$SHARE/man/$other.$section" ] || missing+="$other($section) "
	done < <(sed -nE 's/^\.Xr (sbx[a-z-]*) ([0-9]).*/\1 \2/p' "$page")
	is "$name: refers to pages that exist" "$missing" ""
	like "$name: has the name it says" "$(grep '^\.Dt' "$page")" "^\\.Dt $(tr '[:lower:].' '[:upper:] ' <<<"$name")\$"
	if have PROGRAM mandoc; then
		run mandoc -Tlint "$page"
		is "$name: correct mdoc" "$(grep -v 'referenced manual not found' <<<"$out")" ""
	fi
done
ok "control: there were pages" test "$pages" -ge 11
for page in sbx.7 sbx-document.5 sbx-config.5 sbx-rules.5; do
	ok "$page is there" test -s "$SHARE/man/$page"
done
printf '.It Fl -no-such-option\n.Op Fl -sandbox Ar X\n' >"$scratch/page.1"
is "control: an option that is not there is found" "$(unknown "$scratch/page.1" "$scratch/all")" -no-such-option

# Commands in examples: each program of a pipe has the options before its "--".
wrong=
examples=0
while IFS= read -r line; do
	while IFS= read -r part; do
		read -ra words <<<"$part"
		[ ${#words[@]} -gt 0 ] || continue
		case ${words[0]} in sbx-*) ;; *) continue ;; esac
		examples=$((examples + 1))
		help_options "${words[0]}" >"$scratch/own"
		for word in "${words[@]:1}"; do
			[ "$word" != -- ] || break
			case $word in
			--*) grep -qxe "-${word#--}" "$scratch/own" || wrong+="${words[0]} $word; " ;;
			-?) grep -qxe "${word#-}" "$scratch/own" || wrong+="${words[0]} $word; " ;;
			esac
		done
	done < <(tr '|' '\n' <<<"$line" | sed -E 's/^.*\$\(|^[ $]*//; s/\)"$//')
done < <(grep -hE '^(\.Dl .*sbx-|[ $]*sbx-[a-z-]+ )' "$SHARE"/man/*.[1-9] | sed -E 's/^\.Dl //; s/\\\(dq/"/g; s/\\-/-/g')
is "the options in examples are there" "$wrong" ""
ok "control: there were examples" test "$examples" -ge 20

# literal PAGE: what stands in its displays, as a person would copy it.
literal() { awk '/^\.Bd -literal/ { show = 1; next } /^\.Ed/ { show = 0 } show' "$SHARE/man/$1" | sed 's/\\-/-/g'; }
cd "$ws" || exit 1
literal sbx-rules.5 >"$scratch/my.rules"
run "$SBX/sbx-approve" --check-rules "$scratch/my.rules" -- git push
is "the rules of sbx-rules(5) are correct" "$status $(jq -r .decision <<<"$out")" "0 prompt"

# Without what is the administrator's, and not both ways to say one thing.
literal sbx-config.5 | sed '/^\[requirements\]/,$d; /^sandbox_mode/d' >"$scratch/plain"
{
	grep '^default_permissions' "$scratch/plain"
	grep -v '^default_permissions' "$scratch/plain"
} | sed "s|/srv/cache|$outside|" >"$HOME/.codex/config.toml"
mkdir "$HOME/scratch" "$HOME/.cache"
run "$SBX/sbx-policy" -- true
is "the configuration of sbx-config(5) is read" "$status $err" "0 "
is "... and is in the policy" "$(jq -r '.policy.permission_set' <<<"$out")" review
run "$SBX/sbx-policy" -p ci -- true
is "... its profile too" "$(jq -r .policy.approval_policy <<<"$out")" never
sed 's/^exclude = .*/exclude = 1/' "$HOME/.codex/config.toml" >"$scratch/bad" && cp "$scratch/bad" "$HOME/.codex/config.toml"
run "$SBX/sbx-policy" -- true
is "control: a wrong value in it would be an error" "$status" 3
rm "$HOME/.codex/config.toml"

literal sbx-policy.1 >"$scratch/assertions"
mkdir src
run "$SBX/sbx-policy" -s workspace-write --network loopback --test "$scratch/assertions"
like "the assertions of sbx-policy(1) are read" "$status $out" '^1 .*deny (read|connect)'

# The same list in two places: keys of the configuration, presets, exit codes.
keys=$ROOT/sbx-policy/config/known_keys.c
if [ -e "$keys" ]; then
	undocumented=
	while read -r key; do
		last=${key%.\*}
		grep -qE "(^|[^a-z_])${last##*.}([^a-z_]|\$)" "$SHARE/man/sbx-config.5" || undocumented+="$key "
	done < <(sed -nE 's/^ *\{"([a-z_.*]+)", [A-Z]+, .*/\1/p' "$keys")
	is "sbx-config(5) has every key" "$undocumented" ""
fi
while read -r preset; do
	grep -qE "(^|[^a-z])${preset#cache:}([^a-z]|\$)" "$SHARE/man/sbx-policy.1" || fail "sbx-policy(1) has the preset $preset"
done < <(sed -n 's/^PRESET("\([^"]*\)".*/\1/p' "$SHARE/presets" | sort -u)
finish
