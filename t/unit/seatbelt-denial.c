/*
 * What do lines of the system log say was denied, and to whose process?
 */
#include "../../sbx-seatbelt/denial.c"
#include "../../sbx-seatbelt/tracker.c"
#include "tap.h"

/* Around a message, as "log stream --style ndjson" writes it. */
static char *line_of(const char *message)
{
	json_t *json =
	        json_pack("{s:s,s:s,s:s,s:s,s:s,s:i,s:s,s:s,s:s}", "timestamp",
	                  "2026-03-01 11:11:11.806663-0400", "messageType", "Error", "eventType",
	                  "logEvent", "formatString", "%{public}s", "eventMessage", message,
	                  "processID", 0, "processImagePath", "/kernel", "senderImagePath",
	                  "/System/Library/Extensions/Sandbox.kext/Contents/MacOS/Sandbox",
	                  "subsystem", "com.apple.sandbox.reporting");
	char *line = json_dumps(json, JSON_COMPACT);

	json_decref(json);
	return line;
}

static const struct {
	const char *message;
	const char *wanted; /* NULL: no denial */
} messages[] = {
        {"Sandbox: touch(1234) deny(1) file-write-create /private/etc/x",
         "{\"op\":\"write\",\"operation\":\"file-write-create\",\"program\":\"touch\",\"pid\":1234,"
         "\"count\":1,\"rule\":null,\"allow_with\":\"--add-dir /private/etc\",\"path\":\"/private/"
         "etc/x\"}"},
        {"Sandbox: cat(7) deny(1) file-read-data /Users/u/a b(c) deny(1) x",
         "{\"op\":\"read\",\"operation\":\"file-read-data\",\"program\":\"cat\",\"pid\":7,\"count\":"
         "1,\"rule\":null,\"allow_with\":null,\"path\":\"/Users/u/a b(c) deny(1) x\"}"},
        {"3 duplicate reports for Sandbox: Google Chrome He(86295) deny(1) file-write-unlink "
         "/tmp/it's/x",
         "{\"op\":\"write\",\"operation\":\"file-write-unlink\",\"program\":\"Google Chrome He\","
         "\"pid\":86295,\"count\":3,\"rule\":null,\"allow_with\":\"--add-dir "
         "'/tmp/it'\\\\''s'\",\"path\":\"/tmp/it's/x\"}"},
        {"1 duplicate report for Sandbox: node(7) deny(1) network-outbound remote:*:443",
         "{\"op\":\"connect\",\"operation\":\"network-outbound\",\"program\":\"node\",\"pid\":7,"
         "\"count\":1,\"rule\":null,\"allow_with\":\"--network on\",\"address\":\"remote:*:443\"}"},
        {"Sandbox: node(7) deny(1) network-bind local:localhost:8080",
         "{\"op\":\"bind\",\"operation\":\"network-bind\",\"program\":\"node\",\"pid\":7,\"count\":"
         "1,\"rule\":null,\"allow_with\":\"--network "
         "loopback\",\"address\":\"local:localhost:8080\"}"},
        {"Sandbox: limactl(41) deny(1) network-outbound /private/var/run/docker.sock",
         "{\"op\":\"connect\",\"operation\":\"network-outbound\",\"program\":\"limactl\",\"pid\":41,"
         "\"count\":1,\"rule\":null,\"allow_with\":null,\"path\":\"/private/var/run/docker.sock\"}"},
        {"Sandbox: f(x) y(12) deny(1) process-exec* /bin/x\nViolation: details\nMetaData: more",
         "{\"op\":\"exec\",\"operation\":\"process-exec*\",\"program\":\"f(x) "
         "y\",\"pid\":12,\"count\":1,\"rule\":null,\"allow_with\":null,\"path\":\"/bin/x\"}"},
        {"Sandbox: java(9) deny(1) mach-lookup com.apple.tccd",
         "{\"op\":\"mach-lookup\",\"operation\":\"mach-lookup\",\"program\":\"java\",\"pid\":9,"
         "\"count\":1,\"rule\":null,\"allow_with\":null,\"address\":\"com.apple.tccd\"}"},
        {"Sandbox: sh(9) deny(1) process-fork",
         "{\"op\":\"process-fork\",\"operation\":\"process-fork\",\"program\":\"sh\",\"pid\":9,"
         "\"count\":1,\"rule\":null,\"allow_with\":null}"},
        {"Sandbox: sh(9) allow(1) file-read-data /x", NULL},
        {"Sandbox: sh(9) deny(1) ", NULL},
        {"Sandbox: sh(9) deny() file-read-data /x", NULL},
        {"Sandbox: sh() deny(1) file-read-data /x", NULL},
        {"Sandbox: sh(99999999999999999999) deny(1) file-read-data /x", NULL},
        {"tool says: Sandbox: sh(9) deny(1) file-read-data /x", NULL},
        {"2 duplicate reports for tool: Sandbox: sh(9) deny(1) file-read-data /x", NULL},
        {"0 duplicate reports for Sandbox: sh(9) deny(1) file-read-data /x", NULL},
        {"deny(1) file-read-data /x", NULL},
        {"", NULL},
};

