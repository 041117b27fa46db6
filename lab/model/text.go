package model

import (
	"encoding/json"

	"github.com/hostmatrix/conform/schema"
)

// Text is what a host wrote. A host that cuts a text between the halves of a
// surrogate pair writes one half, which UTF-8 has no place for: it stays in the text
// as three bytes (WTF-8, as in [schema.Value]) and in JSON as \udxxx, where
// encoding/json would make three replacement characters of it.
type Text string

// String returns the text.
func (t Text) String() string { return string(t) }

// MarshalJSON writes halves escaped.
func (t Text) MarshalJSON() ([]byte, error) { return []byte(schema.Quote(string(t))), nil }

// UnmarshalJSON keeps halves.
func (t *Text) UnmarshalJSON(data []byte) error {
	v, err := schema.Parse(data, schema.Limits{})
	if err != nil {
		return err
	}
	text, ok := v.IsString()
	if !ok {
		return json.Unmarshal(data, (*string)(t)) // for its error, and for null
	}
	*t = Text(text)
	return nil
}

// Texts are several.
type Texts []string

// MarshalJSON writes halves escaped.
func (t Texts) MarshalJSON() ([]byte, error) {
	if t == nil {
		return []byte("null"), nil
	}
	list := make([]Text, len(t))
	for i, text := range t {
		list[i] = Text(text)
	}
	return json.Marshal(list)
}

// UnmarshalJSON keeps halves.
func (t *Texts) UnmarshalJSON(data []byte) error {
	var list []Text
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	if list == nil {
		*t = nil
		return nil
	}
	*t = make(Texts, len(list))
	for i, text := range list {
		(*t)[i] = string(text)
	}
	return nil
}
