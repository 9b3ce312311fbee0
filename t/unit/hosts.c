/*
 * What does a word of the list of hosts mean, and what does the list allow?
 */
#include "hosts/host_rule.c"
#include "hosts/hosts.c"
#include "tap.h"

#define L63 "a23456789012345678901234567890123456789012345678901234567890123"

/* wanted NULL: refused, and the message says `why`. */
static const struct {
	const char *text, *wanted, *why;
} words[] = {
        {"example.org", "example.org", NULL},
        {"Example.ORG.", "example.org", NULL},
        {"*.Example.org", "*.example.org", NULL},
        {"**.example.org", "**.example.org", NULL},
        {"*", "*", NULL},
        {"!bad.example.org:25", "!bad.example.org:25", NULL},
        {"localhost:5432", "localhost:5432", NULL},
        {"example.org:443,80", "example.org:443,80", NULL},
        {"xn--bcher-kva.example", "xn--bcher-kva.example", NULL},
        {"under_score.example", "under_score.example", NULL},
        {"192.0.2.1", "192.0.2.1", NULL},
        {"192.0.2.1:22", "192.0.2.1:22", NULL},
        {"10.0.0.0/8", "10.0.0.0/8", NULL},
        {"10.0.0.0/8:443", "10.0.0.0/8:443", NULL},
        {"0.0.0.0/0", "0.0.0.0/0", NULL},
        {"[2001:DB8::1]", "[2001:db8::1]", NULL},
        {"[2001:db8::1]:443", "[2001:db8::1]:443", NULL},
        {"[2001:db8::/32]", "[2001:db8::]/32", NULL},
        {"[fd00::]/8:443,444", "[fd00::]/8:443,444", NULL},
        {"[::ffff:192.0.2.1]", "192.0.2.1", NULL},
        {L63 ".example", L63 ".example", NULL},

        {"", NULL, "empty"},
        {".", NULL, "empty"},
        {"..", NULL, "label is empty"},
        {"a..b", NULL, "label is empty"},
        {".a", NULL, "label is empty"},
        {"a..", NULL, "label is empty"},
        {"!", NULL, "empty"},
        {"!!a", NULL, "character"},
        {"*a.example", NULL, "star"},
        {"a.*.example", NULL, "star"},
        {"*.*.example", NULL, "star"},
        {"a b", NULL, "one host at a time"},
        {"http://a", NULL, "a URL"},
        {"a/b", NULL, "address before the slash"},
        {"user@a", NULL, "before the @"},
        {"b\xc3\xbc"
         "cher.example",
         NULL, "xn--"},
        {"-a.example", NULL, "hyphen"},
        {"a-.example", NULL, "hyphen"},
        {L63 "4.example", NULL, "63"},
        {L63 "." L63 "." L63 "." L63, NULL, "253"},
        {"a:0", NULL, "ports"},
        {"a:", NULL, "ports"},
        {"a:80,", NULL, "ports"},
        {"a:65536", NULL, "ports"},
        {"a:-1", NULL, "ports"},
        {"a:080", NULL, "ports"},
        {"2130706433", NULL, "another spelling"},
        {"0x7f000001", NULL, "another spelling"},
        {"0X7F.1", NULL, "another spelling"},
        {"017700000001", NULL, "another spelling"},
        {"127.1", NULL, "another spelling"},
        {"127.0.0.01", NULL, "another spelling"},
        {"1.2.3.4.", NULL, "another spelling"},
        {"1.2.3.4.5", NULL, "another spelling"},
        {"256.1.1.1", NULL, "another spelling"},
        {"a.0x", NULL, "another spelling"},
        {"*.1", NULL, "another spelling"},
        {"10.1.2.3/8", NULL, "must be zero"},
        {"10.0.0.0/33", NULL, "bits"},
        {"10.0.0.0/", NULL, "bits"},
        {"10.0.0.0/08", NULL, "bits"},
        {"2001:db8::1", NULL, "brackets"},
        {"::1", NULL, "brackets"},
        {"[::1", NULL, "closed"},
        {"[1.2.3.4]", NULL, "brackets"},
        {"[a]", NULL, "brackets"},
        {"[fe80::1%eth0]", NULL, "IPv6"},
        {"[::1]x", NULL, "PORT"},
        {"[::ffff:10.0.0.0/104]", NULL, "IPv4"},
};

static void check_word(size_t i)
{
	struct host_rule rule;
	struct error err = {0};
	cleanup_free char *text =
	        host_rule_parse(words[i].text, &rule, &err) == 0 ? host_rule_text(&rule) : NULL;
	cleanup_free char *what = xasprintf("\"%s\"", words[i].text);

	if (words[i].wanted)
		check(text && strcmp(text, words[i].wanted) == 0, what, text ? text : err.message);
	else
		check(!text && err.exit == EXIT_INPUT && strstr(err.message, words[i].why), what,
		      text ? text : err.message);
}

