package wire

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	maxHeaderBytes = 256 << 10
	maxRedirects   = 3
	maxErrorBody   = 1 << 20
)

// newHTTPClient returns a client that follows no redirect, decodes no body and
// bounds headers; [link.do] does the first two with our own limits.
func newHTTPClient(target Target) *http.Client {
	transport := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHeaderBytes,
		TLSHandshakeTimeout:    10 * time.Second,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    16,
	}
	if target.Dial != nil {
		transport.Proxy, transport.DialContext = nil, target.Dial
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// link is what both HTTP transports share: one endpoint, the user's headers, the
// journal.
type link struct {
	target  Target
	client  *http.Client
	journal *journal
	base    *url.URL
	auth    *authorization // nil: no tokens
}

func newLink(target Target, client *http.Client, j *journal, auth *authorization) (*link, *Error) {
	base, err := url.Parse(target.URL)
	if err != nil {
		return nil, &Error{Kind: KindUsage, On: target.String(), Text: "the URL cannot be parsed"}
	}
	return &link{target: target, client: client, journal: j, base: base, auth: auth}, nil
}

// do sends one HTTP request and records both heads. Redirects are followed only
// within the origin, only where the method and body stay as they are, and only
// a few times: a message or a credential never goes to another origin.
func (l *link) do(ctx context.Context, method string, to *url.URL, headers http.Header, body []byte) (*http.Response, *Error) {
	for hop := 0; ; hop++ {
		request, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(body))
		if err != nil {
			return nil, &Error{Kind: KindUsage, Text: "the request cannot be built"}
		}
		request.Header = headers.Clone()
		request.Header.Set("Accept-Encoding", "gzip")
		request.Header.Set("User-Agent", l.journal.agent)
		for name, values := range l.target.Headers {
			request.Header[http.CanonicalHeaderKey(name)] = values
		}
		if failure := l.auth.sign(ctx, request); failure != nil {
			return nil, failure
		}
		l.journal.sent(kindRequest, []byte(method+" "+RedactURL(to.String())+HeaderText(request.Header, l.target.Headers)))
		if len(body) > 0 && hop == 0 {
			l.journal.sent(kindMessage, body)
		}
		response, err := l.client.Do(request)
		if err != nil {
			return nil, networkError(ctx, err)
		}
		head := response.Proto + " " + response.Status + HeaderText(response.Header, nil)
		if _, failure := l.journal.received(kindResponse, []byte(head)); failure != nil {
			response.Body.Close()
			return nil, failure
		}
		if response.StatusCode < 300 || response.StatusCode > 399 || response.StatusCode == http.StatusNotModified {
			return response, nil
		}
		response.Body.Close()
		next, failure := follow(method, to, response, hop)
		if failure != nil {
			return nil, failure
		}
		to = next
	}
}

// follow returns where a redirect leads, if it may be followed.
func follow(method string, from *url.URL, response *http.Response, hop int) (*url.URL, *Error) {
	location := response.Header.Get("Location")
	fail := func(format string, args ...any) *Error {
		return &Error{Kind: KindRedirect, Status: response.StatusCode, Raw: RedactURL(location),
			Text: fmt.Sprintf("HTTP %d: ", response.StatusCode) + fmt.Sprintf(format, args...),
			Hint: "Give the final URL itself, if you trust it"}
	}
	next, err := from.Parse(location)
	switch {
	case location == "" || err != nil:
		return nil, fail("a redirect without a usable Location")
	case !sameOrigin(from, next):
		return nil, fail("a redirect to another origin (%s) is not followed", Printable([]byte(origin(next)), rawMax))
	case method == http.MethodPost && response.StatusCode != http.StatusTemporaryRedirect && response.StatusCode != http.StatusPermanentRedirect:
		return nil, fail("this redirect of a POST would lose the message (only 307 and 308 keep it)")
	case hop >= maxRedirects:
		return nil, fail("more than %d redirects", maxRedirects)
	}
	return next, nil
}

func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return strings.ToLower(u.Scheme + "://" + u.Hostname() + ":" + port)
}

func sameOrigin(a, b *url.URL) bool { return origin(a) == origin(b) }
