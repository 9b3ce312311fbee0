/* What do operators say of what is on both sides? */
#include "filter.h"

static json_t *sums(json_t *in)
{
	json_t *left = term(in), *right;

	for (;;) {
		bool plus = take_operator("+", "+=");
		if (!plus && !take_operator("-", "-="))
			return left;
		right = term(in);
		if (in)
			left = list(plus ? sum(only(left), only(right))
			                 : difference(only(left), only(right)));
	}
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

json_t *pipeline(json_t *in)
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