static void check_messages(void)
{
	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		char *line = line_of(messages[i].message), *got = NULL;
		struct denial denial;

		if (denial_parse(line, strlen(line), &denial)) {
			json_t *json = denial_json(&denial);

			got = json_dumps(json, JSON_COMPACT);
			json_decref(json);
			denial_free(&denial);
		}
		check(messages[i].wanted ? got && strcmp(got, messages[i].wanted) == 0 : !got,
		      messages[i].wanted ? "a denial" : "no denial", got);
		free(line);
		free(got);
	}
}

static void check_lines(void)
{
	static const char *const lines[] = {
	        "Filtering the log data using \"(processID == 0)\"",
	        "Sandbox: sh(9) deny(1) file-read-data /x",
	        "{\"eventMessage\":\"Sandbox: sh(9) deny(1) file-read-data /x",
	        "{\"eventMessage\":7}",
	        "[\"Sandbox: sh(9) deny(1) file-read-data /x\"]",
	        "null",
	        "",
	        "{\"eventMessage\":\"Sandbox: \\u0000sh(9) deny(1) file-read-data /x\"}",
	};
	struct denial denial;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		check(!denial_parse(lines[i], strlen(lines[i]), &denial), "no line of the log",
		      lines[i]);
}

static void check_tracker(void)
{
	/* Children before parents, and a tree next door. */
	static const struct process first[] = {{30, 20}, {20, 10}, {10, 1}, {41, 40}, {40, 1}};
	/* 20 has ended and its child belongs to 1; 10 has a new one. */
	static const struct process later[] = {{10, 1}, {30, 1}, {31, 30}, {50, 10}, {42, 41}};
	struct tracker tracker;

	tracker_begin(&tracker, 10);
	check(tracker_has(&tracker, 10), "the command", NULL);
	check(!tracker_has(&tracker, 1), "not what started it", NULL);
	tracker_add(&tracker, first, 5);
	check(tracker_has(&tracker, 20) && tracker_has(&tracker, 30), "children and theirs", NULL);
	tracker_add(&tracker, later, 5);
	check(tracker_has(&tracker, 20), "also after their end", NULL);
	check(tracker_has(&tracker, 31), "and those of orphans", NULL);
	check(tracker_has(&tracker, 50), "and new ones", NULL);
	check(!tracker_has(&tracker, 40) && !tracker_has(&tracker, 41) &&
	              !tracker_has(&tracker, 42),
	      "not those of others", NULL);
	tracker_free(&tracker);
	tracker_begin(&tracker, getppid());
	tracker_look(&tracker);
	check(tracker_has(&tracker, getpid()), "this process, in the table of now", NULL);
	tracker_free(&tracker);
}

int main(void)
{
	check_messages();
	check_lines();
	check_tracker();
	return finish();
}
