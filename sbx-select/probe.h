/*
 * What works on this machine, and what would cure the rest?
 *
 * The report of --probe; its last line is the one to type.
 */
#ifndef SBX_SELECT_PROBE_H
#define SBX_SELECT_PROBE_H

#include "machine.h"

/* Prints it; 0 when a sandbox for workspace-write is available, else 4. */
int probe_report(const struct machine *machine);

/*
 * What does one line of --probe say?
 */

enum grade {
	FINDING_OK,
	FINDING_NOTE, /* works, with less than there could be */
	FINDING_FAIL, /* does not work */
	FINDING_NONE, /* does not apply here: no line */
};

struct finding {
	enum grade grade;
	char detail[512]; /* why, or what was found; may be empty */
	const char *cure; /* for a note or a failure */
};

/* A question to the machine. */
struct check {
	const char *name;
	void (*look)(const struct machine *machine, struct finding *finding);
};

/* Fills a finding; the detail is a format. */
void finding_set(struct finding *finding, enum grade grade, const char *cure, const char *fmt, ...)
        __attribute__((format(printf, 4, 5)));

/* By platform; each list ends with a NULL name. */
extern const struct check linux_checks[];
extern const struct check macos_checks[];
extern const struct check windows_checks[];

#endif
