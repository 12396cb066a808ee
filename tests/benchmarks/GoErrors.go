// GoErrors: prints every error of Go's type checker in the module of the current folder, tests included, as file:line:column.
//
// Unlike `go vet`, it also checks the tests of a package with errors, and reports all errors of a package.
// Build it in a module that requires golang.org/x/tools; see go_edges.py.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo |
		packages.NeedImports | packages.NeedDeps
	found, err := packages.Load(&packages.Config{Mode: mode, Tests: true}, "./...")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	root, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	lines := map[string]bool{}
	packages.Visit(found, nil, func(each *packages.Package) {
		for _, problem := range each.Errors {
			place, _, _ := strings.Cut(problem.Pos, ":")
			relative, err := filepath.Rel(root, place)
			if err == nil && filepath.IsAbs(place) && !strings.HasPrefix(relative, "..") {
				message, _, _ := strings.Cut(problem.Msg, "\n")
				lines[filepath.ToSlash(relative)+strings.TrimPrefix(problem.Pos, place)+": "+message] = true
			}
		}
	})
	sorted := make([]string, 0, len(lines))
	for line := range lines {
		sorted = append(sorted, line)
	}
	sort.Strings(sorted)
	fmt.Println(strings.Join(sorted, "\n"))
}
