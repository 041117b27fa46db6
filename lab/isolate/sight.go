package isolate

import (
	"os"
	"path/filepath"
	"slices"
)

// system are the folders of the root that hold programs, and the kernel's. Whatever else
// lies there (people's homes, mounts, /var, /run, /tmp) may hold the user's files, or
// sockets of programs outside, which no network namespace keeps away.
var system = []string{"bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr", "opt", "nix", "gnu", "proc", "sys"}

// thinned are folders of which a program needs a few files only. Configuration of whole
// machines lies in /etc too (hosts read theirs there), and /dev has disks and terminals.
var thinned = map[string][]string{
	"dev": {"null", "zero", "full", "random", "urandom"},
	"etc": {"passwd", "group", "nsswitch.conf", "hosts", "resolv.conf", "protocols", "services", "mime.types", "os-release", "alternatives",
		"ld.so.cache", "ld.so.conf", "ld.so.conf.d", "ssl/certs", "ssl/openssl.cnf", "ca-certificates", "pki/tls", "pki/ca-trust"},
}

// Outlook lists the folders that a program in a room has no business with, and what
// of them it needs all the same: the rest of a [Room]'s Hide and Keep is the caller's.
func Outlook() (hide, keep []string) {
	entries, _ := os.ReadDir("/") // a root that can't be listed has nothing to hide from its owner
	for _, e := range entries {
		if !e.IsDir() || slices.Contains(system, e.Name()) {
			continue // a link shows what it leads to, which is hidden or not in its own place
		}
		dir := filepath.Join("/", e.Name())
		hide = append(hide, dir)
		for _, name := range thinned[e.Name()] {
			keep = append(keep, filepath.Join(dir, name))
		}
	}
	return hide, keep
}
