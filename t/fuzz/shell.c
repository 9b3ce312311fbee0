/*
 * Fuzzing the analysis of commands: the splitter, the search for dangerous
 * commands and the safe table, on the same text.
 *
 * What must hold: nothing crashes, leaks or runs away; a script that is split
 * has words in every part, and none of the bytes outside of quotes that a
 * shell would expand.
 */
#include "base/cleanup.h"
#include "base/memory.h"
#include "command/analysis.h"
#include "must.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup_free char *text = xstrndup((const char *)data, size);
	char shell[] = "/bin/sh", flag[] = "-c";
	char *argv[] = {shell, flag, text, NULL};
	struct command command = {0};
	struct site_memory memory = {0};
	struct analysis analysis;
	struct script script;
	struct site site;

	if (split(text, &script)) {
		for (size_t i = 0; i < script.count; i++)
			if (!script.segments[i].argv[0][0])
				__builtin_trap();
		if (strpbrk(text, "`") && !strchr(text, '\''))
			__builtin_trap();
		script_free(&script);
	}
	site_look(&site, &command, NULL, &memory);
	analyse(argv, &site, &analysis);
	analysis_free(&analysis);
	return 0;
}
