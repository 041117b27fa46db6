package adapters

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// given are hosts that no registry has which the lab could install from: the user
// says where their program is (--program).
var given = []Adapter{{
	ID: "crush", Versions: []string{"devel-37f36e9"},
	Source:  Source{Program: "crush"},
	Modes:   []Mode{fakeModel},
	Prepare: prepareCrush,
}}

// prepareCrush: one global file holds providers, models and servers (seen with
// devel-37f36e9).
func prepareCrush(s *Setup) (Command, error) {
	model := map[string]any{"id": s.Mode.Model, "name": s.Mode.Model, "context_window": 4000000, "default_max_tokens": 8000, "supports_attachments": true}
	chosen := map[string]any{"model": s.Mode.Model, "provider": "lab"}
	err := s.WriteJSON(".config/crush/crush.json", map[string]any{
		"options": map[string]any{"disable_provider_auto_update": true, "disable_default_providers": true, "disable_metrics": true, "disable_auto_summarize": true},
		"providers": map[string]any{"lab": map[string]any{"id": "lab", "name": "lab", "type": "openai-compat", "base_url": s.Model + "/v1", "api_key": "fake",
			"discover_models": false, "models": []any{model}}},
		"models": map[string]any{"large": chosen, "small": chosen},
		"mcp": s.Table(func(s Server) any {
			if s.URL != "" {
				return map[string]any{"type": "http", "url": s.URL, "timeout": 60}
			}
			return map[string]any{"type": "stdio", "command": s.Command, "args": s.Args, "timeout": 60}
		}),
	})
	return Command{Args: []string{s.Program, "-D", filepath.Join(s.Home, "data"), "run", "-q", Prompt}, Env: []string{
		"CRUSH_DISABLE_PROVIDER_AUTO_UPDATE=1", "CRUSH_DISABLE_METRICS=1", "XDG_CONFIG_HOME=" + filepath.Join(s.Home, ".config"),
		"XDG_DATA_HOME=" + filepath.Join(s.Home, ".local/share"), "XDG_CACHE_HOME=" + filepath.Join(s.Home, ".cache")}}, err
}

// Given is the "installation" of a program that the user has.
func (a Adapter) Given(program string) (Installed, error) {
	if a.Source.Program == "" {
		return Installed{}, fmt.Errorf("the lab installs %s itself; --program is for hosts that no registry has", a.ID)
	}
	if program == "" {
		return Installed{}, fmt.Errorf("no registry has %s: say with --program where its program %q is", a.ID, a.Source.Program)
	}
	path, err := filepath.Abs(program)
	if err != nil {
		return Installed{}, err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return Installed{}, fmt.Errorf("--program %s: %w", program, err)
	}
	info, err := os.Stat(path)
	if err == nil && (info.IsDir() || info.Mode()&0o111 == 0) {
		err = errors.New("it is no program")
	}
	if err != nil {
		return Installed{}, fmt.Errorf("--program %s: %w", program, err)
	}
	return Installed{Program: path}, nil
}
