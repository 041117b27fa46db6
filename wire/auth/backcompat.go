package auth

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
)

// maxMetadata bounds a metadata document, in bytes.
const maxMetadata = 1 << 20

// backcompat lets servers of 2025-03-26 pass a check that came later. They serve
// authorization metadata at their root and name an issuer below it, which RFC
// 8414 section 3.3 forbids and the Go SDK refuses. The issuer is taken as the
// root only when the server has no protected resource metadata, as those servers
// have none, and only within one origin, so that no other party can come in.
// Source: MCP 2025-03-26 basic/authorization, Server Metadata Discovery; the
// official suite's scenario auth/2025-03-26-oauth-metadata-backcompat.
type backcompat struct {
	next     http.RoundTripper
	resource atomic.Bool // protected resource metadata was found
}

const (
	resourceMetadataPath      = "/.well-known/oauth-protected-resource"
	authorizationMetadataPath = "/.well-known/oauth-authorization-server"
)

// RoundTrip passes all but the metadata of such a server unchanged.
func (b *backcompat) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(request)
	if err != nil || response.StatusCode != http.StatusOK {
		return response, err
	}
	switch {
	case strings.HasPrefix(request.URL.Path, resourceMetadataPath):
		b.resource.Store(true)
	case request.URL.Path == authorizationMetadataPath && !b.resource.Load():
		body, err := io.ReadAll(io.LimitReader(response.Body, maxMetadata))
		response.Body.Close()
		if err != nil {
			return nil, err
		}
		body = rootIssuer(body, request.URL)
		response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	return response, nil
}

// rootIssuer replaces an issuer below the root of the document's own origin by
// that root.
func rootIssuer(document []byte, from *url.URL) []byte {
	var metadata map[string]json.RawMessage
	var issuer string
	if json.Unmarshal(document, &metadata) != nil || json.Unmarshal(metadata["issuer"], &issuer) != nil {
		return document
	}
	named, err := url.Parse(issuer)
	if err != nil || named.Scheme != from.Scheme || named.Host != from.Host {
		return document
	}
	root, _ := json.Marshal(from.Scheme + "://" + from.Host)
	metadata["issuer"] = root
	changed, err := json.Marshal(metadata)
	if err != nil {
		return document
	}
	return changed
}
