// Package integration runs the conform binary on servers that nobody here wrote.
// Its tests carry the label "integration" and the build tag of the same name;
// scripts/integration.sh installs what they need and runs them.
package integration
