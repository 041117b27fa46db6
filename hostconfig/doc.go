// Package hostconfig reads the files in which hosts keep their MCP servers: it
// knows where a host keeps them, in which shape, and which variables it expands.
// All of that is data (hosts.json); the code knows no host.
//
// A configuration is read, never executed: [Load] and [Find] return the servers
// it names, ready to be started by the caller.
package hostconfig
