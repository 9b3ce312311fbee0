#include "filter/filter_rule.h"

#include <sched.h>
#include <string.h>

bool rule_applies(const struct rule *rule, const struct seccomp_choice *choice)
{
	bool off = choice->net == NET_OFF || choice->net == NET_OFF_TOLD;

	switch (rule->when) {
	case ALWAYS:
		return true;
	case UNLESS_NESTED:
		return !choice->nested;
	case UNLESS_DEBUGGED:
		return !choice->debugged;
	case OFF:
		return off;
	case OFF_UNTOLD:
		return choice->net == NET_OFF;
	case OFF_UNWATCHED:
		return off && choice->watch == WATCH_NONE;
	case INTERNET:
		return choice->net != NET_OFF;
	case INTERNET_UNWATCHED:
		return choice->net != NET_OFF && choice->watch == WATCH_NONE;
	case ON_WATCHED:
		return choice->net == NET_ON && choice->watch != WATCH_NONE;
	case ROOT_ONLY:
		return choice->root;
	case ALONE:
		return choice->alone;
	case NO_WRITES:
		return choice->no_writes;
	case BROKERED:
		return choice->brokered;
	}
	return true;
}

bool rule_is_for_root(const struct rule *rule)
{
	static const char *const names[] = {
	        "mount",         "umount2",       "pivot_root",     "chroot",
	        "move_mount",    "fsopen",        "fspick",         "mount_setattr",
	        "setns",         "reboot",        "kexec_load",     "kexec_file_load",
	        "init_module",   "finit_module",  "swapon",         "swapoff",
	        "delete_module", "acct",          "iopl",           "ioperm",
	        "settimeofday",  "clock_settime", "lookup_dcookie", "open_by_handle_at",
	};

	/* With a user namespace, whose rule is the first, anybody can have the others. */
	if (strcmp(rule->name, "clone") == 0 || strcmp(rule->name, "unshare") == 0)
		return rule->tests[0].value != CLONE_NEWUSER;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(rule->name, names[i]) == 0)
			return true;
	return false;
}

static bool holds(enum test test, uint64_t argument, uint64_t value)
{
	switch (test) {
	case ANY:
		return true;
	case BITS:
		return (argument & value) == value;
	case LOW_IS:
		return (argument & 0xffffffffU) == value;
	case TYPE_IS:
		return (argument & 0xfU) == value;
	case IS:
		return argument == value;
	case IS_NOT:
		return argument != value;
	case BELOW:
		return argument < value;
	case ABOVE:
		return argument > value;
	}
	return true;
}

bool rule_matches(const struct rule *rule, const uint64_t *arguments)
{
	for (size_t i = 0; i < 2; i++)
		if (!holds(rule->tests[i].test, arguments[rule->tests[i].argument],
		           rule->tests[i].value))
			return false;
	return true;
}
