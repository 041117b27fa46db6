// Package isolate runs a program that is not trusted: in its own network, process
// and mount namespaces with nothing but a loopback interface, an empty
// environment, no terminal, no privileges, a file system that shows programs and
// little else and that it can write to in one folder only, no kinds of sockets or keys
// that a namespace does not confine, and limits of time, memory, disk and number of
// processes. Whatever it started ends with it.
//
// It works in two steps. Outside, Run starts a second process of this program as
// the first process of new namespaces. Inside, Enter finishes the room (loopback
// up, its own /proc, folders out of sight) and Command runs the host under its
// limits. Only Linux has what rooms are made of. Without namespaces there is no room:
// Run refuses unless Spec.Open says that the caller accepts it.
package isolate
