/*
 * Where are leaks looked for?  Not in a sandbox: the sanitizer of a test build
 * stops its own process with ptrace(), which the sandbox refuses, and takes
 * that for a leak.
 */
#ifdef __SANITIZE_ADDRESS__

#include <sanitizer/lsan_interface.h>
#include <stdlib.h>

int __lsan_is_turned_off(void)
{
	return getenv("SBX_SANDBOX") != NULL;
}

#else

typedef int leaks_are_not_looked_for;

#endif
