// Package model is a language model that follows a script. It speaks the HTTP
// interfaces of four vendors on loopback, streaming or not, and in every
// conversation that offers it probe tools it calls them one by one, one call a
// turn, and then ends. It writes down verbatim which tools it was offered and what
// came back for each call.
//
// A tool is known by the tag [[P:id]] in its description, because hosts rename,
// cut and hash names but pass descriptions on (observed with twelve hosts).
package model
