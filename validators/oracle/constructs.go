package oracle

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// Construct is one golden example: a request with a name.
type Construct struct {
	ID     string // unique, stable
	Family string // what it is about, or which generator wrote the schema
	Request
}

// maxLine bounds one line of a golden file.
const maxLine = 16 << 20

// ReadConstructs reads goldens/constructs.jsonl: one object a line with id,
// family, schema and instances. The texts of schema and instances are kept as
// written. Errors name the line.
func ReadConstructs(name string) ([]Construct, error) {
	var out []Construct
	seen := map[string]bool{}
	err := eachLine(name, func(line string, v *schema.Value) error {
		id, _ := v.Get("id").IsString()
		family, _ := v.Get("family").IsString()
		document, instances := v.Get("schema"), v.Get("instances")
		switch {
		case id == "" || family == "":
			return fmt.Errorf("id and family are needed")
		case seen[id]:
			return fmt.Errorf("a second construct has the id %s", id)
		case document == nil || instances == nil || instances.Kind != schema.Array:
			return fmt.Errorf("%s: schema and instances are needed", id)
		}
		seen[id] = true
		c := Construct{ID: id, Family: family, Request: Request{Schema: line[document.Start:document.End]}}
		for _, item := range instances.Items {
			c.Instances = append(c.Instances, line[item.Start:item.End])
		}
		out = append(out, c)
		return nil
	})
	return out, err
}

// Line returns the construct as a line of the golden file, without the newline.
func (c Construct) Line() string {
	return `{"id":` + schema.Quote(c.ID) + `,"family":` + schema.Quote(c.Family) + `,` + c.Request.Line()[1:]
}

// ReadGoldens reads goldens/PROFILE.jsonl: the recorded answer of each construct by id.
func ReadGoldens(name string) (map[string]Answer, error) {
	out := map[string]Answer{}
	err := eachLine(name, func(line string, v *schema.Value) error {
		id, _ := v.Get("id").IsString()
		answer, err := ParseAnswer([]byte(line))
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		out[id] = answer
		return nil
	})
	return out, err
}

// GoldenLine returns an answer as a line of goldens/PROFILE.jsonl, without the newline.
func GoldenLine(id string, answer Answer) string {
	return `{"id":` + schema.Quote(id) + `,` + answer.Line()[1:]
}

// recursion is how Python says that its stack is full; what follows it in the
// text says where that happened to be, and inside rpds it is wrapped once more.
const recursion = "RecursionError: maximum recursion depth exceeded"

// Message cuts a text of the Python library down to the part that says what is
// wrong. After the first blank line str(error) repeats the schema and the
// instance; goldens leave that out. Other profiles' texts are returned whole.
func Message(profile, text string) string {
	if profile != "python-jsonschema" {
		return text
	}
	if strings.HasPrefix(text, recursion) || strings.HasPrefix(text, "PanicException: ") && strings.Contains(text, "RecursionError") {
		return recursion
	}
	message, _, _ := strings.Cut(text, "\n\nFailed validating")
	return message
}

// Messages is the answer with every text cut down by [Message].
func (a Answer) Messages(profile string) Answer {
	out := Answer{Results: append([]validators.Result(nil), a.Results...)}
	if a.CompileError != nil {
		text := Message(profile, *a.CompileError)
		out.CompileError = &text
	}
	for i := range out.Results {
		out.Results[i].Text = Message(profile, out.Results[i].Text)
	}
	return out
}

func eachLine(name string, take func(line string, v *schema.Value) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<16)
	for n := 1; ; n++ {
		line, err := r.ReadString('\n')
		if err == io.EOF && line == "" {
			return nil
		} else if err != nil && err != io.EOF {
			return err
		}
		if len(line) > maxLine {
			return fmt.Errorf("%s:%d: longer than %d bytes", name, n, maxLine)
		}
		v, err := schema.ParseString(line)
		if err == nil {
			err = take(line, v)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
}
