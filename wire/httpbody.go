package wire

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire/eventstream"
)

// mediaType is the Content-Type without parameters, in lower case.
func mediaType(response *http.Response) string {
	kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if err != nil {
		kind, _, _ = strings.Cut(response.Header.Get("Content-Type"), ";")
		return strings.ToLower(strings.TrimSpace(kind))
	}
	return kind
}

func mediaName(response *http.Response) string {
	if kind := mediaType(response); kind != "" {
		return Printable([]byte(kind), 60)
	}
	return "no Content-Type"
}

type decodedBody struct {
	io.Reader
	io.Closer
}

// open returns the body without its content coding. How much comes out of it is
// bounded by whoever reads: a gzip bomb of 2 MB holds 2 GB.
func (l *link) open(response *http.Response) (io.ReadCloser, *Error) {
	switch coding := strings.ToLower(response.Header.Get("Content-Encoding")); coding {
	case "", "identity":
		return response.Body, nil
	case "gzip", "x-gzip":
		unzipped, err := gzip.NewReader(response.Body)
		if err != nil {
			return nil, &Error{Kind: KindMalformed, Status: response.StatusCode, Err: err, Text: "the body says gzip and is not: " + err.Error()}
		}
		return decodedBody{unzipped, response.Body}, nil
	default:
		return nil, &Error{Kind: KindMalformed, Status: response.StatusCode, Text: fmt.Sprintf("the body has the content coding %s, which was not asked for", Printable([]byte(coding), 40))}
	}
}

// readAll reads a decoded body up to max bytes; size is what is expected, -1 when
// that is not known.
func (l *link) readAll(ctx context.Context, body io.Reader, size int64, max int) ([]byte, *Error) {
	var buffer bytes.Buffer
	if size > 0 && size <= int64(max) {
		buffer.Grow(int(size) + bytes.MinRead)
	}
	_, err := buffer.ReadFrom(io.LimitReader(body, int64(max)+1))
	raw := buffer.Bytes()
	if len(raw) > max {
		return nil, tooLong(max)
	}
	if err != nil {
		e := networkError(ctx, err)
		e.Raw = Printable(raw, rawMax)
		return nil, e
	}
	return raw, nil
}

func tooLong(max int) *Error {
	return &Error{Kind: KindLimit, Text: fmt.Sprintf("one message is longer than %d bytes (decoded)", max), Hint: "Raise --max-message if that is honest"}
}

// streamError tells the end of a stream, which is no failure, from a limit. A
// connection that breaks counts as an end: the stream may be resumed.
func (l *link) streamError(err error) *Error {
	if errors.Is(err, eventstream.ErrTooLong) {
		return &Error{Kind: KindLimit, Text: fmt.Sprintf("one event, or what stands before it, is longer than %d bytes (decoded)", l.journal.limits.MessageBytes),
			Hint: "Raise --max-message if that is honest"}
	}
	return nil
}

// refused turns a status of 400 and above into the answer, when the body is a
// JSON-RPC error, or else into an error that names the status.
func (s *streamable) refused(ctx context.Context, m outgoing, response *http.Response) *Error {
	raw, _ := s.errorBody(ctx, response)
	if v, err := schema.Parse(raw, schema.Limits{Depth: 100}); err == nil && m.id != 0 && !unauthorized(response) && shapeOf(v) == shapeAnswer && v.Has("error") {
		if _, failure := s.peer.receive(raw, source{m.id, response.StatusCode}); failure != nil {
			return failure
		}
		select {
		case <-m.answered:
			return nil
		default: // its id is another one; the status says enough
		}
	} else if len(raw) > 0 {
		raw, _ = s.journal.received(kindMessage, raw)
	}
	return statusError(response, raw)
}

func (l *link) errorBody(ctx context.Context, response *http.Response) ([]byte, *Error) {
	body, failure := l.open(response)
	if failure != nil {
		return nil, failure
	}
	raw, err := io.ReadAll(io.LimitReader(body, maxErrorBody))
	if err != nil && len(raw) == 0 {
		return nil, networkError(ctx, err)
	}
	return raw, nil
}

func unauthorized(response *http.Response) bool {
	return response.StatusCode == http.StatusUnauthorized ||
		(response.StatusCode == http.StatusForbidden && response.Header.Get("Www-Authenticate") != "")
}

