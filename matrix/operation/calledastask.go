package operation

import "encoding/json"

func init() {
	RegisterCheck(Check{
		Name: "called-as-task",
		Doc: `Finds a tool that can only be called as a task (protocol revision 2025-11-25): execution.taskSupport is "required". ` +
			`With the consequence "calls" the host offers the tool and refuses each call.`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return func(s Subject) []Problem {
				if support, _ := s.Tool.Get("execution").Get("taskSupport").IsString(); support != "required" {
					return nil
				}
				return []Problem{{Detail: "the tool can only be called as a task (execution.taskSupport is required), which this host does not do"}}
			}, nil
		},
	})
}
