# shellcheck shell=bash disable=SC2154
# A client of sbx-run --mcp, in Python: what it claims become tests.

# claims [NAME=VALUE...] <SCRIPT: each claim() in it is a test; a script that fails is one, too
claims() {
	local what got wanted
	cat >"$scratch/client.py"
	env SBX="$SBX" WS="$ws" OUTSIDE="$outside" SCRATCH="$scratch" PYTHONPATH="$TESTS/helper" \
		PYTHONDONTWRITEBYTECODE=1 "$@" python3 "$scratch/client.py" >"$scratch/claims" 2>"$scratch/said"
	is "the client gets through: ${0##*/}" "$?$(head -c 2000 "$scratch/said")" 0
	while IFS=$'\t' read -r what got wanted; do
		is "$what" "$got" "$wanted"
	done <"$scratch/claims"
}
