#include "stage_program.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "process/sibling.h"
#include "process/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>

bool replaces_any(const struct arguments *a)
{
	for (size_t i = 0; i < STAGE_COUNT; i++)
		if (a->replaced[i])
			return true;
	return false;
}

int replaced_open(struct replaced *replaced, const struct arguments *a, const json_t *doc,
                  struct error *err)
{
	struct could_write w;
	int status = could_write_get(&w, doc, err);

	for (size_t i = 0; i < STAGE_COUNT; i++)
		replaced->stages[i] = (struct trusted_program){.fd = -1};
	for (size_t i = 0; status == 0 && i < STAGE_COUNT; i++)
		if (a->replaced[i])
			status = trusted_program_open(&replaced->stages[i], "--stage",
			                              a->replaced[i], &w, err);
	could_write_free(&w);
	return status;
}

void replaced_close(struct replaced *replaced)
{
	for (size_t i = 0; i < STAGE_COUNT; i++)
		trusted_program_close(&replaced->stages[i]);
}

extern char **environ;

char **policy_argv(const struct arguments *a, const char *first)
{
	size_t commands = 0, n = 0;
	const char **argv;

	while (a->command[commands])
		commands++;
	argv = xrealloc_array(NULL, a->policy_count + commands + 4, sizeof(*argv));
	argv[n++] = stage_programs[STAGE_POLICY];
	if (first)
		argv[n++] = first;
	for (size_t i = 0; i < a->policy_count; i++)
		argv[n++] = a->policy[i];
	if (commands)
		argv[n++] = "--";
	for (size_t i = 0; i <= commands; i++)
		argv[n++] = a->command[i];
	/* execve() takes char *const * and changes nothing. */
	return (char **)(void *)argv;
}

char **stage_argv(const struct arguments *a, enum stage_id stage)
{
	const struct {
		const char *option, *value;
	} asking[] = {{"--approver", a->approver_said},
	              {"--approver-timeout", a->approver_timeout},
	              {"--caller", a->caller}};
	const char **argv;
	size_t n = 0;

	if (stage == STAGE_POLICY)
		return policy_argv(a, a->ask_trust ? "--ask-trust" : NULL);
	argv = xrealloc_array(NULL, 8, sizeof(*argv));
	argv[n++] = stage_programs[stage];
	if (stage == STAGE_WRAP && a->json)
		argv[n++] = "--captured";
	for (size_t i = 0; i < sizeof(asking) / sizeof(asking[0]); i++) {
		if (stage != STAGE_APPROVE || !asking[i].value)
			continue;
		argv[n++] = asking[i].option;
		argv[n++] = asking[i].value;
	}
	argv[n] = NULL;
	return (char **)(void *)argv;
}

/* The caller's socket to its approver is for the one stage that asks. */
static int give_approver(const struct arguments *a, enum stage_id stage, int flags,
                         struct error *err)
{
	if (stage != STAGE_APPROVE || a->approver.fd < 0 ||
	    fcntl(a->approver.fd, F_SETFD, flags) == 0)
		return 0;
	return error_system(err, "--approver: \"%s\"", a->approver_said);
}

static pid_t start_program(const struct arguments *a, const struct replaced *replaced,
                           enum stage_id stage, char **argv, int in, int out, int said,
                           struct error *err)
{
	static char voice[] = "sbx-run";
	const struct trusted_program *other = &replaced->stages[stage];
	cleanup_free char *path = NULL;
	cleanup_free char **words = NULL;

	if (a->replaced[stage]) {
		words = trusted_program_argv(other, argv);
		return spawn(other->place, words, environ, in, out, -1, err);
	}
	path = sibling_path(stage_programs[stage], err);
	/* A person typed one name, and is answered by it. */
	if (!a->verbose)
		argv[0] = voice;
	return path ? spawn(path, argv, environ, in, out, said, err) : -1;
}

pid_t stage_start(const struct arguments *a, const struct replaced *replaced, enum stage_id stage,
                  char **argv, int in, int out, int said, struct error *err)
{
	struct error later = {0};
	pid_t pid;

	if (give_approver(a, stage, 0, err) < 0)
		return -1;
	pid = start_program(a, replaced, stage, argv, in, out, said, err);
	if (give_approver(a, stage, FD_CLOEXEC, &later) == 0)
		return pid;
	if (pid > 0 && kill(pid, SIGKILL) == 0)
		spawn_wait(pid);
	*err = later;
	return -1;
}
