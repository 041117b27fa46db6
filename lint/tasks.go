package lint

import (
	"fmt"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// inventedTask is what the recorder asks for; see wire.Probe.
const inventedTask = "conform-no-such-task"

// metaTask names the task that a message is about.
const metaTask = "io.modelcontextprotocol/related-task"

// taskRules are about the tasks of 2025-11-25, which no other revision has.
func taskRules() []*Rule {
	rules := []*Rule{
		{ID: "task-required", Title: "A tool that is a task only is called without one", Covers: []string{"TL11"}, Level: Must,
			Why:   "execution.taskSupport required says that a plain call is answered with -32601. A client that does not know tasks learns so that the tool is not for it.",
			Wrong: `A result for a plain call of a tool with "execution":{"taskSupport":"required"}`, Right: `{"code":-32601,"message":"Call it as a task"}`,
			Source: "2025-11-25 basic/utilities/tasks, Tool-Level Negotiation", Run: runTaskRequired},
		{ID: "task-forbidden", Title: "A tool that is no task is called as one", Covers: []string{"TL11"}, Level: Should,
			Why:   "Without execution.taskSupport, or with forbidden, a call as a task should be answered with -32601: a client that waits for a task gets something else.",
			Wrong: `A result for "task":{"ttl":60000} to a tool without execution`, Right: `{"code":-32601,"message":"Not a task"}`,
			Source: "2025-11-25 basic/utilities/tasks, Tool-Level Negotiation", Run: runTaskForbidden},
		{ID: "task-undeclared", Title: "A tool is a task, and the server has none", Covers: []string{"TL11"}, Level: Quality,
			Why:   "Where tasks.requests.tools.call is not declared no client may call a tool as a task, whatever its execution.taskSupport says: one that requires it can't be called as it wants to be.",
			Wrong: `"execution":{"taskSupport":"required"} and "capabilities":{"tools":{}}`, Right: `"capabilities":{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}`,
			Source: "2025-11-25 basic/utilities/tasks, Tool-Level Negotiation", Run: runTaskUndeclared},
		{ID: "task-created", Title: "A call as a task gives no proper task", Covers: []string{"TL11"}, Level: Must,
			Why:   "The answer holds the task: its taskId, the status working, when it was made and changed, and for how long it is kept. A client has nothing else to ask by.",
			Wrong: `{"content":[{"type":"text","text":"Started."}]}`, Right: `{"task":{"taskId":"7f3a","status":"working","createdAt":"2026-11-30T12:00:00Z","lastUpdatedAt":"2026-11-30T12:00:00Z","ttl":60000}}`,
			Source: "2025-11-25 basic/utilities/tasks; schema.json, CreateTaskResult", Run: runTaskCreated},
		{ID: "task-state", Title: "What a server says of a task breaks its rules", Covers: []string{"TL11"}, Level: Must,
			Why:   "tasks/get and tasks/list give whole tasks, tasks/result names its task in _meta, a task that nobody made and the cancellation of one that ended are answered with -32602, and what is declared is served.",
			Wrong: `{"taskId":"7f3a","status":"running"}`, Right: `{"taskId":"7f3a","status":"working","createdAt":"2026-11-30T12:00:00Z","lastUpdatedAt":"2026-11-30T12:00:02Z","ttl":60000}`,
			Source: "2025-11-25 basic/utilities/tasks, Behavior Requirements and Error Handling", Run: runTaskState},
	}
	for _, r := range rules {
		r.Stage, r.Revisions = verdict.Call, []string{v2025_11}
	}
	return rules
}

// eachTaskCall calls f for the calls of tools of a server that takes calls as tasks.
func (p *Pass) eachTaskCall(f func(e *Exchange, tool *recording.Tool, support string)) {
	p.eachCall(func(e *Exchange, tool *recording.Tool, _ string) {
		if tool == nil || e.Answer == nil && e.Request != nil || !p.tasksOf(e.Session).Get("requests").Get("tools").Has("call") {
			return
		}
		support, _ := tool.Value.Get("execution").Get("taskSupport").IsString()
		f(e, tool, support)
	})
}

// tasksOf is the capability tasks of a session's server.
func (p *Pass) tasksOf(s *recording.Session) *schema.Value { return p.declaredBy(s).Get("tasks") }

func runTaskRequired(p *Pass) (out []Finding, err error) {
	p.eachTaskCall(func(e *Exchange, tool *recording.Tool, support string) {
		if support != "required" || e.Params.Has("task") || e.Code() == codeMethodNotFound {
			return
		}
		text := "succeeds"
		if e.Error != nil {
			text = fmt.Sprintf("is answered with the error %d", e.Code())
		}
		out = append(out, Finding{Tool: tool.Name, Session: e.Session.ID, Message: "A plain call of a tool that is a task only " + text + " in place of -32601"})
	})
	return out, nil
}

func runTaskForbidden(p *Pass) (out []Finding, err error) {
	p.eachTaskCall(func(e *Exchange, tool *recording.Tool, support string) {
		if support == "required" || support == "optional" || !e.Params.Has("task") || e.Code() == codeMethodNotFound {
			return
		}
		f := Finding{Tool: tool.Name, Session: e.Session.ID, Message: "A call as a task is taken by a tool that is none"}
		if e.Error != nil {
			f.Severity, f.Message = verdict.Info, fmt.Sprintf("A call as a task of a tool that is none is answered with the error %d in place of -32601", e.Code())
		}
		out = append(out, f)
	})
	return out, nil
}

func runTaskCreated(p *Pass) (out []Finding, err error) {
	p.eachTaskCall(func(e *Exchange, tool *recording.Tool, support string) {
		if support != "required" && support != "optional" || !e.Params.Has("task") || e.Result == nil {
			return
		}
		report := func(pointer, format string, args ...any) {
			out = append(out, Finding{Tool: tool.Name, Session: e.Session.ID, Pointer: pointer, Message: fmt.Sprintf(format, args...)})
		}
		task := e.Result.Get("task")
		if kindOf(task) != "object" {
			report("/task", "A call as a task gives a task that is %s and no object", kindOf(task))
			return
		}
		checkTask(task, "/task", report)
		if status, _ := task.Get("status").IsString(); contains(taskStatuses, status) && status != "working" {
			report("/task/status", "A new task has the status %s; every task begins as working", quote(status))
		}
	})
	return out, nil
}

// taskStatuses are the states of a task. Source: 2025-11-25 schema.json, TaskStatus.
var taskStatuses = []string{"working", "input_required", "completed", "failed", "cancelled"}

func checkTask(task *schema.Value, at string, report reporter) {
	if _, ok := task.Get("taskId").IsString(); !ok {
		report(at+"/taskId", "taskId is %s and no string", kindOf(task.Get("taskId")))
	}
	if status, _ := task.Get("status").IsString(); !contains(taskStatuses, status) {
		report(at+"/status", "status of a task is %s; there are %s", textOf(task.Get("status")), join(taskStatuses))
	}
	for _, key := range []string{"createdAt", "lastUpdatedAt"} {
		if text, ok := task.Get(key).IsString(); !ok || !isoTime.MatchString(text) {
			report(at+"/"+key, "%s of a task is %s and no ISO 8601 time", key, textOf(task.Get(key)))
		}
	}
	if ttl := task.Get("ttl"); kindOf(ttl) != "number" && kindOf(ttl) != "null" {
		report(at+"/ttl", "ttl of a task is %s; it is a number of milliseconds or null", kindOf(ttl))
	}
}

func runTaskState(p *Pass) (out []Finding, err error) {
	p.EachExchange(func(e *Exchange) {
		if e.Answer == nil && e.Request != nil || deliberate(e) {
			return
		}
		report := func(pointer, format string, args ...any) {
			out = append(out, Finding{Session: e.Session.ID, Pointer: pointer, Message: e.Method + ": " + fmt.Sprintf(format, args...)})
		}
		declared := p.tasksOf(e.Session)
		switch {
		case declared == nil:
		case e.Method == "tasks/get" || e.Method == "tasks/result":
			p.checkTaskAnswer(e, report)
		case e.Method == "tasks/list" && declared.Has("list"):
			checkTaskList(e, report)
		case e.Method == "tasks/cancel" && declared.Has("cancel"):
			p.checkCancel(e, report)
		}
	})
	return out, nil
}

// checkTaskAnswer looks at tasks/get and tasks/result.
func (p *Pass) checkTaskAnswer(e *Exchange, report reporter) {
	id, _ := e.Params.Get("taskId").IsString()
	switch {
	case id == inventedTask && e.Error == nil:
		report("", "a task that nobody made is known")
	case id == inventedTask && e.Code() != codeInvalidParams:
		report("", "a task that nobody made is answered with the error %d in place of -32602", e.Code())
	case id == inventedTask:
	case e.Code() == codeMethodNotFound:
		report("", "tasks are declared, and the method is answered with the error %d", e.Code())
	case e.Error != nil:
	case e.Method == "tasks/get":
		checkTask(e.Result, "", report)
	default:
		if named, _ := e.Result.Get("_meta").Get(metaTask).Get("taskId").IsString(); named != id {
			report("/_meta", "the result does not name its task in _meta, %s", metaTask)
		}
	}
}

func checkTaskList(e *Exchange, report reporter) {
	tasks := e.Result.Get("tasks")
	switch {
	case e.Error != nil:
		report("", "tasks.list is declared, and the method is answered with the error %d", e.Code())
		return
	case kindOf(tasks) != "array":
		report("/tasks", "tasks is %s and no array", kindOf(tasks))
		return
	}
	for i, task := range tasks.Items[:min(len(tasks.Items), blocksPerResult)] {
		checkTask(task, fmt.Sprintf("/tasks/%d", i), report)
	}
}

// checkCancel looks at the cancellation of a task: one that was seen to end must be
// refused.
func (p *Pass) checkCancel(e *Exchange, report reporter) {
	if e.Code() == codeMethodNotFound {
		report("", "tasks.cancel is declared, and the method is answered with the error %d", e.Code())
		return
	}
	id, _ := e.Params.Get("taskId").IsString()
	ended := false
	for _, other := range p.Exchanges(e.Session) {
		if other == e {
			break
		}
		of, _ := other.Params.Get("taskId").IsString()
		status, _ := other.Result.Get("status").IsString()
		ended = ended || other.Method == "tasks/get" && of == id && contains(taskStatuses[2:], status)
	}
	switch {
	case ended && e.Error == nil:
		report("", "a task that had ended is cancelled with success")
	case ended && e.Code() != codeInvalidParams:
		report("", "a task that had ended is answered with the error %d in place of -32602", e.Code())
	case e.Result != nil:
		checkTask(e.Result, "", report)
		if status, _ := e.Result.Get("status").IsString(); status != "cancelled" {
			report("/status", "a task that was cancelled has the status %s", quote(status))
		}
	}
}

func runTaskUndeclared(p *Pass) (out []Finding, err error) {
	p.EachTool(func(s *recording.Session, t *recording.Tool) {
		support, _ := t.Value.Get("execution").Get("taskSupport").IsString()
		if support != "required" && support != "optional" || p.declaredBy(s) == nil || p.tasksOf(s).Get("requests").Get("tools").Has("call") {
			return
		}
		f := Finding{Tool: t.Name, Session: s.ID, Pointer: "/execution/taskSupport", Message: "execution.taskSupport is " + support + ", and the capability tasks.requests.tools.call is not declared"}
		if support == "optional" {
			f.Severity = verdict.Info
		}
		out = append(out, f)
	})
	return out, nil
}
