/*
 * What does jq say?  The same, for the filters that tests ask most, and sooner:
 * jq 1.6 takes 18 ms to start, which is two sandboxes, and tests ask thousands of times.
 *
 * Paths, texts with paths in them, lists, objects, assignments, "//" and a few words.
 * Whatever else a filter, the options or the input hold, an error included, jq
 * itself is executed with the same arguments and the same input.
 * It ends soon: nothing is freed.
 */
#include <fcntl.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What was on standard input, once it is read; jq must find it there. */
static FILE *input;
static char **arguments;
static json_t *variables;

_Noreturn static void ask_jq(void)
{
	if (input && (rewind(input), dup2(fileno(input), 0)) < 0)
		_exit(5);
	execvp("jq", arguments);
	perror("jq");
	_exit(5);
}

static json_t *sure(json_t *value)
{
	if (!value)
		ask_jq();
	return value;
}

/* ---- the text of a filter ------------------------------------------------ */

/* Where it is read; "in" below is NULL while a part is only skipped. */
static const char *at;

static void blanks(void)
{
	at += strspn(at, " \t\n");
}

static bool next_is(const char *token)
{
	blanks();
	return !strncmp(at, token, strlen(token));
}

static bool take(const char *token)
{
	if (!next_is(token))
		return false;
	at += strlen(token);
	return true;
}

/* An operator that is not the beginning of a longer one. */
static bool take_operator(const char *token, const char *longer)
{
	if (!next_is(token) || (longer && next_is(longer)))
		return false;
	return take(token);
}

static void must(const char *token)
{
	if (!take(token))
		ask_jq();
}

static size_t name_length(void)
{
	size_t length =
	        strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");

	return *at >= '0' && *at <= '9' ? 0 : length;
}

static char *take_name(void)
{
	size_t length = name_length();
	char *name = strndup(at, length);

	if (length == 0 || !name)
		ask_jq();
	at += length;
	return name;
}

static bool take_word(const char *word)
{
	blanks();
	if (name_length() != strlen(word) || strncmp(at, word, strlen(word)) != 0)
		return false;
	at += strlen(word);
	return true;
}

/* ---- values -------------------------------------------------------------- */

/* Every part of a filter gives a list of values for one value. */
static json_t *list(json_t *value)
{
	json_t *values = sure(json_array());

	if (value)
		json_array_append(values, value);
	return values;
}

static json_t *only(json_t *values)
{
	if (json_array_size(values) != 1)
		ask_jq();
	return json_array_get(values, 0);
}

static bool truth(const json_t *value)
{
	return !json_is_null(value) && !json_is_false(value);
}

/* Numbers and control bytes that the two write in different ways are jq's. */
static char *dumped(const json_t *value)
{
	char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);

	if (!text || strstr(text, "\\u") || strchr(text, 0x7f))
		ask_jq();
	return text;
}

static const char *as_text(const json_t *value)
{
	return json_is_string(value) ? json_string_value(value) : dumped(value);
}

static void check(json_t *value)
{
	const char *key;
	json_t *part;
	size_t i;

	if (json_is_real(value) ||
	    (json_is_integer(value) && llabs(json_integer_value(value)) > 1LL << 53))
		ask_jq();
	json_array_foreach (value, i, part)
		check(part);
	json_object_foreach (value, key, part)
		check(part);
}

static json_t *member(const json_t *value, const json_t *key)
{
	json_t *found = NULL;
	long long i;

	if (json_is_object(value) && json_is_string(key))
		found = json_object_get(value, json_string_value(key));
	else if (json_is_array(value) && json_is_integer(key)) {
		i = json_integer_value(key);
		found = json_array_get(value,
		                       (size_t)(i < 0 ? i + (long long)json_array_size(value) : i));
	} else if (!json_is_null(value) || !(json_is_string(key) || json_is_integer(key)))
		ask_jq();
	return found ? found : sure(json_null());
}

