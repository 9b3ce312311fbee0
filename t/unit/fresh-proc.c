/*
 * Would the kernel refuse a fresh /proc, by what is mounted?
 */
#include "linux/fresh_proc.c"
#include "tap.h"

#define ROOT  "21 1 8:1 / / rw,relatime - ext4 /dev/vda rw\n"
#define PROC  "22 21 0:20 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw\n"
#define OTHER "30 21 0:20 / /srv/proc rw,relatime - proc proc rw\n"

static const struct {
	const char *what, *lines;
	bool refused;
} tables[] = {
        {"as on any machine", ROOT PROC, false},
        {"a switch of formats, where it always is",
         ROOT PROC "31 22 0:30 / /proc/sys/fs/binfmt_misc rw,relatime shared:14 - autofs x rw\n",
         false},
        {"a part masked by an empty directory",
         ROOT PROC "31 22 0:30 / /proc/acpi ro,relatime - tmpfs tmpfs ro\n", true},
        {"a file masked by a device",
         ROOT PROC "31 22 0:30 /null /proc/keys rw,nosuid - tmpfs tmpfs rw\n", true},
        {"a part made read-only",
         ROOT PROC "31 22 0:20 /sys /proc/sys ro,relatime - proc proc rw\n", true},
        {"the mask is listed before what it masks",
         ROOT "31 22 0:30 / /proc/acpi ro,relatime - tmpfs tmpfs ro\n" PROC, true},
        {"another one, unmasked, is there",
         ROOT PROC OTHER "31 22 0:30 / /proc/acpi ro,relatime - tmpfs tmpfs ro\n", false},
        {"read-only altogether", ROOT "22 21 0:20 / /proc ro,relatime - proc proc rw\n", true},
        {"read-only by its file system",
         ROOT "22 21 0:20 / /proc rw,relatime - proc proc ro,hidepid=2\n", true},
        {"times kept in another way", ROOT "22 21 0:20 / /proc rw,noatime - proc proc rw\n", true},
        {"only a part of one", ROOT "22 21 0:20 /1 /proc rw,relatime - proc proc rw\n", true},
        {"none", ROOT, true},
        {"what only begins like one", ROOT "22 21 0:20 / /proc rw,relatime - procx proc rw\n",
         true},
        {"a mount below something else", ROOT PROC "31 21 0:30 / /tmp rw,relatime - tmpfs x rw\n",
         false},
        {"lines of another form are nobody's", ROOT PROC "what\n\n31 22\n", false},
        {"nothing to be read: it is tried", "", false},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		FILE *file = tmpfile();

		if (!file || fputs(tables[i].lines, file) < 0) {
			puts("Bail out! cannot write a scratch file");
			return 1;
		}
		rewind(file);
		check(fresh_proc_refused_by(file) == tables[i].refused, tables[i].what,
		      tables[i].refused ? "possible" : "refused");
		fclose(file);
	}
	return finish();
}
