# shellcheck shell=bash disable=SC2154
# An internet of the test's own: read this before lib.sh.  The test starts
# again in a network namespace whose loopback has the addresses of $zone, with servers
# on them (helper/internet) and a resolv.conf that names its name server.  An ordinary
# user is one in there as well.
#
#	zone='a.example A 192.0.2.10'
#	. "${0%/*}/lib/internet.sh"
#	. "${0%/*}/lib/lib.sh"
#
# $internet/log says what was asked for and reached; $internet_server is the servers'
# process.  203.0.113.0/24 and
# 2001:db8:113::/48 are not on the loopback, and are so the machine's own.

internet_begin() {
	local here address
	here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
	ip link set lo up || return 1
	case $zone in
	*203.0.113.* | *2001:db8:113:*) ip link add own0 type veth && ip link set own0 up || return 1 ;;
	esac
	for address in $(tr ' ' '\n' <<<"192.0.2.53 $zone" | grep -E '^[0-9.]+$|:' | sort -u); do
		case $address in
		127.* | 169.254.* | ::* | 192.0.2.99) ;;
		203.0.113.*) ip addr add "$address/32" dev own0 || return 1 ;;
		2001:db8:113:*) ip -6 addr add "$address/128" dev own0 nodad || return 1 ;;
		*:*) ip -6 addr add "$address/128" dev lo nodad || return 1 ;;
		*) ip addr add "$address/32" dev lo || return 1 ;;
		esac
	done
	printf '%s\n' "$zone" >"$internet/zone"
	if command -v openssl >/dev/null; then
		openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=example \
			-addext 'subjectAltName=DNS:a.example,DNS:b.example' -keyout "$internet/key" -out "$internet/ca" 2>/dev/null &&
			cat "$internet/ca" "$internet/key" >"$internet/zone.pem"
	fi
	printf 'nameserver 192.0.2.53\nsearch home.test\n' >"$internet/resolv.conf"
	printf 'passwd: files\nhosts: files dns\n' >"$internet/nsswitch.conf"
	printf '127.0.0.1 localhost\n192.0.2.10 known.example\n' >"$internet/hosts"
	for file in resolv.conf nsswitch.conf hosts; do
		mount --bind "$internet/$file" "$(realpath "/etc/$file")" || return 1
	done
	/usr/bin/python3 "$here/helper/internet" "$internet/zone" "$internet/log" "$internet/ready" &
	internet_server=$!
	export internet_server
	until [ -e "$internet/ready" ]; do
		kill -0 "$internet_server" || return 1
		read -rt 0.05 <> <(:) || :
	done
}

case ${internet_stage-} in
'')
	internet=$(mktemp -d /var/tmp/sbx-internet.XXXXXX) || exit 1
	chmod 755 "$internet"
	export internet
	if [ "$(id -u)" = 0 ]; then
		new=(unshare -n -m --propagation private)
	else
		new=(unshare -U -r -n -m --propagation private)
	fi
	"${new[@]}" true 2>/dev/null || {
		rm -rf "$internet"
		echo "1..0 # SKIP no network namespace of our own can be had here"
		exit 0
	}
	internet_stage=namespace internet_user=$(id -u) internet_group=$(id -g) "${new[@]}" "$BASH" "$0" "$@"
	internet_status=$?
	rm -rf "$internet"
	if [ "$internet_status" = 77 ]; then
		echo "1..0 # SKIP no network namespace of our own can be had here"
		exit 0
	fi
	exit "$internet_status"
	;;
namespace)
	export internet_user internet_group
	internet_begin >&2 || exit 77
	export internet_stage=inside
	if [ "$internet_user" = 0 ]; then
		"$BASH" "$0" "$@"
	else
		unshare -U --map-user="$internet_user" --map-group="$internet_group" "$BASH" "$0" "$@"
	fi
	internet_status=$?
	kill "$internet_server"
	exit "$internet_status"
	;;
esac
