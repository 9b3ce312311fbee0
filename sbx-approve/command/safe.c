#include "command/safe.h"

#include "base/strings.h"

#include <stdlib.h>
#include <string.h>

static bool any(char *const *words)
{
	(void)words;
	return true;
}

static bool none(char *const *words)
{
	return !words[0];
}

/*
 * True when no word can be one of the options: letters anywhere in a bundle
 * (-nz), names with a value (--pre=x), and what getopt_long() takes as an
 * abbreviation (--compress).  "--" changes nothing: as the value of another
 * option it would not end the options.
 */
static bool without(char *const *words, const char *letters, const char *const *names)
{
	for (; *words; words++) {
		const char *word = *words;
		size_t len;

		if (word[0] != '-' || word[1] == '\0')
			continue;
		if (word[1] != '-') {
			if (word[strcspn(word, letters)] != '\0')
				return false;
			continue;
		}
		len = strcspn(word, "=");
		for (const char *const *name = names; len > 2 && *name; name++)
			if (strncmp(word + 2, *name, len - 2) == 0)
				return false;
	}
	return true;
}

static bool base64(char *const *words)
{
	static const char *const names[] = {"output", NULL};

	return without(words, "o", names);
}

static bool sort(char *const *words)
{
	static const char *const names[] = {"output", "temporary-directory", "compress-program",
	                                    NULL};

	return without(words, "oT", names);
}

/* --pre and --hostname-bin execute; a zip is read by executing gzip and others. */
static bool rg(char *const *words)
{
	static const char *const names[] = {"pre", "hostname-bin", "search-zip", NULL};

	return without(words, "z", names);
}

/* The second operand is written to; a value of an option counts as one here. */
static bool uniq(char *const *words)
{
	static const char *const options[] = {
	        "-c",       "-d", "-D", "-i", "-u", "-z", "--count", "--repeated", "--ignore-case",
	        "--unique", NULL};
	size_t operands = 0;

	for (; *words; words++)
		operands += !word_among(*words, options);
	return operands <= 1;
}

/* sed -n 3p, sed -n 3,9p FILE: any other script can execute or write. */
static bool sed(char *const *words)
{
	static const char digits[] = "0123456789";
	const char *range;
	size_t first;

	if (!words[0] || strcmp(words[0], "-n") != 0 || !words[1])
		return false;
	range = words[1];
	first = strspn(range, digits);
	if (first == 0)
		return false;
	range += first;
	if (*range == ',') {
		range++;
		first = strspn(range, digits);
		if (first == 0)
			return false;
		range += first;
	}
	if (strcmp(range, "p") != 0)
		return false;
	/* An operand that looks like an option is one. */
	return !words[2] || (words[2][0] != '-' && !words[3]);
}

/* Every word with a dash must be known to look only; numbers are "-mtime -3". */
static bool find(char *const *words)
{
	static const char *const looking[] = {
	        "-H",         "-L",         "-P",        "-a",          "-amin",     "-and",
	        "-anewer",    "-atime",     "-cmin",     "-cnewer",     "-ctime",    "-d",
	        "-daystart",  "-depth",     "-empty",    "-executable", "-false",    "-follow",
	        "-gid",       "-group",     "-iname",    "-inum",       "-ipath",    "-iregex",
	        "-links",     "-ls",        "-maxdepth", "-mindepth",   "-mmin",     "-mount",
	        "-mtime",     "-name",      "-newer",    "-nogroup",    "-noleaf",   "-not",
	        "-nouser",    "-o",         "-or",       "-path",       "-perm",     "-print",
	        "-print0",    "-printf",    "-prune",    "-quit",       "-readable", "-regex",
	        "-regextype", "-samefile",  "-size",     "-true",       "-type",     "-uid",
	        "-user",      "-wholename", "-writable", "-xdev",       "-xtype",    NULL};

	for (; *words; words++) {
		const char *word = *words;

		if (word[0] == '-' && !(word[1] >= '0' && word[1] <= '9') &&
		    !word_among(word, looking))
			return false;
	}
	return true;
}

/* Printing the time; any other operand or -s sets it, -f reads a file. */
static bool date(char *const *words)
{
	static const char *const options[] = {"-u", "--utc",     "-R", "--rfc-email",
	                                      "-I", "-Iseconds", NULL};

	for (; *words; words++)
		if ((*words)[0] != '+' && !word_among(*words, options))
			return false;
	return true;
}

/*
 * Sorted by name.  Missing on purpose: git (its configuration names pagers,
 * filters and monitors to execute), diff (-l executes pr), file (-z executes),
 * printf and test (as shell builtins they evaluate subscripts), env, xargs,
 * awk, tee, make and cargo (they execute what the workspace says).
 */
static const struct known {
	const char *name;
	bool (*fits)(char *const *words);
} table[] = {
        {"arch", none},     {"b2sum", any},     {"base64", base64}, {"basename", any},
        {"cat", any},       {"cd", any},        {"cksum", any},     {"cmp", any},
        {"comm", any},      {"cut", any},       {"date", date},     {"df", any},
        {"dirname", any},   {"du", any},        {"echo", any},      {"expand", any},
        {"expr", any},      {"false", any},     {"find", find},     {"fold", any},
        {"grep", any},      {"groups", any},    {"head", any},      {"id", any},
        {"join", any},      {"ls", any},        {"md5sum", any},    {"nl", any},
        {"nproc", any},     {"numfmt", any},    {"od", any},        {"paste", any},
        {"pwd", any},       {"readlink", any},  {"realpath", any},  {"rev", any},
        {"rg", rg},         {"sed", sed},       {"seq", any},       {"sha1sum", any},
        {"sha256sum", any}, {"sha512sum", any}, {"sort", sort},     {"stat", any},
        {"tac", any},       {"tail", any},      {"tr", any},        {"true", any},
        {"tty", none},      {"uname", any},     {"uniq", uniq},     {"wc", any},
        {"which", any},     {"whoami", any},
};

static int by_name(const void *name, const void *entry)
{
	return strcmp(name, ((const struct known *)entry)->name);
}

bool is_safe(char *const *argv, struct site *site)
{
	const char *slash = strrchr(argv[0], '/');
	const struct known *known =
	        bsearch(slash ? slash + 1 : argv[0], table, sizeof(table) / sizeof(table[0]),
	                sizeof(table[0]), by_name);

	/* The file system last: looking along PATH costs system calls. */
	return known && !site->poisoned && !site->may_load && known->fits(argv + 1) &&
	       site_system_program(site, argv[0]) != NULL;
}
