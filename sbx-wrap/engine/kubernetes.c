/*
 * A Pod, a NetworkPolicy, and the system call filter that the node must have.
 */
#include "base/cleanup.h"
#include "base/memory.h"
#include "engine/engine.h"
#include "engine/filter.h"
#include "fs/path.h"
#include "policy/resource_limits.h"
#include "hosts/host_rule.h"

#include <string.h>
#include <unistd.h>

struct volumes {
	json_t *volumes, *mounts;
	size_t count;
};

/* $(NAME) would be replaced by Kubernetes, and $$ is a dollar. */
static char *with_dollars(const char *text)
{
	char *out = xmalloc(2 * strlen(text) + 1), *to = out;

	for (; *text; text++) {
		if (*text == '$')
			*to++ = '$';
		*to++ = *text;
	}
	*to = '\0';
	return out;
}

static json_t *text(const char *bytes, const char *what, struct error *err)
{
	cleanup_free char *escaped = with_dollars(bytes);

	return engine_text(escaped, what, err);
}

static json_t *arguments(char *const *argv, struct error *err)
{
	cleanup_json json_t *list = xjson(json_array());

	for (; *argv; argv++) {
		json_t *word = text(*argv, "argv", err);

		if (!word)
			return NULL;
		json_array_append_new(list, word);
	}
	return json_incref(list);
}

/* The names that every version takes. */
static bool is_variable(const char *name, size_t len)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";

	return len > 0 && strchr(letters, name[0]) &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.-0123456789") >=
	               len;
}

static json_t *variables(char *const *env, struct error *err)
{
	cleanup_json json_t *list = xjson(json_array());

	for (; *env; env++) {
		size_t len = strcspn(*env, "=");
		cleanup_free char *name = xstrndup(*env, len);
		json_t *value;

		if (!is_variable(name, len)) {
			error_set(err, EXIT_UNAVAILABLE, "engine",
			          "variable \"%s\": Kubernetes takes no such name: exclude it with "
			          "shell_environment_policy",
			          name);
			return NULL;
		}
		value = text(*env + len + ((*env)[len] == '='), name, err);
		if (!value)
			return NULL;
		json_array_append_new(list,
		                      xjson(json_pack("{s:s,s:o}", "name", name, "value", value)));
	}
	return json_incref(list);
}

/* Takes the source. */
static char *add_volume(struct volumes *volumes, const char *kind, json_t *source)
{
	char *name = xasprintf("volume-%zu", volumes->count++);

	json_array_append_new(volumes->volumes,
	                      xjson(json_pack("{s:s,s:o}", "name", name, kind, source)));
	return name;
}

static json_t *host_path(json_t *path, bool directory)
{
	return xjson(
	        json_pack("{s:o,s:s}", "path", path, "type", directory ? "Directory" : "File"));
}

/* Takes at.  Below: within the volume, which kubelet walks without following links out of it. */
static void add_mount(struct volumes *volumes, const char *volume, json_t *at, const char *below,
                      bool write)
{
	json_t *mount = xjson(
	        json_pack("{s:s,s:o,s:b}", "name", volume, "mountPath", at, "readOnly", !write));

	if (below)
		json_object_set_new(mount, "subPath", xjson(json_string(below)));
	if (!write)
		json_object_set_new(mount, "recursiveReadOnly", xjson(json_string("IfPossible")));
	json_array_append_new(volumes->mounts, mount);
}

static const char *volume_at(const struct volumes *volumes, const char *path)
{
	const json_t *mount;
	size_t i;

	json_array_foreach (volumes->mounts, i, mount)
		if (!json_object_get(mount, "subPath") &&
		    strcmp(json_string_value(json_object_get(mount, "mountPath")), path) == 0)
			return json_string_value(json_object_get(mount, "name"));
	return NULL;
}

static json_t *mount_path(const char *path, struct error *err)
{
	if (!strchr(path, ':'))
		return engine_text(path, "path", err);
	error_set(err, EXIT_UNAVAILABLE, "engine", "\"%s\": Kubernetes takes no path with a colon",
	          path);
	return NULL;
}

static int add_hidden(struct volumes *volumes, const struct place *place, json_t *at,
                      struct error *err)
{
	cleanup_free char *name = NULL;

	if (place->reopened) {
		json_decref(at);
		return error_set(err, EXIT_UNAVAILABLE, "engine",
		                 "\"%s\": is hidden with something in it that is not, which a pod "
		                 "cannot show",
		                 place->path);
	}
	if (place->directory)
		name = add_volume(volumes, "emptyDir",
		                  xjson(json_pack("{s:s}", "sizeLimit", "4Ki")));
	else
		name = add_volume(
		        volumes, "hostPath",
		        xjson(json_pack("{s:s,s:s}", "path", "/dev/null", "type", "CharDevice")));
	add_mount(volumes, name, at, NULL, false);
	return 0;
}

/* What lies in no root is the image's, and nothing of this machine to show or to hide. */
static int add_place(struct volumes *volumes, const struct place *place, const char *workspace,
                     struct error *err)
{
	const char *root = place->root;
	cleanup_free char *name = NULL;
	json_t *at;

