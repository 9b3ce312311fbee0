#include "probe.h"

#include "error.h"

int probe_report(const struct machine *machine)
{
	return machine->userns || machine->bwrap_userns ? 0 : EXIT_UNAVAILABLE;
}
