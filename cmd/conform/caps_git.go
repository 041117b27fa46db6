package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os/exec"
	"path"
	"strings"
	"testing/fstest"
)

// revision is a folder of files at a git revision.
type revision struct{ fstest.MapFS }

// atRevision reads the *.json files of a folder at a git revision, with git.
func atRevision(rev, dir string) (fs.FS, error) {
	if strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("%q is no revision", rev)
	}
	list, err := git("ls-tree", "--name-only", rev, dir+"/")
	if err != nil {
		return nil, err
	}
	out := revision{fstest.MapFS{}}
	for _, name := range strings.Fields(string(list)) {
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		text, err := git("show", rev+":"+name)
		if err != nil {
			return nil, err
		}
		out.MapFS[path.Base(name)] = &fstest.MapFile{Data: text}
	}
	if len(out.MapFS) == 0 {
		return nil, fmt.Errorf("no capability file in it")
	}
	return out, nil
}

func git(args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		text := strings.TrimSpace(stderr.String())
		if text == "" {
			text = err.Error()
		}
		return nil, fmt.Errorf("git %s: %s", args[0], text)
	}
	return out, nil
}