// statusError names an HTTP status and what to do about it.
func statusError(response *http.Response, raw []byte) *Error {
	status := response.StatusCode
	e := &Error{Kind: KindHTTP, Status: status, Raw: Printable(raw, rawMax), Challenge: Printable([]byte(response.Header.Get("Www-Authenticate")), 4*rawMax),
		Text: fmt.Sprintf("HTTP %d %s", status, http.StatusText(status))}
	if unauthorized(response) {
		e.Kind, e.refusal = KindAuth, &refusal{response.Request, headOf(response)}
		e.Hint = "The server wants authentication: give a token with --header 'Authorization: $VARIABLE', or log in from a terminal (--scope, --client-id)"
		if e.Challenge != "" {
			e.Text += " (WWW-Authenticate: " + e.Challenge + ")"
		}
		return e
	}
	switch {
	case status == http.StatusForbidden:
		e.Hint = "The server refuses this client: the token lacks a right, or it checks Host or Origin"
	case status == http.StatusNotFound:
		e.Hint = "Check the path of the URL; many servers listen on /mcp or /sse"
	case status == http.StatusMethodNotAllowed:
		e.Hint = "The URL does not take POST; is it an old HTTP+SSE endpoint or a web page?"
	case status == http.StatusTooManyRequests:
		e.Hint = "The server limits the rate"
		if after := response.Header.Get("Retry-After"); after != "" {
			e.Hint += "; it says to retry after " + Printable([]byte(after), 40)
		}
	case status >= 500:
		e.Hint = "The server failed; its own log says why"
	}
	return e
}

// headOf returns the response without its body.
func headOf(response *http.Response) *http.Response {
	head := *response
	head.Body = http.NoBody
	return &head
}

// networkError names why no response came.
func networkError(ctx context.Context, err error) *Error {
	e := &Error{Kind: KindNetwork, Err: err, Text: "the connection failed: " + netText(err), Hint: "Check that the server runs and that address and port are right"}
	var unknown x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var invalid x509.CertificateInvalidError
	var verification *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	var dns *net.DNSError
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled):
		return &Error{Kind: KindCanceled, Err: err, Text: "interrupted"}
	case ctx.Err() != nil:
		return &Error{Kind: KindTimeout, Err: err, Text: "no answer in time", Hint: "Raise the time limit if the server is only slow"}
	case errors.As(err, &record):
		e.Kind, e.Text, e.Hint = KindTLS, "the server does not speak TLS", "Use http:// in place of https://, or the port that speaks TLS"
	case errors.As(err, &unknown):
		e.Kind, e.Text, e.Hint = KindTLS, "the certificate is signed by an unknown authority", "Trust its authority (SSL_CERT_FILE) or fix the certificate"
	case errors.As(err, &hostname):
		e.Kind, e.Text, e.Hint = KindTLS, "the certificate is for another name: "+netText(hostname), "Use the name that the certificate is for"
	case errors.As(err, &invalid):
		e.Kind, e.Text, e.Hint = KindTLS, "the certificate is not valid: "+netText(invalid), "Renew the certificate"
	case errors.As(err, &verification), errors.As(err, &alert), strings.Contains(err.Error(), "tls:"):
		e.Kind, e.Text, e.Hint = KindTLS, "no TLS connection: "+netText(err), "Fix the server's TLS"
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		e.Kind, e.Text, e.Hint = KindTLS, "the server does not speak TLS", "Use http:// in place of https://"
	case errors.As(err, &dns):
		e.Text, e.Hint = "no address is known for the host "+Printable([]byte(dns.Name), rawMax), "Check the name in the URL"
	case strings.Contains(err.Error(), "server response headers exceeded"):
		e.Kind, e.Text, e.Hint = KindLimit, fmt.Sprintf("the response headers are longer than %d bytes", maxHeaderBytes), ""
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		e.Text, e.Hint = "the server closed the connection in the middle of a response", "The server may have crashed; its own log says why"
	}
	return e
}

// netText is the cause without the URL that net/http puts before it, which may
// hold a secret.
func netText(err error) string {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return Printable([]byte(err.Error()), rawMax)
}