	if (!root && workspace && strcmp(workspace, place->path) != 0 &&
	    path_contains(workspace, place->path))
		root = workspace;
	if (!root && place->kind != PLACE_WRITE && place->kind != PLACE_TMP)
		return 0;
	at = mount_path(place->path, err);
	if (!at)
		return -1;
	if (place->kind == PLACE_HIDE)
		return add_hidden(volumes, place, at, err);
	if (place->kind == PLACE_TMP)
		name = add_volume(volumes, "emptyDir", xjson(json_object()));
	else if (!root)
		name = add_volume(volumes, "hostPath",
		                  host_path(json_incref(at), place->directory));
	add_mount(volumes, name ? name : volume_at(volumes, root), at,
	          name ? NULL : place->path + strlen(root) + 1, place->kind != PLACE_READ);
	return 0;
}

/* The workspace where it can only be read: the image has none. */
static int add_workspace(struct volumes *volumes, const char *workspace, struct error *err)
{
	json_t *at = mount_path(workspace, err);
	cleanup_free char *name = NULL;

	if (!at)
		return -1;
	name = add_volume(volumes, "hostPath", host_path(json_incref(at), true));
	add_mount(volumes, name, at, NULL, false);
	return 0;
}

static const char *workspace_alone(const struct engine_run *run)
{
	const struct permissions *permissions = &run->wrap->permissions;
	const char *cwd = run->wrap->command.cwd;

	return permissions_resolve(permissions, cwd, NULL) == ACCESS_READ ? cwd : NULL;
}

static int add_volumes(const struct engine_run *run, struct volumes *volumes, struct error *err)
{
	const char *workspace = workspace_alone(run);
	bool added = !workspace;

	for (size_t i = 0; i < run->places->count; i++) {
		const struct place *place = &run->places->items[i];

		/* After the place that it lies in, before what lies in it. */
		if (!added && path_compare(place->path, workspace) >= 0) {
			if (add_workspace(volumes, workspace, err) < 0)
				return -1;
			added = true;
			if (strcmp(place->path, workspace) == 0)
				continue;
		}
		if (add_place(volumes, place, workspace, err) < 0)
			return -1;
	}
	return added ? 0 : add_workspace(volumes, workspace, err);
}

static json_t *container_security(void)
{
	return xjson(json_pack("{s:b,s:b,s:b,s:{s:[s]}}", "allowPrivilegeEscalation", 0,
	                       "privileged", 0, "readOnlyRootFilesystem", 1, "capabilities", "drop",
	                       "ALL"));
}

static json_t *pod_security(const char *profile)
{
	bool root = geteuid() == 0;

	return xjson(json_pack("{s:I,s:I,s:b,s:{s:s,s:s}}", "runAsUser", (json_int_t)geteuid(),
	                       "runAsGroup", (json_int_t)getegid(), "runAsNonRoot", !root,
	                       "seccompProfile", "type", "Localhost", "localhostProfile", profile));
}

/* Bytes, and thousandths of a processor. */
static void add_limits(json_t *container, const struct limits *limits)
{
	const int64_t *most = limits->most;
	json_t *out = xjson(json_object());

	if (most[LIMIT_MEMORY])
		json_object_set_new(out, "memory",
		                    xjson(json_sprintf("%lld", (long long)most[LIMIT_MEMORY])));
	if (most[LIMIT_CPU])
		json_object_set_new(out, "cpu",
		                    xjson(json_sprintf("%lldm", (long long)most[LIMIT_CPU])));
	if (json_object_size(out) > 0)
		json_object_set_new(container, "resources",
		                    xjson(json_pack("{s:O}", "limits", out)));
	json_decref(out);
}

static json_t *container(const struct engine_run *run, const json_t *mounts, struct error *err)
{
	const struct wrap *wrap = run->wrap;
	cleanup_json json_t *command = arguments(wrap->command.argv, err);
	cleanup_json json_t *env = command ? variables(run->env, err) : NULL;
	cleanup_json json_t *cwd = env ? engine_text(wrap->command.cwd, "cwd", err) : NULL;
	struct limits limits;
	json_t *image, *out;

	if (limits_get(json_object_get(wrap->policy, "limits"), &limits, err) < 0)
		return NULL;
	image = cwd ? engine_text(wrap->options->image, "--image", err) : NULL;
	if (!image)
		return NULL;
	out = xjson(json_pack("{s:s,s:o,s:O,s:O,s:O,s:O,s:o}", "name", "command", "image", image,
	                      "command", command, "env", env, "workingDir", cwd, "volumeMounts",
	                      mounts, "securityContext", container_security()));
	add_limits(out, &limits);
	return out;
}

