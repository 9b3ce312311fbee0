/*
 * Fuzzing the words of the list of hosts.
 *
 * What must hold: nothing crashes; what is accepted has one spelling, which
 * means the same; a name that is accepted is none that inet_aton() would take
 * for an address; a rule covers what it names.
 */
#include "hosts/host_rule.c"
#include "hosts/hosts.c"

#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup_free char *text = xstrndup((const char *)data, size);
	cleanup_free char *spelled = NULL;
	struct host_rule rule, again;
	struct in_addr number;
	struct error err = {0};

	if (host_rule_parse(text, &rule, &err) < 0) {
		must(err.exit == EXIT_INPUT && err.message[0]);
		return 0;
	}
	spelled = host_rule_text(&rule);
	must(host_rule_parse(spelled, &again, &err) == 0);
	must(memcmp(&rule, &again, sizeof(rule)) == 0);
	must(rule.kind == HOST_NETWORK ? host_rule_has_address(&rule, &rule.address)
	                               : inet_aton(rule.name, &number) == 0);
	must(host_rule_has_name(&rule, rule.name) ==
	     (rule.kind == HOST_NAME || rule.kind == HOST_AT_OR_BELOW ||
	      rule.kind == HOST_ANY_NAME));
	return 0;
}
