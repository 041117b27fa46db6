#!/usr/bin/env bash
# Installs the real validator libraries, at the versions pinned beside this script, into
# ${CONFORM_ORACLE_CACHE:-$HOME/.cache/conform/oracle}. Run it again at any time: what is installed at the
# pinned versions is left alone. A runtime or registry that is not there costs only its own profiles: what
# could not be installed, and why, is printed and written to status.tsv in the cache (runtime, ok or failed,
# reason); the exit code is 0 even then.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${CONFORM_ORACLE_CACHE:-$HOME/.cache/conform/oracle}
mkdir -p "$cache" || exit 2
status=$cache/status.tsv
: >"$status"

# stamp FILE...: the hash that says which versions are installed (as in cache.go).
stamp() { cat "$@" | sha256sum | cut -d' ' -f1; }

# record RUNTIME ok|failed [REASON]
record() {
	printf '%s\t%s\t%s\n' "$1" "$2" "${3:-}" >>"$status"
	printf 'oracle %-5s %-7s %s\n' "$1" "$2" "${3:-}"
}

# install RUNTIME "PIN FILES": runs install_RUNTIME in its cache folder unless the stamp is current.
install() {
	local name=$1 want log
	want=$(cd "$here/$name" && stamp $2)
	if [ "$(cat "$cache/$name/.stamp" 2>/dev/null)" = "$want" ]; then
		record "$name" ok "already installed"
		return
	fi
	log=$cache/$name.log
	mkdir -p "$cache/$name" && rm -f "$cache/$name/.stamp"
	if (cd "$cache/$name" && "install_$name") >"$log" 2>&1; then
		echo "$want" >"$cache/$name/.stamp"
		record "$name" ok
	else
		record "$name" failed "$(tail -n 3 "$log" | tr '\n\t' '  ') (whole log: $log)"
	fi
}

install_js() {
	command -v npm >/dev/null || { echo "npm is not on the PATH"; return 1; }
	cp "$here/js/package.json" "$here/js/package-lock.json" .
	# No install scripts: none of these packages needs one.
	npm ci --ignore-scripts --no-audit --no-fund
}

install_py() {
	command -v python3 >/dev/null || { echo "python3 is not on the PATH"; return 1; }
	python3 -m venv --clear . && bin/pip install --quiet --disable-pip-version-check -r "$here/py/requirements.txt"
}

install_java() {
	command -v mvn >/dev/null || { echo "mvn is not on the PATH"; return 1; }
	rm -rf src target && cp -r "$here/java/pom.xml" "$here/java/src" .
	# Offline when Maven already has everything, from its registry otherwise.
	mvn -q -B -o package || mvn -q -B package
}

install js "package.json package-lock.json"
install py "requirements.txt"
install java "pom.xml src/main/java/conform/Oracle.java src/main/java/conform/RawJson.java"
exit 0
