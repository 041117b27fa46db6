package wire

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// Authorizer gets access tokens for HTTP targets. The package wire/auth has one
// for OAuth 2.1. It may be used from several goroutines.
type Authorizer interface {
	// Token returns the access token to send, "" when there is none yet.
	Token(ctx context.Context) (string, error)
	// Authorize gets a token after a refusal (401, or 403 with a challenge). The
	// response has its head only. When it returns nil, the request is sent once
	// more.
	Authorize(ctx context.Context, request *http.Request, response *http.Response) error
	// Secrets returns all that was a secret in getting tokens until now: those of the
	// client, codes, verifiers and tokens. None of them may be shown.
	Secrets() []string
}

// authorization is the use of an [Authorizer] in one capture: one flow at a time.
type authorization struct {
	authorizer Authorizer
	limit      time.Duration
	secrets    *redactor
	mu         sync.Mutex
}

// refusal is the exchange that was refused for want of a token.
type refusal struct {
	request  *http.Request
	response *http.Response
}

// learn takes the secrets of the authorizer.
func (a *authorization) learn() {
	for _, s := range a.authorizer.Secrets() {
		a.secrets.add(s)
	}
}

// sign sets the Authorization header, unless the user set one, and makes the
// token a secret.
func (a *authorization) sign(ctx context.Context, request *http.Request) *Error {
	if a == nil || request.Header.Get("Authorization") != "" {
		return nil
	}
	token, err := a.authorizer.Token(ctx)
	a.learn()
	if err != nil {
		return &Error{Kind: KindAuth, Text: "no access token: " + netText(err), Err: err, Hint: "Log in again"}
	}
	if token != "" {
		a.secrets.add(token)
		request.Header.Set("Authorization", "Bearer "+token)
	}
	return nil
}

// renew gets a new token after a refusal and reports whether it is worth to send
// the request again. The flow is not bound by the time limit of a request: a
// person may have to log in.
func (a *authorization) renew(ctx context.Context, e *Error) (retry bool, failure *Error) {
	if a == nil || e.Kind != KindAuth || e.refusal == nil {
		return false, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	used := e.refusal.request.Header.Get("Authorization")
	if token, err := a.authorizer.Token(ctx); err == nil && token != "" && used != "Bearer "+token {
		return true, nil // another request got one meanwhile
	}
	ctx, cancel := context.WithTimeout(ctx, a.limit)
	defer cancel()
	err := a.authorizer.Authorize(ctx, e.refusal.request, e.refusal.response)
	a.learn()
	if err != nil {
		failed := *e
		failed.Err, failed.Text = err, e.Text+"; authorization failed: "+netText(err)
		return false, &failed
	}
	return true, nil
}