static json_t *sum(json_t *left, json_t *right)
{
	json_t *both;

	if (json_is_null(left) || json_is_null(right))
		return json_is_null(left) ? right : left;
	if (json_typeof(left) != json_typeof(right))
		ask_jq();
	if (json_is_string(left))
		return sure(
		        json_sprintf("%s%s", json_string_value(left), json_string_value(right)));
	if (json_is_integer(left))
		return sure(json_integer(json_integer_value(left) + json_integer_value(right)));
	both = sure(json_copy(left));
	if (json_is_array(left))
		json_array_extend(both, right);
	else if (json_is_object(left))
		json_object_update(both, right);
	else
		ask_jq();
	return both;
}

/* A copy of the value in which the path leads to something else. */
static json_t *changed(json_t *value, const json_t *path, size_t from, json_t *to)
{
	const json_t *key = json_array_get(path, from);
	json_t *copy, *part;

	if (!key)
		return to;
	part = changed(member(value, key), path, from + 1, to);
	copy = sure(json_is_null(value) ? json_object() : json_copy(value));
	if (json_is_object(copy) && json_is_string(key))
		json_object_set(copy, json_string_value(key), part);
	else if (!json_is_array(copy) || !json_is_integer(key) ||
	         json_array_set(copy, (size_t)json_integer_value(key), part) < 0)
		ask_jq();
	return copy;
}

/* ---- terms --------------------------------------------------------------- */

static json_t *pipeline(json_t *in);

/* After the quote: a text, with what stands in \(...) put in. */
static json_t *text(json_t *in)
{
	char *made = NULL;
	size_t size;
	FILE *out = open_memstream(&made, &size);

	for (; out && *at != '"'; at++) {
		if (*at == '\0')
			ask_jq();
		if (*at != '\\') {
			putc(*at, out);
		} else if (*++at == '(') {
			at++;
			json_t *values = pipeline(in);
			if (in)
				fputs(as_text(only(values)), out);
			if (!next_is(")"))
				ask_jq();
		} else if (strchr("nt\"\\/", *at) && *at) {
			putc(*at == 'n' ? '\n' : *at == 't' ? '\t' : *at, out);
		} else {
			ask_jq();
		}
	}
	if (!out || fclose(out) != 0)
		ask_jq();
	at++;
	return sure(json_string(made));
}

static json_t *each(const json_t *values)
{
	json_t *out = list(NULL), *value;
	size_t i;

	json_array_foreach (values, i, value) {
		if (!json_is_array(value))
			ask_jq();
		json_array_extend(out, value);
	}
	return out;
}

static json_t *members(const json_t *values, const json_t *key)
{
	json_t *out = list(NULL), *value;
	size_t i;

	json_array_foreach (values, i, value)
		json_array_append(out, member(value, key));
	return out;
}

/* After a dot or a bracket: a name, a text or a number; NULL is "[]". */
static json_t *step(void)
{
	json_t *key;
	char *end;

	if (*at != '[') {
		if (take("\""))
			return text(NULL);
		return sure(json_string(take_name()));
	}
	at++;
	if (take("]"))
		return NULL;
	if (take("\"")) {
		key = text(NULL);
	} else {
		key = sure(json_integer(strtol(at, &end, 10)));
		if (end == at)
			ask_jq();
		at = end;
	}
	must("]");
	return key;
}

static json_t *postfixed(json_t *values)
{
	const json_t *key;

	for (;;) {
		if (*at == '?') {
			at++;
		} else if (*at == '[' || *at == '.') {
			at += *at == '.';
			key = step();
			values = key ? members(values, key) : each(values);
		} else {
			return values;
		}
	}
}

static json_t *dotted(json_t *in)
{
	const json_t *key;
	json_t *values = list(in);

	if (*at == '.')
		ask_jq();
	if (*at != '[' && *at != '"' && name_length() == 0)
		return values;
	key = step();
	return postfixed(key ? members(values, key) : each(values));
}