static const struct verdict {
	const char *list, *name, *address;
	unsigned port;
	enum host_verdict wanted;
} verdicts[] = {
        {"x.example", "x.example", "192.0.2.1", 443, HOST_ALLOWED},
        {"x.example", "a.x.example", "192.0.2.1", 443, HOST_NOT_LISTED},
        {"x.example", "ax.example", "192.0.2.1", 443, HOST_NOT_LISTED},
        {"x.example:443", "x.example", "192.0.2.1", 80, HOST_NOT_LISTED},
        {"*.x.example", "x.example", "192.0.2.1", 80, HOST_NOT_LISTED},
        {"*.x.example", "a.x.example", "192.0.2.1", 80, HOST_ALLOWED},
        {"*.x.example", "a.b.x.example", "192.0.2.1", 80, HOST_ALLOWED},
        {"*.x.example", "ax.example", "192.0.2.1", 80, HOST_NOT_LISTED},
        {"**.x.example", "x.example", "192.0.2.1", 80, HOST_ALLOWED},
        {"* !x.example", "x.example", "192.0.2.1", 80, HOST_DENIED},
        {"!*.example x.example", "x.example", "192.0.2.1", 80, HOST_DENIED},
        {"x.example !x.example:25", "x.example", "192.0.2.1", 25, HOST_DENIED},
        {"x.example !x.example:25", "x.example", "192.0.2.1", 80, HOST_ALLOWED},
        {"x.example !192.0.2.0/24", "x.example", "192.0.2.1", 80, HOST_DENIED},
        {"192.0.2.1", NULL, "192.0.2.1", 80, HOST_ALLOWED},
        {"192.0.2.1", NULL, "::ffff:192.0.2.1", 80, HOST_ALLOWED},
        {"192.0.2.1", NULL, "192.0.2.2", 80, HOST_NOT_LISTED},
        {"192.0.2.1", "x.example", "192.0.2.1", 80, HOST_NOT_LISTED},
        {"x.example", NULL, "192.0.2.1", 80, HOST_NOT_LISTED},
        {"0.0.0.0/0", NULL, "2001:db8::1", 80, HOST_NOT_LISTED},
        {"[2001:db8::]/33", NULL, "2001:db8:7fff::1", 80, HOST_ALLOWED},
        {"[2001:db8::]/33", NULL, "2001:db8:8000::1", 80, HOST_NOT_LISTED},
        {"x.example", "x.example", "10.0.0.1", 80, HOST_INTERNAL},
        {"x.example", "x.example", "169.254.169.254", 80, HOST_INTERNAL},
        {"x.example", "x.example", "::1", 80, HOST_INTERNAL},
        {"x.example", "x.example", "::ffff:127.0.0.1", 80, HOST_INTERNAL},
        {"x.example", "x.example", "::7f00:1", 80, HOST_INTERNAL},
        {"x.example", "x.example", "64:ff9b::7f00:1", 80, HOST_INTERNAL},
        {"x.example", "x.example", "64:ff9b::c000:201", 80, HOST_ALLOWED},
        {"x.example", "x.example", "2002:a00:1::1", 80, HOST_INTERNAL},
        {"x.example", "x.example", "fe80::1", 80, HOST_INTERNAL},
        {"x.example", "x.example", "fd00:ec2::254", 80, HOST_INTERNAL},
        {"x.example", "x.example", "198.18.0.7", 80, HOST_INTERNAL},
        {"x.example", "x.example", "172.32.0.1", 80, HOST_ALLOWED},
        {"x.example 10.0.0.0/8", "x.example", "10.0.0.1", 80, HOST_ALLOWED},
        {"x.example 10.0.0.0/8:443", "x.example", "10.0.0.1", 80, HOST_INTERNAL},
        {"[::]/0", NULL, "2001:db8::1", 80, HOST_ALLOWED},
        {"[::]/0", NULL, "169.254.169.254", 80, HOST_NOT_LISTED},
        {"[::]/64", NULL, "10.0.0.1", 80, HOST_NOT_LISTED},
        {"x.example [::]/0", "x.example", "10.0.0.1", 80, HOST_INTERNAL},
        {"x.example [::]/0", "x.example", "fd00::1", 80, HOST_ALLOWED},
        {"0.0.0.0/0", NULL, "2001:db8::1", 80, HOST_NOT_LISTED},
        {"0.0.0.0/0", NULL, "::ffff:192.0.2.1", 80, HOST_ALLOWED},
};

/* Where the address is this machine's. */
static const struct verdict of_own[] = {
        {"x.example", "x.example", "192.0.2.1", 80, HOST_INTERNAL},
        {"x.example 192.0.2.1", "x.example", "192.0.2.1", 80, HOST_ALLOWED},
        {"192.0.2.1", NULL, "192.0.2.1", 80, HOST_ALLOWED},
        {"x.example", NULL, "192.0.2.1", 80, HOST_NOT_LISTED},
};

static void check_verdict(const struct verdict *v, bool own)
{
	struct hosts hosts = {0};
	struct host_address address;
	struct error err = {0};
	cleanup_free char *list = xstrdup(v->list);
	cleanup_free char *what = xasprintf("%s: %s at %s:%u", list, v->name ? v->name : "nobody",
	                                    v->address, v->port);
	cleanup_free char *got = NULL;
	bool good = host_address_parse(v->address, &address);

	for (char *word = strtok(list, " "); word; word = strtok(NULL, " "))
		good = hosts_add(&hosts, word, &err) == 0 && good;
	got = xasprintf("%d", (int)hosts_judge(&hosts, v->name, &address, own, v->port));
	good = good && atoi(got) == (int)v->wanted;
	check(good, what, got);
	hosts_free(&hosts);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		check_word(i);
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++)
		check_verdict(&verdicts[i], false);
	for (size_t i = 0; i < sizeof(of_own) / sizeof(of_own[0]); i++)
		check_verdict(&of_own[i], true);
	return finish();
}
