#include "system_bwrap.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "brief.h"
#include "trust/trusted_program.h"

#include <unistd.h>

#define LIMIT_MS 2000

/* Nothing of our environment reaches it. */
static int run(char *const *argv, char *text, size_t size)
{
	/* The probe is nobody's command; where the program is, and whose, is judged all the same.
	 */
	const struct could_write nobody = {0};
	struct trusted_program program;
	cleanup_free char **words = NULL;
	struct error err = {0};
	char *envp[] = {NULL};
	int status;

	if (trusted_program_open(&program, "bwrap", SYSTEM_BWRAP, &nobody, &err) < 0)
		return -1;
	words = trusted_program_argv(&program, argv);
	status = brief_run(program.place, words, envp, STDOUT_FILENO, LIMIT_MS, text, size);
	trusted_program_close(&program);
	return status;
}

bool system_bwrap_works(void)
{
	char *const argv[] = {(char[]){"bwrap"},     (char[]){"--unshare-user"},
	                      (char[]){"--ro-bind"}, (char[]){"/"},
	                      (char[]){"/"},         (char[]){"--"},
	                      (char[]){"/bin/true"}, NULL};
	char text[16];

	return run(argv, text, sizeof(text)) == 0;
}

bool system_bwrap_help(char *text, size_t size)
{
	char *const argv[] = {(char[]){"bwrap"}, (char[]){"--help"}, NULL};

	return run(argv, text, size) == 0;
}