static json_t *collected(json_t *in)
{
	json_t *values = list(NULL);

	if (take("]"))
		return list(in ? values : NULL);
	values = pipeline(in);
	must("]");
	return list(in ? values : NULL);
}

static json_t *term(json_t *in);

static json_t *object(json_t *in)
{
	json_t *made = sure(json_object()), *values;
	const char *key;

	while (!take("}")) {
		blanks();
		bool variable = *at == '$';
		at += variable;
		key = take("\"") ? json_string_value(text(in)) : take_name();
		if (variable)
			values = list(sure(json_object_get(variables, key)));
		else if (take(":"))
			values = term(in);
		else
			values = in ? list(member(in, json_string(key))) : NULL;
		if (in)
			json_object_set(made, key, only(values));
		if (!take(",") && !next_is("}"))
			ask_jq();
	}
	return list(in ? made : NULL);
}

static json_t *length_of(const json_t *value)
{
	size_t length = 0;

	if (json_is_string(value))
		for (const char *byte = json_string_value(value); *byte; byte++)
			length += (*byte & 0xc0) != 0x80;
	else if (json_is_array(value) || json_is_object(value))
		length = json_is_array(value) ? json_array_size(value) : json_object_size(value);
	else if (!json_is_null(value))
		ask_jq();
	return sure(json_integer((json_int_t)length));
}

/* What stands after join and its bracket: a text. */
static json_t *joined(json_t *in)
{
	const json_t *between = only(pipeline(json_null()));
	json_t *made = NULL, *value;
	size_t i;

	must(")");
	json_array_foreach (in, i, value) {
		if (!json_is_string(value) || !json_is_string(between))
			ask_jq();
		made = made ? json_sprintf("%s%s%s", json_string_value(made),
		                           json_string_value(between), json_string_value(value))
		            : value;
	}
	if (in && !made)
		ask_jq();
	return list(made);
}

/* After map and its bracket: a filter. */
static json_t *mapped(json_t *in)
{
	const char *start = at;
	json_t *values = list(NULL), *value;
	size_t i;

	if (in && !json_is_array(in))
		ask_jq();
	pipeline(NULL);
	must(")");
	const char *end = at;
	json_array_foreach (in, i, value) {
		at = start;
		json_array_extend(values, pipeline(value));
	}
	at = end;
	return list(in ? values : NULL);
}

/* After select and its bracket: a filter. */
static json_t *selected(json_t *in)
{
	json_t *values = pipeline(in);

	must(")");
	return list(in && truth(only(values)) ? in : NULL);
}

static json_t *word(json_t *in)
{
	if (take_word("null"))
		return list(in ? json_null() : NULL);
	if (take_word("true"))
		return list(in ? json_true() : NULL);
	if (take_word("false"))
		return list(in ? json_false() : NULL);
	if (take_word("not"))
		return list(in ? json_boolean(!truth(in)) : NULL);
	if (take_word("empty"))
		return list(NULL);
	if (take_word("length"))
		return list(in ? length_of(in) : NULL);
	if (take_word("map") && take("("))
		return mapped(in);
	if (take_word("select") && take("("))
		return selected(in);
	if (take_word("join") && take("("))
		return joined(in);
	ask_jq();
}

static json_t *number(json_t *in)
{
	char *end;
	long long value = strtoll(at, &end, 10);

	if (end == at || *end == '.' || *end == 'e' || *end == 'E' || llabs(value) > 1LL << 53)
		ask_jq();
	at = end;
	return list(in ? json_integer(value) : NULL);
}

static json_t *term(json_t *in)
{
	json_t *values;

	blanks();
	if (*at >= '0' && *at <= '9')
		return number(in);
	if (take("."))
		return dotted(in);
	if (take("$"))
		return postfixed(list(in ? sure(json_object_get(variables, take_name()))
		                         : (take_name(), NULL)));
	if (take("\"")) {
		values = text(in);
		return list(in ? values : NULL);
	}
	if (take("["))
		return postfixed(collected(in));
	if (take("{"))
		return postfixed(object(in));
	if (!take("("))
		return word(in);
	values = pipeline(in);
	must(")");
	return postfixed(values);
}

