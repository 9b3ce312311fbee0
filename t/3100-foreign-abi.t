#!/bin/bash
# System calls by the numbers of another ABI do not pass the filter.
. "${0%/*}/lib/lib.sh"
need X86_64

unboxed "$TRY" int80-getpid
if [ "$out" = "int80-getpid ok" ]; then
	pass "control: int 0x80 works without the sandbox"
else
	skip "control: int 0x80 works without the sandbox" "this kernel has no 32-bit calls"
fi
networks=(off on)
! have NAMESPACES || networks+=(hosts)
for network in "${networks[@]}"; do
	set_box --network "$network"
	refused "$network: socket by its i386 number" int80
	refused "$network: any call by int 0x80" int80-getpid
	refused "$network: socket by its x32 number" x32
done
finish
