#!/bin/bash
# Our programs execute and load nothing that the environment names.
. "${0%/*}/lib/lib.sh"

marker=$outside/marker
evil=$ws/evil
printf '#!/bin/sh\ntouch "%s"\nexec "/usr/bin/${0##*/}" "$@"\n' "$marker" >"$evil"
chmod +x "$evil"
for name in bwrap sbx-bwrap sbx-policy sbx-approve sbx-select sbx-wrap sbx-linux-sandbox \
	sh bash git ip cat true; do
	cp "$evil" "$ws/$name"
done
# Outside by effect: the marker cannot be made from inside.
unboxed "$evil"
ok "control: the program makes its marker outside" test -e "$marker"
rm -f "$marker"

run env PATH="$ws:$PATH" "${box[@]}" /bin/echo ran
is "PATH with the workspace first: the command runs" "$out" ran
ok "PATH with the workspace first: nothing of it runs outside" absent "$marker"
(cd "$ws" && PATH=".:$PATH" "$SBX/sbx-run" -s workspace-write -a never -- /bin/echo ran) >"$scratch/o" 2>&1
is "PATH with . first: the command runs" "$(cat "$scratch/o")" ran
ok "PATH with . first: nothing of it runs outside" absent "$marker"
run env -u PATH "${box[@]}" /bin/echo ran
is "no PATH: an absolute command runs" "$out" ran

if ! have RELEASE; then
	skip "LD_PRELOAD" "the sanitizers need a dynamic program; a release has none"
elif have PROGRAM gcc; then
	cat >"$scratch/evil.c" <<END
#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void run(void)
{
	close(open("$marker", O_CREAT | O_WRONLY, 0644));
}
END
	gcc -shared -fPIC -o "$ws/evil.so" "$scratch/evil.c"
	run env LD_PRELOAD="$ws/evil.so" /bin/true
	ok "control: LD_PRELOAD runs code in an ordinary program" test -e "$marker"
	rm -f "$marker"
	mkdir "$ws/lib"
	for library in libc.so.6 libjansson.so.4 libseccomp.so.2 libcap.so.2; do
		cp "$ws/evil.so" "$ws/lib/$library"
	done
	for variable in LD_PRELOAD="$ws/evil.so" LD_AUDIT="$ws/evil.so" LD_LIBRARY_PATH="$ws/lib" \
		GCONV_PATH="$ws" LOCPATH="$ws" GLIBC_TUNABLES=x LD_DEBUG_OUTPUT="$outside/debug"; do
		run env "$variable" "${box[@]}" /bin/true
		ok "${variable%%=*}: nothing of the workspace is loaded outside" absent "$marker"
		rm -f "$marker"
	done
	for program in sbx-policy sbx-approve sbx-select sbx-wrap sbx-run sbx-linux-sandbox; do
		run env LD_PRELOAD="$ws/evil.so" "$SBX/$program" --help
		ok "$program: LD_PRELOAD loads nothing" absent "$marker"
		rm -f "$marker"
	done
else
	skip "LD_PRELOAD" "no gcc"
fi

hostile=(IFS=/ ENV="$evil" BASH_ENV="$evil" SHELL="$evil" EDITOR="$evil" PAGER="$evil"
	GIT_SSH_COMMAND="$evil" GIT_EXTERNAL_DIFF="$evil" GIT_EXEC_PATH="$ws" GIT_DIR="$outside"
	GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0="$evil"
	PYTHONSTARTUP="$evil" PYTHONPATH="$ws" PERL5OPT=-Mevil NODE_OPTIONS="--require $evil"
	"BASH_FUNC_true%%=() { touch $marker; }" HOME="$ws" XDG_RUNTIME_DIR="$ws" XDG_CONFIG_HOME="$ws")
run env "${hostile[@]}" "${box[@]}" /bin/echo ran
is "hostile variables: the command runs" "$out" ran
ok "hostile variables: nothing of the workspace runs outside" absent "$marker"
run env -i "${box[@]}" /bin/echo ran
is "an empty environment: the command runs" "$out" ran

# What talks to the launcher is not passed on.
run "$SBX/sbx-approve" --serve -- sh -c 'echo "${SBX_SESSION:+set}"'
is "control: a session is in the environment of its own command" "$out" set
run "$SBX/sbx-approve" --serve -- "${box[@]}" sh -c 'echo "${SBX_SESSION-unset}"'
is "SBX_SESSION is not in the environment inside" "$out" unset
finish
