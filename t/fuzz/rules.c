/*
 * Fuzzing the reader of rules.
 *
 * What must hold: nothing crashes or leaks; an error names the file and a line
 * inside the text; a rule has a prefix and a decision.
 */
#include "must.h"
#include "rules/read_rules.h"

#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rules rules = {0};
	struct error err = {0};
	unsigned line = 0, lines = 1;

	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	if (rules_add(&rules, (const char *)data, size, "f", &err) < 0) {
		if (err.exit != EXIT_INPUT || sscanf(err.message, "f:%u: ", &line) != 1 ||
		    line < 1 || line > lines)
			__builtin_trap();
	} else {
		for (size_t i = 0; i < rules.count; i++)
			if (!rules.rules[i].length || !rules.rules[i].decision)
				__builtin_trap();
	}
	rules_free(&rules);
	return 0;
}
