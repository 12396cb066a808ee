// Package queue keeps tasks.
package queue

import (
	"context"
	"fmt"

	log "github.com/sirupsen/logrus"
)

// Broker states.
const (
	// Idle waits.
	Idle State = iota
	Busy
	_
)

const maxRetries, minRetries = 3, 1

var ErrClosed = fmt.Errorf("queue: closed")

var (
	mu    sync.Mutex
	names = map[string]int{
		"a": 1,
	}
)

type State int

// Task is a unit of work.
type Task struct {
	ID, Name string // both are set
	payload  []byte `json:"payload"`
	*Options
	done func(err error)
}

type (
	// Handler handles.
	Handler interface {
		context.Context
		Handle(ctx context.Context, t *Task) error
	}
	HandlerFunc func(context.Context, *Task) error
	alias       = map[string]Task
)

var _ Handler = (*HandlerFunc)(nil)

// Handle calls f.
func (f HandlerFunc) Handle(ctx context.Context, t *Task) error { return f(ctx, t) }

// List is generic.
type List[T any, K comparable] struct{ items []T }

// Push adds an item.
//
//	list.Push(1)
func (l *List[T, K]) Push(item T) {
	grow := func() {
		log.Info("grown")
	}
	grow()
	type local struct{ n int }
	l.items = append(l.items, item)
}

func (Task) String() string { return "task" }

//go:noinline
func Map[T, U any](
	in []T,
	f func(T) U,
) (out []U, err error) {
	return
}

func init() {
	names["b"] = 2
}

func asm(x uint64) uint64