/* ---- operators, the tightest first --------------------------------------- */

static json_t *sums(json_t *in)
{
	json_t *left = term(in), *right;

	while (take_operator("+", "+=")) {
		right = term(in);
		if (in)
			left = list(sum(only(left), only(right)));
	}
	return left;
}

static json_t *comparison(json_t *in)
{
	json_t *left = sums(in), *right;
	bool same = take("==");

	if (!same && !take("!="))
		return left;
	right = sums(in);
	return in ? list(json_boolean((json_equal(only(left), only(right)) == 1) == same)) : left;
}

static json_t *both(json_t *in)
{
	json_t *left = comparison(in), *right;

	while (take_word("and")) {
		right = comparison(in);
		if (in)
			left = list(json_boolean(truth(only(left)) && truth(only(right))));
	}
	return left;
}

static json_t *either(json_t *in)
{
	json_t *left = both(in), *right;

	while (take_word("or")) {
		right = both(in);
		if (in)
			left = list(json_boolean(truth(only(left)) || truth(only(right))));
	}
	return left;
}

/* The names and numbers from the place where a left side began. */
static json_t *path_from(const char *start)
{
	const char *end = at;
	json_t *path = list(NULL);

	at = start;
	must(".");
	while (blanks(), at < end) {
		at += *at == '.';
		json_array_append(path, sure(step()));
	}
	if (at != end)
		ask_jq();
	return path;
}

static json_t *assignment(json_t *in)
{
	blanks();
	const char *start = at;
	json_t *left = either(in), *path, *right;
	char how;

	blanks();
	how = *at;
	if (!take_operator("=", "==") && !take("|=") && !take("+="))
		return left;
	const char *after = at;
	at -= how == '=' ? 1 : 2;
	path = path_from(start);
	at = after;
	right = either(in && how == '|' ? only(left) : in);
	if (!in)
		return right;
	if (how == '+')
		right = list(sum(only(left), only(right)));
	return list(changed(in, path, 0, only(right)));
}

static json_t *alternative(json_t *in)
{
	json_t *left = assignment(in), *kept = list(NULL), *right, *value;
	size_t i;

	if (!take_operator("//", "//="))
		return left;
	json_array_foreach (left, i, value)
		if (truth(value))
			json_array_append(kept, value);
	right = alternative(json_array_size(kept) ? NULL : in);
	return json_array_size(kept) ? kept : right;
}

static json_t *several(json_t *in)
{
	json_t *values = alternative(in);

	while (take(","))
		json_array_extend(values, alternative(in));
	return values;
}

static json_t *pipeline(json_t *in)
{
	json_t *left = several(in), *values, *value;
	const char *start;
	size_t i;

	if (!take_operator("|", "|="))
		return left;
	start = at;
	values = pipeline(NULL);
	json_array_foreach (left, i, value) {
		at = start;
		json_array_extend(values, pipeline(value));
	}
	return values;
}

/* ---- arguments, input, output -------------------------------------------- */

static bool raw, compact, without_input;

/* Returns where the filter is. */
static char **options(char **arg)
{
	for (; *arg && **arg == '-'; arg++) {
		if (!strcmp(*arg, "--arg") && arg[1] && arg[2]) {
			json_object_set_new(variables, arg[1], sure(json_string(arg[2])));
			arg += 2;
			continue;
		}
		if (strspn(*arg + 1, "rcn") != strlen(*arg + 1) || !(*arg)[1])
			ask_jq();
		raw = raw || strchr(*arg, 'r');
		compact = compact || strchr(*arg, 'c');
		without_input = without_input || strchr(*arg, 'n');
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
	return fwrite(made, 1, size, stdout) == size && fflush(stdout) == 0 ? 0 : 2;
}
