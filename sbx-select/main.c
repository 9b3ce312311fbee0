/*
 * sbx-select: which sandbox works here?
 */
#include "document/options.h"
#include "document/platform.h"
#include "document/stage.h"
#include "machine.h"
#include "probe.h"
#include "select.h"

#include <errno.h>
#include <stdbool.h>

enum own {
	OWN_PLATFORM,
	OWN_PROBE,
};

static const struct option own_options[] = {
        {OWN_PLATFORM, "platform", 0, "NAME",
         "linux, macos, windows, oci, kubernetes or systemd; default: this machine's"},
        {OWN_PROBE, "probe", 0, NULL,
         "say what works on this machine, and the cure for what does not"},
        {0},
};

static const struct program program = {
        .name = "sbx-select",
        .synopsis = "[--platform NAME] [--probe] <documents >documents",
        .purpose = "Chooses the sandbox for each document, and adds \"sandbox\".",
        .tables = {own_options},
        .notes = "Status: 0 documents written, 2 wrong usage, 3 bad input, 4 that sandbox is not\n"
                 "available, 5 a system call failed.\n"
                 "\n"
                 "  sbx-select --probe\n"
                 "  sbx-policy --auto -- make | sbx-approve | sbx-select\n"
                 "\n"
                 "More in sbx-select(1).",
};

static int work(json_t *doc, void *context, struct error *err)
{
	const struct machine *machine = context;

	if (machine->unknown) {
		errno = machine->unknown;
		return error_system(err, "looking at /proc/self");
	}
	return select_sandbox(doc, context, err);
}

int main(int argc, char **argv)
{
	const char *platform = platform_own();
	const struct option *option;
	struct machine machine;
	struct options options;
	struct error err = {0};
	const char *value;
	bool probe = false;

	stage_begin(program.name);
	options_begin(&options, &program, argc, argv);
	while ((option = options_next(&options, &value, &err)) != NULL) {
		switch ((enum own)option->id) {
		case OWN_PROBE:
			probe = true;
			break;
		case OWN_PLATFORM:
			platform_parse(value, &platform, &err);
			break;
		}
		if (err.exit)
			break;
	}
	if (err.exit || options_end(&options, &err) < 0)
		return stage_fail(&err);
	machine_look(&machine, platform, probe);
	return probe ? probe_report(&machine) : stage_stream(work, &machine);
}
