/*
 * What does jq say?  The same, for the filters that tests ask most, and sooner:
 * jq 1.6 takes 18 ms to start, which is two sandboxes, and tests ask thousands of times.
 *
 * Paths, texts with paths in them, lists, objects, assignments, "//", if and some words.
 * Whatever else a filter, the options or the input hold, an error included, jq
 * itself is executed with the same arguments and the same input.
 * It ends soon: nothing is freed.
 */
#include "filter/filter.h"

#include <string.h>
#include <unistd.h>
#include <sys/mman.h>

/* What was on standard input, once it is read; jq must find it there. */
FILE *input;
char **arguments;
json_t *variables;

_Noreturn void ask_jq(void)
{
	if (input && (rewind(input), dup2(fileno(input), 0)) < 0)
		_exit(5);
	execvp("jq", arguments);
	perror("jq");
	_exit(5);
}

json_t *sure(json_t *value)
{
	if (!value)
		ask_jq();
	return value;
}

static bool raw, compact, without_input, judged;
/* What jq -e ends with: nothing came out, or what came out last was no. */
static int verdict = 4;

/* Returns where the filter is. */
static char **options(char **arg)
{
	json_error_t err;
	json_t *value;

	for (; *arg && **arg == '-'; arg++) {
		if (!strcmp(*arg, "--arg") && arg[1] && arg[2]) {
			json_object_set_new(variables, arg[1], sure(json_string(arg[2])));
			arg += 2;
			continue;
		}
		if (!strcmp(*arg, "--argjson") && arg[1] && arg[2]) {
			value = sure(json_loads(arg[2], JSON_DECODE_ANY, &err));
			check(value);
			json_object_set_new(variables, arg[1], value);
			arg += 2;
			continue;
		}
		if (strspn(*arg + 1, "rcne") != strlen(*arg + 1) || !(*arg)[1])
			ask_jq();
		raw = raw || strchr(*arg, 'r');
		compact = compact || strchr(*arg, 'c');
		without_input = without_input || strchr(*arg, 'n');
		judged = judged || strchr(*arg, 'e');
	}
	if (!*arg)
		ask_jq();
	return arg;
}

static void copy(FILE *from, FILE *to)
{
	char buffer[65536];
	size_t length;

	while ((length = fread(buffer, 1, sizeof(buffer), from)) > 0)
		if (fwrite(buffer, 1, length, to) != length)
			ask_jq();
	if (ferror(from))
		ask_jq();
}

/* All of the files, or of standard input. */
static char *everything(char **files, size_t *size)
{
	char *made = NULL;
	FILE *out = open_memstream(&made, size);
	int fd;

	if (!out)
		ask_jq();
	for (char **name = files; *name; name++) {
		FILE *file = (*name)[0] == '-' ? NULL : fopen(*name, "re");
		if (!file)
			ask_jq();
		copy(file, out);
	}
	if (!*files) {
		fd = memfd_create("input", MFD_CLOEXEC);
		if (fd < 0 || !(input = fdopen(fd, "w+")))
			ask_jq();
		copy(stdin, input);
		if (fflush(input) != 0)
			ask_jq();
		rewind(input);
		copy(input, out);
	}
	if (fclose(out) != 0)
		ask_jq();
	return made;
}

static void answer(const char *filter, json_t *in, FILE *out)
{
	json_t *values, *value;
	size_t i;

	at = filter;
	values = pipeline(in);
	blanks();
	if (*at)
		ask_jq();
	json_array_foreach (values, i, value) {
		check(value);
		verdict = truth(value) ? 0 : 1;
		if (!compact && (json_is_array(value) || json_is_object(value)))
			ask_jq();
		fprintf(out, "%s\n", raw ? as_text(value) : dumped(value));
	}
}

static void answer_all(const char *filter, char **files, FILE *out)
{
	size_t size, from = 0;
	char *all = everything(files, &size);
	json_error_t err;
	json_t *in;

	for (;;) {
		from += strspn(all + from, " \t\r\n");
		if (from >= size)
			return;
		in = sure(json_loadb(all + from, size - from,
		                     JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY, &err));
		check(in);
		answer(filter, in, out);
		from += (size_t)err.position;
	}
}

int main(int argc, char **argv)
{
	char *made = NULL;
	size_t size;
	FILE *out = open_memstream(&made, &size);
	char **filter;

	arguments = argv;
	variables = json_object();
	if (argc < 2 || !out || !variables)
		ask_jq();
	filter = options(argv + 1);
	/* What is no filter of ours is known before anything is read. */
	at = *filter;
	pipeline(NULL);
	if (without_input && filter[1])
		ask_jq();
	if (without_input)
		answer(*filter, json_null(), out);
	else
		answer_all(*filter, filter + 1, out);
	if (fclose(out) != 0)
		ask_jq();
	if (fwrite(made, 1, size, stdout) != size || fflush(stdout) != 0)
		return 2;
	return judged ? verdict : 0;
}
