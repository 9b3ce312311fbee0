#include "names/dns_message.h"

#include <stdlib.h>
#include <string.h>

#define HEADER         12
#define JUMPS          32 /* of compressed names; a circle ends here */
#define NAME_MAX_BYTES 255
#define ALIASES        16
#define RECORDS        1024 /* looked at in one answer */

static uint16_t word(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static void put_word(uint8_t *bytes, unsigned value)
{
	bytes[0] = (uint8_t)(value >> 8);
	bytes[1] = (uint8_t)value;
}

/* ---- names ----------------------------------------------------------------- */

struct name {
	uint8_t bytes[NAME_MAX_BYTES]; /* labels with their lengths, without the last zero */
	size_t len;
};

/* The place behind it; 0: broken. */
static size_t read_name(const uint8_t *bytes, size_t len, size_t at, struct name *name)
{
	size_t behind = 0;

	name->len = 0;
	for (unsigned jumps = 0; at < len;) {
		size_t label = bytes[at];

		if (label == 0)
			return behind ? behind : at + 1;
		if (label >= 0xc0) {
			if (at + 1 >= len || ++jumps > JUMPS)
				return 0;
			behind = behind ? behind : at + 2;
			at = (label & 0x3f) << 8 | bytes[at + 1];
			continue;
		}
		if (label > HOST_LABEL_MAX || at + 1 + label > len ||
		    name->len + 1 + label > NAME_MAX_BYTES - 1)
			return 0;
		memcpy(name->bytes + name->len, bytes + at, label + 1);
		name->len += label + 1;
		at += label + 1;
	}
	return 0;
}

static uint8_t lower(uint8_t c)
{
	return c >= 'A' && c <= 'Z' ? (uint8_t)(c - 'A' + 'a') : c;
}

static bool same_name(const struct name *a, const struct name *b)
{
	if (a->len != b->len)
		return false;
	for (size_t i = 0; i < a->len; i++)
		if (lower(a->bytes[i]) != lower(b->bytes[i]))
			return false;
	return true;
}

/* "" when a label has a byte that no name of a host has: a dot, a NUL. */
static void name_text(const struct name *name, char out[HOST_NAME_MAX_LENGTH + 1])
{
	char text[NAME_MAX_BYTES + 1];
	size_t len = 0;

	out[0] = '\0';
	for (size_t at = 0; at < name->len; at += name->bytes[at] + 1U) {
		for (size_t i = 1; i <= name->bytes[at]; i++)
			if (name->bytes[at + i] == '.')
				return;
		memcpy(text + len, name->bytes + at + 1, name->bytes[at]);
		len += name->bytes[at];
		text[len++] = '.';
	}
	if (host_name_normal(text, len, out) != NULL)
		out[0] = '\0';
}

static size_t write_name(uint8_t *out, const char *name)
{
	size_t at = 0;

	while (*name) {
		size_t len = strcspn(name, ".");

		out[at++] = (uint8_t)len;
		memcpy(out + at, name, len);
		at += len;
		name += len + (name[len] == '.');
	}
	out[at++] = 0;
	return at;
}

/* ---- queries --------------------------------------------------------------- */

/* A reverse name has labels of digits, which no host has. */
static void reverse_text(const struct name *name, char out[HOST_NAME_MAX_LENGTH + 1])
{
	size_t len = 0;

	for (size_t at = 0; at < name->len; at += name->bytes[at] + 1U)
		for (size_t i = 1; i <= name->bytes[at] + 1U && len < HOST_NAME_MAX_LENGTH; i++) {
			uint8_t c = i <= name->bytes[at] ? lower(name->bytes[at + i]) : '.';

			out[len++] = c > ' ' && c < 127 ? (char)c : '?';
		}
	out[len > 0 ? len - 1 : 0] = '\0';
}

bool dns_query_read(const uint8_t *bytes, size_t len, struct dns_query *query)
{
	struct name name;
	size_t at;

	/* A query, of the plain kind, with one question. */
	if (len < HEADER || (bytes[2] & 0xf8) || word(bytes + 4) != 1)
		return false;
	at = read_name(bytes, len, HEADER, &name);
	if (at == 0 || at + 4 > len || at > HEADER + NAME_MAX_BYTES)
		return false;
	query->type = word(bytes + at);
	query->internet = word(bytes + at + 2) == 1;
	query->end = at + 4;
	if (query->type == DNS_PTR)
		reverse_text(&name, query->name);
	else
		name_text(&name, query->name);
	return true;
}

size_t dns_query_write(uint8_t *out, uint16_t id, const char *name, uint16_t type)
{
	size_t at = HEADER;

	memset(out, 0, HEADER);
	put_word(out, id);
	out[2] = 1; /* recursion, please */
	out[5] = 1;
	at += write_name(out + at, name);
	put_word(out + at, type);
	put_word(out + at + 2, 1);
	return at + 4;
}

/* ---- replies --------------------------------------------------------------- */

void dns_reply_begin(struct dns_reply *reply, uint8_t *out, const uint8_t *query,
                     const struct dns_query *read, enum dns_code code)
{
	memcpy(out, query, read->end);
	out[2] = 0x80 | (query[2] & 1);
	out[3] = (uint8_t)(0x80 | code);
	memset(out + 6, 0, 6);
	*reply = (struct dns_reply){.bytes = out, .len = read->end};
}

static void add_record(struct dns_reply *reply, enum dns_type type, const uint8_t *data, size_t len,
                       uint32_t ttl)
{
	uint8_t *at = reply->bytes + reply->len;

	if (reply->len + 12 + len > DNS_REPLY_MAX)
		return;
	put_word(at, 0xc000 | HEADER); /* the name of the question */
	put_word(at + 2, type);
	put_word(at + 4, 1);
	put_word(at + 6, ttl >> 16);
	put_word(at + 8, ttl);
	put_word(at + 10, (unsigned)len);
	memcpy(at + 12, data, len);
	reply->len += 12 + len;
	put_word(reply->bytes + 6, ++reply->count);
}

void dns_reply_address(struct dns_reply *reply, const struct host_address *address, uint32_t ttl)
{
	if (host_address_is_four(address))
		add_record(reply, DNS_A, address->bytes + 12, 4, ttl);
	else
		add_record(reply, DNS_AAAA, address->bytes, 16, ttl);
}

void dns_reply_name(struct dns_reply *reply, const char *name, uint32_t ttl)
{
	uint8_t data[NAME_MAX_BYTES + 1];
	size_t len = write_name(data, name);

	add_record(reply, DNS_PTR, data, len, ttl);
}

/* ---- answers --------------------------------------------------------------- */

struct record {
	struct name owner;
	uint16_t type;
	uint32_t ttl;
	size_t data, len;
};

/* The place behind it; 0: broken. */
static size_t read_record(const uint8_t *bytes, size_t len, size_t at, struct record *record)
{
	at = read_name(bytes, len, at, &record->owner);
	if (at == 0 || at + 10 > len)
		return 0;
	/* Another class than the internet's is like a type that nobody wants. */
	record->type = word(bytes + at + 2) == 1 ? word(bytes + at) : 0;
	record->ttl = (uint32_t)word(bytes + at + 4) << 16 | word(bytes + at + 6);
	record->len = word(bytes + at + 8);
	record->data = at + 10;
	return record->data + record->len <= len ? record->data + record->len : 0;
}

static void take_address(const uint8_t *bytes, const struct record *record,
                         struct dns_answer *answer)
{
	struct host_address *address = &answer->addresses[answer->count];

	if (answer->count == DNS_ADDRESSES || record->len != (record->type == DNS_A ? 4U : 16U))
		return;
	*address = (struct host_address){.bytes = {[10] = 0xff, [11] = 0xff}};
	memcpy(address->bytes + 16 - record->len, bytes + record->data, record->len);
	/* An AAAA record that means an IPv4 address is a disguise. */
	if (record->type == DNS_AAAA && host_address_is_four(address))
		return;
	answer->count++;
}

/* One pass for the name and its records; *name becomes what it is an alias of. */
static bool look_for(const uint8_t *bytes, size_t len, size_t at, uint16_t type, struct name *name,
                     struct dns_answer *answer)
{
	unsigned records = word(bytes + 6);
	struct name alias = {.len = 0};

	for (unsigned i = 0; i < records && i < RECORDS; i++) {
		struct record record;

		at = read_record(bytes, len, at, &record);
		if (at == 0)
			break;
		if (!same_name(&record.owner, name))
			continue;
		if (record.ttl < answer->ttl)
			answer->ttl = record.ttl;
		if (record.type == type)
			take_address(bytes, &record, answer);
		else if (record.type == DNS_CNAME && alias.len == 0 &&
		         read_name(bytes, len, record.data, &alias) == 0)
			alias.len = 0;
	}
	*name = alias;
	return answer->count == 0 && alias.len > 0;
}

bool dns_answer_read(const uint8_t *bytes, size_t len, const uint8_t *query, size_t query_len,
                     struct dns_answer *answer)
{
	struct name asked, name;
	size_t at, end = read_name(query, query_len, HEADER, &asked);
	unsigned aliases = 0;

	*answer = (struct dns_answer){.ttl = UINT32_MAX};
	if (len < HEADER || end == 0 || end + 4 > query_len || word(bytes) != word(query) ||
	    !(bytes[2] & 0x80) || word(bytes + 4) != 1)
		return false;
	at = read_name(bytes, len, HEADER, &name);
	if (at == 0 || at + 4 > len || !same_name(&name, &asked) ||
	    memcmp(bytes + at, query + end, 4) != 0)
		return false;
	answer->code = (enum dns_code)(bytes[3] & 0xf);
	answer->cut = (bytes[2] & 2) != 0;
	while (look_for(bytes, len, at + 4, word(query + end), &name, answer) &&
	       ++aliases < ALIASES)
		;
	return true;
}

/* ---- reverse names --------------------------------------------------------- */

static bool reverse_four(const char *name, struct host_address *address)
{
	*address = (struct host_address){.bytes = {[10] = 0xff, [11] = 0xff}};
	for (size_t i = 16; i-- > 12;) {
		char *end;
		unsigned long byte =
		        name[0] >= '0' && name[0] <= '9' ? strtoul(name, &end, 10) : 256;

		if (byte > 255 || *end != '.')
			return false;
		address->bytes[i] = (uint8_t)byte;
		name = end + 1;
	}
	return strcmp(name, "in-addr.arpa") == 0;
}

static bool reverse_six(const char *name, struct host_address *address)
{
	static const char digits[] = "0123456789abcdef";

	*address = (struct host_address){{0}};
	for (size_t i = 32; i-- > 0; name += 2) {
		const char *digit = name[0] ? strchr(digits, name[0]) : NULL;

		if (!digit || name[1] != '.')
			return false;
		address->bytes[i / 2] |= (uint8_t)((digit - digits) << (i % 2 ? 0 : 4));
	}
	return strcmp(name, "ip6.arpa") == 0;
}

bool dns_reverse_read(const char *name, struct host_address *address)
{
	return reverse_four(name, address) || reverse_six(name, address);
}
