/*
 * "sbx-seatbelt --log-denials" with another program in the place of the log.
 *
 *	watch-log LOG REPORT-FD|- COMMAND...
 */
static const char *log_program;

#define LOG_PROGRAM log_program
#include "../../sbx-seatbelt/denial.c"
#include "../../sbx-seatbelt/tracker.c"
#include "../../sbx-seatbelt/watch.c"
#include "document/stage.h"

int main(int argc, char **argv)
{
	struct watch watch = {.report = -1};
	struct error err = {0};

	stage_begin("watch-log");
	if (argc < 4)
		return 2;
	log_program = argv[1];
	if (strcmp(argv[2], "-") != 0 && watch_report_fd(&watch, argv[2], &err) < 0)
		return stage_fail(&err);
	return watch_command(&watch, argv + 3);
}
