/*
 * Does the output of a command look as if the sandbox of macOS or Windows
 * denied something?  What is guessed when nothing was observed.
 */
#include "report/heuristic.c"
#include "tap.h"

#include <stdint.h>

static const struct {
	int exit_code;
	const char *out, *err;
	bool denied;
	bool windows;
} cases[] = {
        {1, "", "touch: /etc/x: Operation not permitted\n", true, false},
        {1, "mkdir: .codex: Operation not permitted\n", "", true, false},
        {1, "", "sandbox-exec: denied\n", true, false},
        {71, "", "Sandbox: touch(12) deny(1) file-write-create /etc/x\n", true, false},
        {126, "", "sh: ./x: Operation not permitted\n", true, false},
        {0, "", "touch: /etc/x: Operation not permitted\n", false, false},
        {1, "", "cat: x: No such file or directory\n", false, false},
        {127, "", "sh: x: command not found\n", false, false},
        {2, "", "usage: x\n", false, false},
        {1, "", "", false, false},
        {5, "", "", true, true},
        {1, "", "Access is denied.\r\n", true, true},
        {1, "ACCESS IS DENIED.\r\n", "", true, true},
        {1, "", "The system cannot find the file specified.\r\n", false, true},
        {0, "", "Access is denied.\r\n", false, true},
        {5, "", "", false, false},
        {1, "", "Access is denied.\r\n", false, false},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		/* Nothing is written to either of them. */
		struct capture capture = {
		        .out = {.data = (char *)(uintptr_t)cases[i].out,
		                .size = strlen(cases[i].out)},
		        .err = {.data = (char *)(uintptr_t)cases[i].err,
		                .size = strlen(cases[i].err)},
		};
		bool denied = looks_denied(&capture, cases[i].exit_code, cases[i].windows);
		char what[160];

		snprintf(what, sizeof(what), "exit %d, \"%.*s\": %s", cases[i].exit_code,
		         (int)strcspn(cases[i].err, "\n"), cases[i].err,
		         cases[i].denied ? "denied" : "not denied");
		check(denied == cases[i].denied, what, denied ? "denied" : "not denied");
	}
	return finish();
}
