# shellcheck shell=bash disable=SC2154
# A person's stand-in: a program that answers as it was told, and keeps what it
# was asked in $scratch/asked.

export HOME=$scratch/home XDG_RUNTIME_DIR=$scratch/run
mkdir "$HOME"
mkdir -m 700 "$XDG_RUNTIME_DIR"
cat >"$scratch/approver" <<END
#!/bin/sh
cat >>$scratch/asked
cat $scratch/answer
END
chmod 755 "$scratch/approver"

# answer JSON: what it says from now on
answer() { printf '%s\n' "$1" >"$scratch/answer"; }

# How many questions it got.
asked() { if [ -e "$scratch/asked" ]; then wc -l <"$scratch/asked"; else echo 0; fi; }
