/*
 * Which questions does --probe ask of macOS and Windows?
 */
#include "probe.h"

static void look_sandbox_exec(const struct machine *machine, struct finding *finding)
{
	if (machine->foreign)
		finding_set(finding, FINDING_NOTE, "run sbx-select --probe on macOS",
		            "assumed to be there: this is another system");
	else if (machine->sandbox_exec)
		finding_set(finding, FINDING_OK, NULL, "/usr/bin/sandbox-exec");
	else
		finding_set(finding, FINDING_FAIL, "use a macOS that has it",
		            "/usr/bin/sandbox-exec cannot be executed");
}

static void look_restricted_token(const struct machine *machine, struct finding *finding)
{
	(void)machine;
	finding_set(finding, FINDING_NOTE, "-c features.enable_experimental_windows_sandbox=true",
	            "used only when the feature is switched on");
}

const struct check macos_checks[] = {
        {"sandbox-exec", look_sandbox_exec},
        {0},
};

const struct check windows_checks[] = {
        {"restricted tokens", look_restricted_token},
        {0},
};
