#include "probe.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/fold.h"
#include "base/memory.h"
#include "fs/path.h"
#include "linux/landlock_fit.h"
#include "obstacle.h"
#include "policy/permissions.h"
#include "policy/protected_names.h"
#include "process/sibling.h"
#include "trial.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void finding_set(struct finding *finding, enum grade grade, const char *cure, const char *fmt, ...)
{
	va_list ap;

	finding->grade = grade;
	finding->cure = cure;
	va_start(ap, fmt);
	vsnprintf(finding->detail, sizeof(finding->detail), fmt, ap);
	va_end(ap);
}

/* The release and the names of programs are text of others: cleaned. */
static void line(const char *word, const char *name, const char *detail)
{
	struct fold fold = {.out = stdout, .columns = fold_columns(STDOUT_FILENO), .end = "\n"};
	cleanup_free char *clean = fold_shown(detail);
	cleanup_free char *text = xasprintf("%s%s%s", name, *clean ? ": " : "", clean);
	cleanup_free char *head = xasprintf("%-4s ", word);

	fold_ready(&fold, head, text);
}

static void report(const struct check *checks, const struct machine *machine)
{
	static const char *const words[] = {
	        [FINDING_OK] = "ok", [FINDING_NOTE] = "note", [FINDING_FAIL] = "FAIL"};

	for (; checks->name; checks++) {
		struct finding finding = {.grade = FINDING_NONE};

		checks->look(machine, &finding);
		if (finding.grade == FINDING_NONE)
			continue;
		line(words[finding.grade], checks->name, finding.detail);
		if (finding.cure)
			line("", "cure", finding.cure);
	}
}

/* workspace-write as it would be here: the roots and the names protected in them. */
static void workspace_write(struct permissions *permissions)
{
	cleanup_free char *here = realpath(".", NULL);
	const char *const roots[] = {here ? here : "/", "/tmp"};

	permissions_add(permissions, "/", ACCESS_READ);
	for (size_t r = 0; r < 2; r++) {
		permissions_add(permissions, roots[r], ACCESS_WRITE);
		for (const char *const *name = protected_names; *name; name++) {
			cleanup_free char *path = path_join(roots[r], *name);

			permissions_add(permissions, path, ACCESS_READ);
		}
	}
}

/* What would be chosen, by what was seen. */
static const char *linux_backend(const struct machine *machine, struct error *err)
{
	struct permissions permissions = {0};
	const char *backend = NULL;
	bool brokered;

	if (!machine->seccomp) {
		error_set(err, EXIT_UNAVAILABLE, "seccomp", "the kernel has no seccomp filters");
		return NULL;
	}
	if (machine->userns || machine->bwrap_userns)
		return "bubblewrap";
	workspace_write(&permissions);
	if (landlock_fits(&permissions, &brokered, err) == 0)
		backend = brokered ? "landlock, with the broker" : "landlock";
	permissions_free(&permissions);
	return backend;
}

/* ... and runs. */
static const char *linux_works(const struct machine *machine, struct error *err)
{
	const char *backend = linux_backend(machine, err);

	if (!backend || machine->foreign)
		return backend;
	return trial_run(machine, backend, err) == 0 ? backend : NULL;
}

/* Is a program of ours found by its name alone? */
static bool on_path(const char *directory)
{
	size_t len = strlen(directory);

	for (const char *at = getenv("PATH"); at && *at; at += strcspn(at, ":") + (*at == ':')) {
		if (*at == ':')
			continue;
		if (strcspn(at, ":") == len && strncmp(at, directory, len) == 0)
			return true;
	}
	return false;
}

static void say_next(const char *type, bool as_root)
{
	struct error err = {0};
	cleanup_free char *directory = program_directory(&err);
	cleanup_free char *text = NULL, *clean = NULL;
	bool ours = strncmp(type, "sbx-", strlen("sbx-")) == 0;

	text = xasprintf("%s%s%s%s", as_root && geteuid() != 0 ? "sudo " : "",
	                 ours && directory && !on_path(directory) ? directory : "",
	                 ours && directory && !on_path(directory) ? "/" : "", type);
	/* Not folded: it is there to be copied. */
	clean = fold_shown(text);
	printf("next %s\n", clean);
}

/* The one line to type now: the command, or what is in its way. */
static void next(const struct machine *machine, bool works)
{
	struct obstacle obstacle;

	if (works) {
		say_next("sbx-run --auto -- COMMAND", false);
		return;
	}
	obstacle_look(machine, &obstacle);
	if (obstacle.type)
		say_next(obstacle.type, obstacle.as_root);
}

int probe_report(const struct machine *machine)
{
	struct error err = {.message = "not available"};
	const char *backend = NULL;
	bool is_linux = false;

	if (strcmp(machine->platform, "macos") == 0) {
		report(macos_checks, machine);
		backend = machine->sandbox_exec ? "sandbox-exec" : NULL;
	} else if (strcmp(machine->platform, "windows") == 0) {
		report(windows_checks, machine);
		backend = "restricted-token";
	} else {
		is_linux = true;
		report(linux_checks, machine);
		backend = linux_works(machine, &err);
	}
	line(backend ? "ok" : "FAIL", "a sandbox for workspace-write",
	     backend ? backend : err.message);
	if (is_linux && !machine->foreign)
		next(machine, backend != NULL);
	if (fflush(stdout) != 0)
		return EXIT_SYSTEM;
	return backend ? 0 : EXIT_UNAVAILABLE;
}
