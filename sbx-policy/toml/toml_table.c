/*
 * Who may define which table, and where it was defined.
 *
 * Every table and array has a twin that holds, under the same keys, a place
 * for each member: an integer (kind, line, column) for a scalar, and for a
 * table or array the list [integer, twin].  The kind says what later lines
 * may still do.
 */
#include "toml/toml_parser.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>

#define PLACE_BITS 28

static json_int_t pack(enum toml_kind kind, struct toml_place place)
{
	return (json_int_t)kind << (2 * PLACE_BITS) | (json_int_t)place.line << PLACE_BITS |
	       (json_int_t)place.column;
}

static json_t *head_of(const json_t *place)
{
	json_t *list = json_array_get(place, 0);

	return list ? list : (json_t *)(uintptr_t)place;
}

static struct toml_place unpack(const json_t *place)
{
	json_int_t packed = json_integer_value(head_of(place));
	json_int_t mask = (1 << PLACE_BITS) - 1;

	return (struct toml_place){(unsigned)(packed >> PLACE_BITS & mask),
	                           (unsigned)(packed & mask)};
}

static enum toml_kind kind_of(const json_t *place)
{
	return (enum toml_kind)(json_integer_value(head_of(place)) >> (2 * PLACE_BITS));
}

static int add(struct toml_parser *p, const struct toml_slot *slot, json_t *value, json_t *place)
{
	const struct toml_slice *key = &slot->part.key;
	int failed;

	if (json_is_array(slot->values))
		failed = json_array_append_new(slot->values, value) |
		         json_array_append_new(slot->places, place);
	else
		failed = json_object_setn_new_nocheck(slot->values, key->bytes, key->len, value) |
		         json_object_setn_new_nocheck(slot->places, key->bytes, key->len, place);
	if (failed)
		xjson(NULL);
	if (++p->keys > p->limits.keys)
		return toml_fail(p, slot->part.at, "more than %zu keys and elements",
		                 p->limits.keys);
	return 0;
}

int toml_put(struct toml_parser *p, const struct toml_slot *slot, json_t *value)
{
	return add(p, slot, xjson(value), xjson(json_integer(pack(TOML_VALUE, slot->part.place))));
}

int toml_open(struct toml_parser *p, const struct toml_slot *slot, json_t *container,
              enum toml_kind kind, struct toml_slot *inside)
{
	json_t *twin = xjson(json_is_array(container) ? json_array() : json_object());
	struct toml_slot made = {xjson(container), twin, slot->depth + 1, slot->part};
	json_t *place = xjson(json_array());

	if (json_array_append_new(place, xjson(json_integer(pack(kind, slot->part.place)))) |
	    json_array_append_new(place, twin))
		xjson(NULL);
	if (add(p, slot, container, place) < 0)
		return -1;
	if (made.depth > p->limits.depth)
		return toml_fail(p, slot->part.at, "nested more than %zu deep", p->limits.depth);
	*inside = made;
	return 0;
}

static int already(struct toml_parser *p, const struct toml_part *part, const json_t *place)
{
	char shown[48];

	return toml_fail(p, part->at, "%s is already defined, in line %u",
	                 toml_shown(shown, part->key), unpack(place).line);
}

/* What `table` has under the key of a part: its place, or NULL. */
static json_t *member(const struct toml_slot *table, const struct toml_part *part)
{
	return json_object_getn(table->places, part->key.bytes, part->key.len);
}

/* Into an existing table; of an [[array]], into its last. */
static void step(struct toml_slot *table, const struct toml_part *part, const json_t *place)
{
	table->values = json_object_getn(table->values, part->key.bytes, part->key.len);
	table->places = json_array_get(place, 1);
	table->depth++;
	if (json_is_array(table->values)) {
		size_t last = json_array_size(table->values) - 1;

		table->values = json_array_get(table->values, last);
		table->places = json_array_get(json_array_get(table->places, last), 1);
		table->depth++;
	}
}

/* Into a table that is new. */
static int make(struct toml_parser *p, struct toml_slot *table, const struct toml_part *part,
                enum toml_kind kind)
{
	struct toml_slot slot = *table;

	slot.part = *part;
	return toml_open(p, &slot, json_object(), kind, table);
}

int toml_enter_dotted(struct toml_parser *p, const struct toml_slot *table, struct toml_slot *slot)
{
	const struct toml_part *last = &p->parts[p->part_count - 1];
	json_t *place;

	*slot = *table;
	for (const struct toml_part *part = p->parts; part < last; part++) {
		place = member(slot, part);
		if (!place) {
			if (make(p, slot, part, TOML_DOTTED) < 0)
				return -1;
			continue;
		}
		/* What another header defined, a dotted key may not add to. */
		if (kind_of(place) != TOML_DOTTED && kind_of(place) != TOML_IMPLICIT)
			return already(p, part, place);
		/* From here on this table belongs to dotted keys: no [header] for it. */
		json_integer_set(head_of(place), pack(TOML_DOTTED, unpack(place)));
		step(slot, part, place);
	}
	place = member(slot, last);
	if (place)
		return already(p, last, place);
	slot->part = *last;
	return 0;
}

static int enter_array(struct toml_parser *p, const struct toml_part *part, struct toml_slot *table)
{
	json_t *place = member(table, part);
	struct toml_slot array = *table;

	array.part = *part;
	if (!place) {
		if (toml_open(p, &array, json_array(), TOML_ARRAY, &array) < 0)
			return -1;
	} else if (kind_of(place) == TOML_ARRAY) {
		array.values = json_object_getn(table->values, part->key.bytes, part->key.len);
		array.places = json_array_get(place, 1);
		array.depth++;
	} else {
		return already(p, part, place);
	}
	return toml_open(p, &array, json_object(), TOML_HEADER, table);
}

int toml_enter_header(struct toml_parser *p, const struct toml_slot *root, bool array,
                      struct toml_slot *table)
{
	const struct toml_part *last = &p->parts[p->part_count - 1];
	json_t *place;

	*table = *root;
	for (const struct toml_part *part = p->parts; part < last; part++) {
		place = member(table, part);
		if (!place) {
			if (make(p, table, part, TOML_IMPLICIT) < 0)
				return -1;
			continue;
		}
		if (kind_of(place) == TOML_VALUE)
			return already(p, part, place);
		step(table, part, place);
	}
	if (array)
		return enter_array(p, last, table);
	place = member(table, last);
	if (!place)
		return make(p, table, last, TOML_HEADER);
	if (kind_of(place) != TOML_IMPLICIT)
		return already(p, last, place);
	json_integer_set(head_of(place), pack(TOML_HEADER, last->place));
	step(table, last, place);
	return 0;
}

/* The member of a twin that one word of a path names. */
static json_t *named(const json_t *twin, const char *word)
{
	char *rest;
	unsigned long long index;

	if (!json_is_array(twin))
		return json_object_get(twin, word);
	if (!toml_digit(*word))
		return NULL;
	index = strtoull(word, &rest, 10);
	return *rest ? NULL : json_array_get(twin, (size_t)index);
}

bool toml_find(const struct toml_document *document, const char *const *path,
               struct toml_place *place)
{
	const json_t *twin = document->places, *found = NULL;

	for (; *path; path++) {
		found = named(twin, *path);
		if (!found)
			return false;
		twin = json_array_get(found, 1);
	}
	if (!found)
		return false;
	*place = unpack(found);
	return true;
}
