package wire

import (
	"context"
	"time"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

const (
	tasksRevision = "2025-11-25" // the one revision that has tasks
	taskPolls     = 20           // times that a task is asked for its state
	taskPollMin   = 50 * time.Millisecond
	taskPollMax   = 500 * time.Millisecond
	taskTTL       = 60_000 // ms for which a task is to be kept
)

// tasks calls read-only tools as tasks, where the server takes such calls, and a tool
// that is one only as a task without.
// Source: MCP 2025-11-25 basic/utilities/tasks.
func (b *prober) tasks(ctx context.Context) {
	if b.tools.Negotiated != tasksRevision || b.declared("tasks").Get("requests").Get("tools").Get("call") == nil {
		return
	}
	made := 0
	for _, t := range b.tools.Tools {
		if t.Name == "" || t != b.tool(t.Name) || !readOnlyAsTask(t) || made == probeCalls {
			continue
		}
		arguments := b.argumentsFor(t)
		if arguments == nil {
			continue
		}
		made++
		if support, _ := t.Value.Get("execution").Get("taskSupport").IsString(); support == "required" {
			b.call(ctx, t.Name, arguments, nil)
		}
		params := schema.Obj(member("name", schema.Str(t.Name)), member("arguments", arguments), member("task", schema.Obj(member("ttl", schema.Num(taskTTL)))))
		if id, ok := b.ask(ctx, "tools/call", params).Get("task").Get("taskId").IsString(); ok {
			b.follow(ctx, id)
		}
	}
	if made > 0 {
		b.ask(ctx, "tasks/get", taskOf(inventedTask))
	}
}

// readOnlyAsTask is [readOnly] for calls as tasks, which a tool may want.
func readOnlyAsTask(t *recording.Tool) bool {
	plain := *t
	plain.Value = t.Value.Without("execution")
	return readOnly(&plain)
}

// argumentsFor returns arguments that a tool takes: those of a call that was made,
// else ones that its schema gives, nil without either.
func (b *prober) argumentsFor(t *recording.Tool) *schema.Value {
	for _, c := range b.tools.Calls {
		if c.Tool == t.Name && c.Origin == recording.Real && c.Result != nil && !c.Result.Get("isError").IsTrue() {
			return orEmpty(c.Arguments)
		}
	}
	if required := t.Input.Get("required"); required == nil || len(required.Items) == 0 {
		return schema.Obj()
	}
	return recording.UnknownArguments(t.Input, inventedValue)
}

func orEmpty(v *schema.Value) *schema.Value {
	if v == nil {
		return schema.Obj()
	}
	return v
}

func taskOf(id string) *schema.Value { return schema.Obj(member("taskId", schema.Str(id))) }

// follow waits for a task's end and takes its result.
func (b *prober) follow(ctx context.Context, id string) {
	ended := false
	for range taskPolls {
		state := b.ask(ctx, "tasks/get", taskOf(id))
		status, ok := state.Get("status").IsString()
		if ended = status == "completed" || status == "failed" || status == "cancelled"; ended || !ok {
			break
		}
		pause := taskPollMin
		if r, ok := state.Get("pollInterval").Exact(); ok && r.IsInt() && r.Num().IsInt64() {
			pause = min(max(pause, time.Duration(min(r.Num().Int64(), taskPollMax.Milliseconds()))*time.Millisecond), taskPollMax)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
	if b.declared("tasks").Has("list") {
		b.ask(ctx, "tasks/list", nil)
	}
	if !ended {
		if b.declared("tasks").Has("cancel") {
			b.ask(ctx, "tasks/cancel", taskOf(id))
		}
		return
	}
	b.ask(ctx, "tasks/result", taskOf(id))
	if b.declared("tasks").Has("cancel") {
		b.ask(ctx, "tasks/cancel", taskOf(id))
	}
}