static json_t *pod_spec(const struct engine_run *run, const char *profile, struct error *err)
{
	struct volumes volumes = {.volumes = xjson(json_array()), .mounts = xjson(json_array())};
	json_int_t seconds = (run->wrap->command.timeout_ms + 999) / 1000;
	json_t *one = NULL, *spec = NULL;

	if (add_volumes(run, &volumes, err) == 0)
		one = container(run, volumes.mounts, err);
	if (one)
		spec = xjson(json_pack("{s:s,s:b,s:b,s:b,s:b,s:b,s:i,s:o,s:[o],s:O}",
		                       "restartPolicy", "Never", "automountServiceAccountToken", 0,
		                       "enableServiceLinks", 0, "hostNetwork", 0, "hostPID", 0,
		                       "hostIPC", 0, "terminationGracePeriodSeconds", 5,
		                       "securityContext", pod_security(profile), "containers", one,
		                       "volumes", volumes.volumes));
	if (spec && seconds > 0)
		json_object_set_new(spec, "activeDeadlineSeconds", xjson(json_integer(seconds)));
	json_decref(volumes.volumes);
	json_decref(volumes.mounts);
	return spec;
}

static json_t *block_of(const struct host_rule *rule)
{
	bool four = host_address_is_four(&rule->address);
	char address[HOST_ADDRESS_TEXT];
	size_t len;

	host_address_text(&rule->address, address);
	/* IPv6 has brackets in the list, and none here. */
	len = strlen(address);
	if (address[0] == '[') {
		memmove(address, address + 1, len - 2);
		address[len - 2] = '\0';
	}
	return xjson(json_sprintf("%s/%u", address, four ? rule->prefix - 96 : rule->prefix));
}

static json_t *egress_to(const struct host_rule *rule)
{
	json_t *out = xjson(json_pack("{s:[{s:{s:o}}]}", "to", "ipBlock", "cidr", block_of(rule)));
	json_t *ports = xjson(json_array());

	for (size_t i = 0; i < rule->port_count; i++)
		json_array_append_new(ports, xjson(json_pack("{s:s,s:i}", "protocol", "TCP", "port",
		                                             (int)rule->ports[i])));
	/* What is not TCP our list does not allow, either. */
	if (rule->port_count == 0)
		json_array_append_new(ports, xjson(json_pack("{s:s,s:i,s:i}", "protocol", "TCP",
		                                             "port", 1, "endPort", 65535)));
	json_object_set_new(out, "ports", ports);
	return out;
}

/* Nothing where the list denies something: a block that is allowed could contain it. */
static json_t *egress(const struct permissions *permissions)
{
	json_t *out = xjson(json_array());
	const struct hosts *hosts = &permissions->hosts;

	for (size_t i = 0; i < hosts->count && permissions->network == NETWORK_HOSTS; i++)
		if (hosts->rules[i].deny)
			return out;
	for (size_t i = 0; i < hosts->count && permissions->network == NETWORK_HOSTS; i++)
		if (hosts->rules[i].kind == HOST_NETWORK)
			json_array_append_new(out, egress_to(&hosts->rules[i]));
	return out;
}

static json_t *metadata(const char *name)
{
	return xjson(json_pack("{s:s,s:{s:s,s:s}}", "name", name, "labels",
	                       "app.kubernetes.io/managed-by", "sbx", "sbx-run", name));
}

static json_t *network_policy(const struct engine_run *run)
{
	return xjson(json_pack("{s:s,s:s,s:o,s:{s:{s:{s:s}},s:[s,s],s:[],s:o}}", "apiVersion",
	                       "networking.k8s.io/v1", "kind", "NetworkPolicy", "metadata",
	                       metadata(run->name), "spec", "podSelector", "matchLabels", "sbx-run",
	                       run->name, "policyTypes", "Ingress", "Egress", "ingress", "egress",
	                       egress(&run->wrap->permissions)));
}

json_t *kubernetes_members(struct engine_run *run, struct error *err)
{
	json_t *filter =
	        engine_filter(engine_has_internet(run), geteuid() == 0, engine_is_debugged(run));
	cleanup_json json_t *seccomp = NULL, *spec = NULL, *manifests = NULL;
	cleanup_free char *profile = NULL;

	if (!run->wrap->options->image) {
		json_decref(filter);
		error_set(err, EXIT_USAGE, "usage", "--platform kubernetes needs --image");
		return NULL;
	}
	/* By its content: a node that has another one, or none, does not start the pod. */
	engine_name(run, filter);
	profile = xasprintf("%s.json", run->name);
	seccomp = xjson(json_pack("{s:s,s:o}", "name", run->name, "profile", filter));
	spec = pod_spec(run, profile, err);
	if (!spec)
		return NULL;
	engine_name(run, spec);
	manifests = xjson(json_pack("[{s:s,s:s,s:o,s:O}]", "apiVersion", "v1", "kind", "Pod",
	                            "metadata", metadata(run->name), "spec", spec));
	/* First: a pod is never there without it. */
	if (run->wrap->permissions.network != NETWORK_ON)
		json_array_insert_new(manifests, 0, network_policy(run));
	return xjson(json_pack("{s:O,s:O}", "manifests", manifests, "seccomp", seccomp));
}
