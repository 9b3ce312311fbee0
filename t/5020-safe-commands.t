#!/bin/bash
# Which commands are known to be safe, and every way in which one is not.
. "${0%/*}/lib/lib.sh"
. "$TESTS/lib/documents.sh"
export HOME=$scratch/home PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
mkdir "$HOME"

# class CLASS JQ-FILTER DESCRIPTION
declare -A decision=([safe]=skip [unknown]=denied [dangerous]=denied)
class() { claim "$1: ${3:0:200}" "$1 ${decision[$1]}" "$2 | .policy.approval_policy = \"untrusted\""; }
# As JSON.
words() {
	local word text=
	for word; do
		word=${word//\\/\\\\}
		word=${word//\"/\\\"}
		text+=,\"${word//$'\n'/\\n}\"
	done
	echo "[${text#,}]"
}
safe() { class safe ".command.argv = $(words "$@")" "$*"; }
unsafe() { class unknown ".command.argv = $(words "$@")" "$*"; }
dangerous() { class dangerous ".command.argv = $(words "$@")" "$*"; }

while read -ra line; do safe "${line[@]}"; done <<'END'
ls
ls -la --color=never /etc
/bin/ls
/usr/bin/cat file
cat -- -n
grep -rn --include=*.c main .
head -n 3 x
wc -l
find . -name *.c -mtime -3 -print0
sed -n 3p
sed -n 1,20p file
rg -n foo src
base64 -d x
uniq -c x
sort -k 2 -n x
date +%s
cut -d: -f1
tail -f log
stat x
which cc
END
safe bash -lc 'ls -l && cat x | head -n 2; pwd'
safe /bin/sh -c "grep 'a b' x || true"
safe zsh -c 'ls'

while read -ra line; do unsafe "${line[@]}"; done <<'END'
./ls
bin/ls
/tmp/ls
/usr/bin/../../tmp/ls
//usr/bin/ls
/usr/bin//ls
git status
git log
git -p diff
git -c core.pager=x log
git diff --ext-diff
git show --textconv
cargo check
make
python3 -c 1
env ls
xargs ls
sudo ls
nohup ls
awk 1 x
tee x
diff -l a b
file -z x
printf -v x y
test -v x
rg --pre x y
rg --pre=x y
rg --hostname-bin x y
rg --hostname-bin=x y
rg --search-zip y
rg -z y
rg -nz y
rg -uuz y
rg --search y
find . -exec ls ;
find . -execdir ls ;
find . -ok ls ;
find . -okdir ls ;
find . -fls x
find . -fprint x
find . -fprint0 x
find . -fprintf x y
find . -unknown
sed s/a/b/ x
sed -n s/a/b/e
sed -n 1e
sed -n 1w
sed -n 1,2w x
sed -n -i 1p x
sed -i -n 1p
sed -n 1p -i
sed -n 1p -s
sed -n 1p a b
sed -n $p x
sed -n 1,p x
sed -n 1p -e1e
sed -ne 1p
base64 -o x
base64 -ox
base64 -do x
base64 --output x
base64 --output=x
base64 --out=x
uniq a b
uniq -- a b
uniq -c a b
uniq -- -a b
sort -o x
sort -ox
sort -no x
sort --output=x
sort --out x
sort --compress-program=x y
sort --compress=x y
sort -k -- -o x
sort -T x
date -s x
date 01010101
END
unsafe bash -c 'ls > x'
unsafe bash -c 'ls; ./x'
unsafe bash -c 'export PAGER=x; ls'
unsafe bash -c 'PATH=. ls'
unsafe bash -c 'ls $(x)'
unsafe bash -c 'ls' x
unsafe bash -xc 'ls'
unsafe bash -c '-x'
unsafe bash --rcfile x -c 'ls'
unsafe ./bash -c 'ls'
unsafe fish -c 'ls'

# The environment of the command.
class safe '.command.argv = ["ls"] | .command.env = {PATH: "/usr/bin:/bin"}' "with a PATH of the system"
class safe '.command.argv = ["ls"] | .command.env = {PATH: "/usr/bin:/bin", EDITOR: "x"}' "with a harmless variable"
for name in LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV ENV ZDOTDIR 'BASH_FUNC_ls%%' \
	SHELLOPTS PS4 IFS GCONV_PATH RIPGREP_CONFIG_PATH POSIXLY_CORRECT; do
	class unknown ".command.argv = [\"ls\"] | .command.env = {PATH: \"/usr/bin:/bin\", \"$name\": \"x\"}" "$name in its environment"
done
mkdir "$scratch/bin"
cp /bin/true "$scratch/bin/ls"
class unknown ".command.argv = [\"ls\"] | .command.env = {PATH: \"$scratch/bin:/usr/bin\"}" "another ls first in PATH"
class unknown '.command.argv = ["ls"] | .command.env = {PATH: ".:/usr/bin"}' "a relative PATH"
class unknown '.command.argv = ["ls"] | .command.env = {PATH: ":/usr/bin"}' "an empty entry in PATH"
class safe ".command.argv = [\"cat\"] | .command.env = {PATH: \"$scratch/bin:/usr/bin\"}" "control: a PATH that has another ls, for cat"
ln -s /bin/ls "$scratch/bin/head"
class unknown ".command.argv = [\"head\"] | .command.env = {PATH: \"$scratch/bin:/usr/bin\"}" "a link first in PATH"
class unknown '.command.argv = ["sh", "-lc", "ls"] | .command.env = {PATH: "/usr/bin", HOME: "/elsewhere"}' "a login shell with another HOME"
class safe ".command.argv = [\"sh\", \"-lc\", \"ls\"] | .command.env = {PATH: \"/usr/bin\", HOME: \"$HOME\"}" "control: with the caller's HOME"
class unknown '.command.argv = ["ls"] | .policy.permissions.fs += [{path: "/usr", access: "write"}]' "a system directory that the sandbox can write"
class unknown '.command.argv = ["ls"] | .policy.permissions.fs = [{path: "/", access: "write"}]' "everything can be written"

# Dangerous, in any syntax.
dangerous rm -rf x
dangerous rm -f x
dangerous rm -r x
dangerous rm --force x
dangerous rm --forc x
dangerous rm -vfi x
dangerous /bin/rm -rf x
dangerous ./rm -rf x
dangerous sudo rm -rf x
dangerous sudo -u root rm -rf x
dangerous env -i X=1 rm -rf x
dangerous xargs -0 rm -rf
dangerous nice -n 3 rm -rf x
dangerous find . -exec rm -rf '{}' +
dangerous find . -delete
dangerous bash -c 'rm -rf x'
dangerous bash -lc 'cd x && rm -rf .'
dangerous bash -c 'rm -rf $X'
dangerous sh -c 'for i in *; do rm -rf "$i"; done'
dangerous sh -c 'if true; then rm -rf x; fi'
dangerous sh -c 'echo $(rm -rf x)'
dangerous sh -c 'echo "$(rm -rf x)"'
dangerous sh -c 'echo `rm -rf x`'
dangerous sh -c 'X=1 rm -rf x'
dangerous sh -c '! rm -rf x'
dangerous sh -c "r''m -rf x"
dangerous sh -c '\rm -rf x'
dangerous sh -c '"rm" -rf x'
dangerous sh -c 'rm -rf x > /dev/null 2>&1 &'
dangerous sh -c '(rm -rf x)'
dangerous sh -c "trap 'rm -rf x' EXIT"
dangerous sh -c "eval 'rm -rf x'"
dangerous sh -c "sh -c 'sudo rm -rf x'"
dangerous sh -c $'cat <<E\nrm -rf x\nE'
dangerous git reset --hard
dangerous git -C x reset
dangerous git clean -fd
dangerous git push --force
dangerous dd if=x of=/dev/sda
dangerous mkfs.ext4 /dev/sda
dangerous shutdown now
unsafe rm x
unsafe git push
unsafe dd if=x of=y
safe echo rm -rf x
safe bash -c "echo 'rm -rf x'"
deep='rm -rf x'
for _ in 1 2 3 4 5 6 7 8 9 10 11; do deep="sh -c $(printf %q "$deep")"; done
dangerous sh -c "$deep"
long=$(printf 'rm %.0s' $(seq 20000))
dangerous sh -c "$long; (true)"
many=$(printf 'ls; %.0s' $(seq 10000))
dangerous sh -c "$many rm -rf x"
safe sh -c "$many ls"
judge '"\(.approval.command_class) \(.approval.decision)"' sbx-approve
finish
