#include "resolve/platform_defaults.h"

#include <stddef.h>

/*
 * A link among them (/bin on a merged /usr) counts as what it leads to: the
 * sandbox puts the links of the top level back.
 */
const struct platform_default platform_defaults[] = {
        {"/usr"},                   /* programs, libraries, data */
        {"/bin"},                   /* programs */
        {"/sbin"},                  /* programs */
        {"/lib"},                   /* libraries and the loader */
        {"/lib64"},                 /* the loader */
        {"/etc"},                   /* names, time zones, certificates, alternatives */
        {"/nix/store"},             /* everything, on NixOS */
        {"/run/current-system/sw"}, /* what NixOS calls /usr */
        {NULL},
};
