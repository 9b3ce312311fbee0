/*
 * What does the launcher do where there is no Windows?  It refuses.
 */
#ifndef _WIN32
#include "launch.h"

#include "base/complain.h"
#include "base/error.h"

static int refuse(void)
{
	complain("a restricted token is made on Windows only: run sbx-wintoken.exe there "
	         "(--plan works here)");
	return EXIT_UNAVAILABLE;
}

int launch(const struct launch *launch)
{
	(void)launch;
	return refuse();
}

int audit(char *const *places)
{
	(void)places;
	return refuse();
}

void launch_arguments(int *argc, char ***argv)
{
	(void)argc, (void)argv;
}
#endif
