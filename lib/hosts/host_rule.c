#include "hosts/host_rule.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#endif

#define MAPPED_BITS 96
static const uint8_t mapped[MAPPED_BITS / 8] = {[10] = 0xff, [11] = 0xff};

/* ---- names ----------------------------------------------------------------- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Not isalnum(): a locale has no say in what a name is. */
static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_';
}

/* What some programs take for a number: 0x7f000001, 017700000001, 2130706433, 127.1. */
static bool is_number(const char *label)
{
	size_t len = strlen(label);

	if (len >= 2 && label[0] == '0' && label[1] == 'x')
		return strspn(label + 2, "0123456789abcdef") == len - 2;
	return strspn(label, "0123456789") == len;
}

static const char *check_labels(const char *name)
{
	const char *last = strrchr(name, '.');

	for (const char *at = name; *at;) {
		size_t len = strcspn(at, ".");

		if (len == 0)
			return "a label is empty";
		if (len > HOST_LABEL_MAX)
			return "a label is longer than 63 bytes";
		if (at[0] == '-' || at[len - 1] == '-')
			return "a label begins or ends with a hyphen";
		at += len + (at[len] == '.');
	}
	return is_number(last ? last + 1 : name) ? "looks like an address in another spelling"
	                                         : NULL;
}

const char *host_name_normal(const char *text, size_t len, char out[HOST_NAME_MAX_LENGTH + 1])
{
	if (len > 0 && text[len - 1] == '.')
		len--;
	if (len == 0)
		return "the name is empty";
	if (len > HOST_NAME_MAX_LENGTH)
		return "the name is longer than 253 bytes";
	for (size_t i = 0; i < len; i++) {
		out[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];
		if ((unsigned char)text[i] >= 0x80)
			return "not ASCII; write the name in its xn-- form";
		if (!is_name_byte(out[i]) && out[i] != '.')
			return "has a character that no host's name has";
	}
	out[len] = '\0';
	return out[len - 1] == '.' ? "a label is empty" : check_labels(out);
}

/* ---- addresses ------------------------------------------------------------- */

bool host_address_parse(const char *text, struct host_address *address)
{
	/* inet_pton() takes four decimal numbers and no leading zeros. */
	if (inet_pton(AF_INET, text, address->bytes + 12) == 1) {
		memcpy(address->bytes, mapped, sizeof(mapped));
		return true;
	}
	return inet_pton(AF_INET6, text, address->bytes) == 1;
}

bool host_address_is_four(const struct host_address *address)
{
	return memcmp(address->bytes, mapped, sizeof(mapped)) == 0;
}

void host_address_text(const struct host_address *address, char text[HOST_ADDRESS_TEXT])
{
	if (host_address_is_four(address)) {
		inet_ntop(AF_INET, address->bytes + 12, text, HOST_ADDRESS_TEXT);
		return;
	}
	text[0] = '[';
	inet_ntop(AF_INET6, address->bytes, text + 1, HOST_ADDRESS_TEXT - 2);
	strcat(text, "]");
}

/* Whether all bits behind the prefix are zero. */
static bool is_network(const struct host_address *address, unsigned prefix)
{
	for (unsigned i = prefix; i < 128; i++)
		if (address->bytes[i / 8] & (0x80U >> i % 8))
			return false;
	return true;
}

/* 0 to most, in decimal; -1. */
static long number(const char *text, size_t len, long most)
{
	long value = 0;

	if (len == 0 || len > 5 || (text[0] == '0' && len > 1))
		return -1;
	for (size_t i = 0; i < len; i++) {
		if (!is_digit(text[i]))
			return -1;
		value = value * 10 + (text[i] - '0');
	}
	return value <= most ? value : -1;
}

/* ---- a rule ---------------------------------------------------------------- */

static const char *parse_ports(const char *text, struct host_rule *rule)
{
	for (;;) {
		size_t len = strcspn(text, ",");
		long port = number(text, len, 65535);

		if (port <= 0)
			return "expected ports from 1 to 65535, with commas between them";
		if (rule->port_count == HOST_PORTS_MAX)
			return "too many ports";
		rule->ports[rule->port_count++] = (uint16_t)port;
		if (!text[len])
			return NULL;
		text += len + 1;
	}
}

/* "ADDRESS" or "ADDRESS/BITS"; *known says whether it is one at all. */
static const char *parse_network(char *text, struct host_rule *rule, bool *known)
{
	char *slash = strchr(text, '/');
	bool six = strchr(text, ':') != NULL;
	long bits = six ? 128 : 32;

	if (slash)
		*slash = '\0';
	*known = host_address_parse(text, &rule->address);
	if (!*known)
		return slash ? "expected an address before the slash" : NULL;
	if (slash)
		bits = number(slash + 1, strlen(slash + 1), bits);
	if (bits < 0)
		return six ? "expected a number of bits after the slash, 128 at most"
		           : "expected a number of bits after the slash, 32 at most";
	if (six && host_address_is_four(&rule->address) && bits < 128)
		return "write the network as IPv4";
	rule->kind = HOST_NETWORK;
	rule->prefix = (unsigned)bits + (six ? 0 : MAPPED_BITS);
	return is_network(&rule->address, rule->prefix)
	               ? NULL
	               : "the address has bits that the network leaves open; they must be zero";
}

