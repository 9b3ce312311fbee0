#include "report/denials.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "grant/denial.h"
#include "report/noise.h"

#include <string.h>

void denials_begin(struct denials *d, const json_t *doc, struct sink *sink)
{
	*d = (struct denials){.sink = sink,
	                      .list = xjson(json_array()),
	                      .things = xjson(json_object()),
	                      .ids = xjson(json_object())};
	suggest_begin(&d->suggest, doc);
}

void denials_free(struct denials *d)
{
	suggest_free(&d->suggest);
	json_decref(d->list);
	json_decref(d->things);
	json_decref(d->ids);
	json_decref(d->unobserved);
	json_decref(d->reached);
	*d = (struct denials){0};
}

/* What makes two of them one; by whichever call, except where the call is all there is. */
static char *thing(const json_t *event)
{
	static const char *const members[] = {"op", "path", "address", "program"};
	cleanup_json json_t *key = xjson(json_array());
	json_t *call = json_object_get(event, "syscall");

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		json_t *value = json_object_get(event, members[i]);

		json_array_append_new(key, value ? json_incref(value) : json_null());
	}
	if (call && !json_object_get(event, "path") && !json_object_get(event, "address"))
		json_array_append(key, call);
	return xjson(json_text_dump(key, JSON_COMPACT));
}

static json_int_t count_of(const json_t *event)
{
	json_int_t count = json_integer_value(json_object_get(event, "count"));

	return count > 0 ? count : 1;
}

/* The event as it stands in a result: what is missing is null. */
static json_t *explained(struct denials *d, const json_t *event)
{
	json_t *out = xjson(json_deep_copy(event));
	const json_t *said = json_object_get(event, "allow_with");
	cleanup_grant struct grant given = GRANT_NOTHING;
	cleanup_json json_t *grant = denial_grant(event, &given) ? grant_json(&given) : NULL;
	cleanup_free char *options = NULL;

	/* The watcher of another platform knows its own options. */
	if (json_is_string(said))
		options = xstrdup(json_string_value(said));
	else
		options = suggest_options(&d->suggest, event, grant);
	json_object_del(out, "event");
	json_object_del(out, "id");
	if (!json_object_get(out, "rule"))
		json_object_set_new(out, "rule", json_null());
	json_object_set_new(out, "allow_with", options ? xjson(json_string(options)) : json_null());
	json_object_set_new(out, "grant", grant ? json_incref(grant) : json_null());
	json_object_set_new(out, "count", json_integer(count_of(event)));
	return out;
}

static void add_count(json_t *denial, json_int_t more)
{
	json_object_set_new(denial, "count", json_integer(count_of(denial) + more));
}

/* The observer's number leads to the place in the list. */
static void remember(struct denials *d, const json_t *event, size_t place)
{
	const json_t *id = json_object_get(event, "id");
	char number[32];

	if (!json_is_integer(id))
		return;
	snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, json_integer_value(id));
	json_object_set_new(d->ids, number,
	                    xjson(json_pack("[I,I]", (json_int_t)place, count_of(event))));
}

static void tell(const struct denials *d, const json_t *event, json_t *denial)
{
	cleanup_json json_t *line = xjson(json_pack("{s:s}", "event", "denial"));
	json_t *id = json_object_get(event, "id");

	if (id)
		json_object_set(line, "id", id);
	json_object_update(line, denial);
	sink_event(d->sink, line);
}

static void take_denial(struct denials *d, const json_t *event)
{
	cleanup_free char *key = thing(event);
	const json_t *there = json_object_get(d->things, key);
	size_t place = json_array_size(d->list);

	d->observed = true;
	if (there) {
		place = (size_t)json_integer_value(there);
		add_count(json_array_get(d->list, place), count_of(event));
	} else if (place < DENIALS_MAX) {
		json_t *denial = explained(d, event);

		json_array_append_new(d->list, denial);
		json_object_set_new(d->things, key, json_integer((json_int_t)place));
		tell(d, event, denial);
	} else {
		d->dropped++;
		return;
	}
	remember(d, event, place);
}

/* {"id","count"}: how often it was, in all. */
static void take_repeated(struct denials *d, const json_t *event)
{
	const json_t *id = json_object_get(event, "id");
	json_t *known, *denial;
	char number[32];
	json_int_t more;

	if (!json_is_integer(id))
		return;
	snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, json_integer_value(id));
	known = json_object_get(d->ids, number);
	denial = json_array_get(d->list, (size_t)json_integer_value(json_array_get(known, 0)));
	more = count_of(event) - json_integer_value(json_array_get(known, 1));
	if (!known || !denial || more <= 0)
		return;
	add_count(denial, more);
	json_array_set_new(known, 1, json_integer(count_of(event)));
	sink_event(d->sink, event);
}

/* {"id","failed"}: how the process that was denied it ended. */
static void take_ended(struct denials *d, const json_t *event)
{
	const json_t *id = json_object_get(event, "id"), *known;
	json_t *denial, *failed = json_object_get(event, "failed");
	char number[32];

	if (!json_is_integer(id) || !json_is_boolean(failed))
		return;
	snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT, json_integer_value(id));
	known = json_object_get(d->ids, number);
	denial = json_array_get(d->list, (size_t)json_integer_value(json_array_get(known, 0)));
	/* By any of those that tried it. */
	if (known && denial && !json_is_true(json_object_get(denial, "failed")))
		json_object_set(denial, "failed", failed);
}

/* A host that was reached, with what went each way. */
static void take_reached(struct denials *d, json_t *event)
{
	json_t *host = xjson(json_copy(event));

	json_object_del(host, "event");
	if (!d->reached)
		d->reached = xjson(json_array());
	if (json_array_size(d->reached) < DENIALS_MAX)
		json_array_append(d->reached, host);
	json_decref(host);
	sink_event(d->sink, event);
}

void denials_take(struct denials *d, const char *name, json_t *event)
{
	json_t *why = json_object_get(event, "why");

	if (strcmp(name, "denial") == 0) {
		if (is_noise(event))
			d->observed = true;
		else if (json_is_string(json_object_get(event, "op")))
			take_denial(d, event);
	} else if (strcmp(name, "ended") == 0) {
		take_ended(d, event);
	} else if (strcmp(name, "repeated") == 0) {
		take_repeated(d, event);
	} else if (strcmp(name, "dropped") == 0) {
		d->dropped += count_of(event);
		sink_event(d->sink, event);
	} else if (strcmp(name, "reached") == 0) {
		take_reached(d, event);
	} else if (strcmp(name, "unobserved") == 0 && !d->unobserved) {
		d->unobserved = json_is_string(why) ? json_incref(why) : json_string("");
		sink_event(d->sink, event);
	}
}