static const char *parse_name(const char *text, struct host_rule *rule)
{
	if (strcmp(text, "*") == 0) {
		rule->kind = HOST_ANY_NAME;
		return NULL;
	}
	rule->kind = HOST_NAME;
	if (strncmp(text, "**.", 3) == 0) {
		rule->kind = HOST_AT_OR_BELOW;
		text += 3;
	} else if (strncmp(text, "*.", 2) == 0) {
		rule->kind = HOST_BELOW;
		text += 2;
	}
	if (strchr(text, '*'))
		return "a star stands for whole labels, at the beginning: *.example.org";
	return host_name_normal(text, strlen(text), rule->name);
}

/* "[ADDRESS]", "[ADDRESS/BITS]" or "[ADDRESS]/BITS"; then ports. */
static const char *parse_bracketed(char *text, struct host_rule *rule)
{
	char *close = strchr(text, ']');
	cleanup_free char *network = NULL;
	const char *wrong;
	size_t bits;
	bool known;

	if (!close)
		return "the bracket is not closed";
	bits = close[1] == '/' ? strcspn(close + 1, ":") : 0;
	network = xasprintf("%.*s%.*s", (int)(close - text - 1), text + 1, (int)bits, close + 1);
	if (!strchr(network, ':'))
		return "only an IPv6 address is written in brackets";
	wrong = parse_network(network, rule, &known);
	if (wrong || !known)
		return wrong ? wrong : "not an IPv6 address";
	close += 1 + bits;
	if (*close == ':')
		return parse_ports(close + 1, rule);
	return *close ? "expected :PORT after the bracket" : NULL;
}

static const char *parse(char *text, struct host_rule *rule)
{
	char *colon = strchr(text, ':');
	const char *wrong;
	bool known;

	if (strstr(text, "://"))
		return "a URL; expected only the host's name, and :PORT where only that is meant";
	if (strchr(text, '@'))
		return "expected only the host's name, without what is before the @ and after the "
		       "host";
	if (strpbrk(text, " \t") || (strchr(text, ',') && !colon))
		return "one host at a time; write each of several by itself";
	if (text[0] == '[')
		return parse_bracketed(text, rule);
	if (colon && strchr(colon + 1, ':'))
		return "an IPv6 address is written in brackets";
	if (colon) {
		wrong = parse_ports(colon + 1, rule);
		if (wrong)
			return wrong;
		*colon = '\0';
	}
	wrong = parse_network(text, rule, &known);
	return wrong || known ? wrong : parse_name(text, rule);
}

int host_rule_parse(const char *text, struct host_rule *rule, struct error *err)
{
	cleanup_free char *copy = xstrdup(text[0] == '!' ? text + 1 : text);
	const char *wrong;

	memset(rule, 0, sizeof(*rule));
	rule->deny = text[0] == '!';
	wrong = parse(copy, rule);
	return wrong ? error_set(err, EXIT_INPUT, "bad-host", "host \"%s\": %s", text, wrong) : 0;
}

static char *place_text(const struct host_rule *rule)
{
	static const char *const before[] = {
	        [HOST_NAME] = "", [HOST_BELOW] = "*.", [HOST_AT_OR_BELOW] = "**."};
	bool four = host_address_is_four(&rule->address);
	char text[HOST_ADDRESS_TEXT];

	if (rule->kind == HOST_ANY_NAME)
		return xstrdup("*");
	if (rule->kind != HOST_NETWORK)
		return xasprintf("%s%s", before[rule->kind], rule->name);
	host_address_text(&rule->address, text);
	if (rule->prefix == 128)
		return xstrdup(text);
	return xasprintf("%s/%u", text, rule->prefix - (four ? MAPPED_BITS : 0));
}

char *host_rule_text(const struct host_rule *rule)
{
	cleanup_free char *place = place_text(rule);
	char *text = xasprintf("%s%s", rule->deny ? "!" : "", place);

	for (size_t i = 0; i < rule->port_count; i++) {
		char *longer = xasprintf("%s%c%u", text, i ? ',' : ':', rule->ports[i]);

		free(text);
		text = longer;
	}
	return text;
}

bool host_rule_has_port(const struct host_rule *rule, unsigned port)
{
	for (size_t i = 0; i < rule->port_count; i++)
		if (rule->ports[i] == port)
			return true;
	return rule->port_count == 0;
}

bool host_rule_has_name(const struct host_rule *rule, const char *name)
{
	size_t own = strlen(rule->name), len = strlen(name);
	bool same = strcmp(rule->name, name) == 0;
	bool below = len > own + 1 && name[len - own - 1] == '.' &&
	             strcmp(name + len - own, rule->name) == 0;

	switch (rule->kind) {
	case HOST_NAME:
		return same;
	case HOST_BELOW:
		return below;
	case HOST_AT_OR_BELOW:
		return same || below;
	case HOST_ANY_NAME:
		return true;
	case HOST_NETWORK:
		break;
	}
	return false;
}

bool host_rule_has_address(const struct host_rule *rule, const struct host_address *address)
{
	unsigned whole = rule->prefix / 8, rest = rule->prefix % 8;

	if (rule->kind != HOST_NETWORK || memcmp(rule->address.bytes, address->bytes, whole) != 0)
		return false;
	/* [::]/0 is of IPv6: it has no address of IPv4, although all of them begin like it. */
	if (rule->prefix < MAPPED_BITS && host_address_is_four(address))
		return false;
	return rest == 0 || (rule->address.bytes[whole] ^ address->bytes[whole]) >> (8 - rest) == 0;
}
