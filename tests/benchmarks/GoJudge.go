// GoJudge ROOT OUTPUT: what Go's type checker binds in the packages of a module, tests included, for the platform of GOOS and
// GOARCH. Each line is a fact: its kind, then file, line, column and name of a place, and file, line and name of what is meant.
//
//	call        a call or conversion; what is meant outside of the folder has the file "-", and its package before its name
//	use         a name that means a function, type, constant, variable of a package, method or field of the folder
//	import      an import of a package; what is meant is the folder of the package, below the root or "-", and its path
//	implements  a type and an interface whose methods it has, both in the folder; "value" or "pointer" stands for the column
//
// Build it in a module that requires golang.org/x/tools; see go_edges.py.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/packages"
)

type judge struct {
	root    string
	fset    *token.FileSet
	sources map[string][]string
	rows    map[string]bool
}

func main() {
	root, err := filepath.Abs(os.Args[1])
	if err != nil {
		fail(err)
	}
	mode := packages.NeedName | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports |
		packages.NeedDeps | packages.NeedFiles | packages.NeedCompiledGoFiles
	fset := token.NewFileSet()
	loaded, err := packages.Load(&packages.Config{Mode: mode, Dir: root, Tests: true, Fset: fset}, "./...")
	if err != nil {
		fail(err)
	}
	j := &judge{root, fset, map[string][]string{}, map[string]bool{}}
	var declared, interfaces []*types.TypeName
	for _, each := range loaded {
		for _, file := range each.Syntax {
			if path, _ := j.path(file.Pos()); path != "" {
				j.calls(file, each.TypesInfo)
				j.uses(file, each.TypesInfo)
				j.imports(file, each.Imports)
			}
		}
		for _, object := range each.TypesInfo.Defs {
			name, ok := object.(*types.TypeName)
			if !ok || name.IsAlias() || name.Name() == "_" {
				continue
			}
			named, ok := name.Type().(*types.Named)
			if path, _ := j.path(name.Pos()); !ok || named.TypeParams().Len() > 0 || path == "" {
				continue
			}
			declared = append(declared, name)
			if i, ok := named.Underlying().(*types.Interface); ok && i.IsMethodSet() && i.NumMethods() > 0 {
				interfaces = append(interfaces, name)
			}
		}
	}
	j.implementations(declared, interfaces)
	j.write(os.Args[2])
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// path returns the path of a place below the root, or "".
func (j *judge) path(pos token.Pos) (string, token.Position) {
	place := j.fset.PositionFor(pos, false)
	inner, err := filepath.Rel(j.root, place.Filename)
	if !pos.IsValid() || err != nil || strings.HasPrefix(inner, "..") {
		return "", place
	}
	return filepath.ToSlash(inner), place
}

func (j *judge) column(place token.Position) int {
	lines, ok := j.sources[place.Filename]
	if !ok {
		data, _ := os.ReadFile(place.Filename)
		lines = strings.Split(string(data), "\n")
		j.sources[place.Filename] = lines
	}
	return utf8.RuneCountInString(lines[place.Line-1][:place.Column-1]) + 1
}

func (j *judge) calls(file *ast.File, info *types.Info) {
	ast.Inspect(file, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := called(call.Fun)
		if name == nil {
			return true
		}
		if object := info.Uses[name]; object != nil {
			j.call(name, object)
		}
		return true
	})
}

func called(fun ast.Expr) *ast.Ident {
	switch each := fun.(type) {
	case *ast.Ident:
		return each
	case *ast.SelectorExpr:
		return each.Sel
	case *ast.ParenExpr:
		return called(each.X)
	case *ast.IndexExpr:
		return called(each.X)
	case *ast.IndexListExpr:
		return called(each.X)
	}
	return nil
}

func (j *judge) call(name *ast.Ident, object types.Object) {
	switch each := object.(type) {
	case *types.Func:
		object = each.Origin()
	case *types.Var:
		object = each.Origin()
		if !each.IsField() && (each.Pkg() == nil || each.Parent() != each.Pkg().Scope()) {
			return // a local variable
		}
	case *types.TypeName:
		if _, ok := each.Type().(*types.TypeParam); ok {
			return
		}
	}
	from, place := j.path(name.Pos())
	to, meant := j.path(object.Pos())
	text := object.Name()
	if to == "" {
		to = "-"
		if object.Pkg() != nil {
			text = object.Pkg().Path() + " " + text
		}
	}
	j.row("call", from, place.Line, fmt.Sprint(j.column(place)), name.Name, to, meant.Line, text)
}

func (j *judge) uses(file *ast.File, info *types.Info) {
	ast.Inspect(file, func(node ast.Node) bool {
		name, ok := node.(*ast.Ident)
		if !ok {
			return true
		}
		object := info.Uses[name]
		switch each := object.(type) {
		case *types.Func:
			object = each.Origin()
		case *types.Var:
			object = each.Origin()
			if !each.IsField() && (each.Pkg() == nil || each.Parent() != each.Pkg().Scope()) {
				return true // a local variable
			}
		case *types.TypeName, *types.Const:
			if _, ok := object.Type().(*types.TypeParam); ok || object.Pkg() == nil {
				return true
			}
		default:
			return true
		}
		if to, meant := j.path(object.Pos()); to != "" {
			from, place := j.path(name.Pos())
			j.row("use", from, place.Line, fmt.Sprint(j.column(place)), name.Name, to, meant.Line, object.Name())
		}
		return true
	})
}

func (j *judge) imports(file *ast.File, known map[string]*packages.Package) {
	for _, each := range file.Imports {
		from, place := j.path(each.Pos())
		named, err := strconv.Unquote(each.Path.Value)
		target := known[named]
		if err != nil || target == nil || len(target.GoFiles) == 0 {
			continue
		}
		to := "-"
		if folder, err := filepath.Rel(j.root, filepath.Dir(target.GoFiles[0])); err == nil && !strings.HasPrefix(folder, "..") {
			to = filepath.ToSlash(folder)
		}
		j.row("import", from, place.Line, fmt.Sprint(j.column(place)), "-", to, 0, named)
	}
}

func (j *judge) implementations(declared, interfaces []*types.TypeName) {
	for _, wanted := range interfaces {
		methods := wanted.Type().Underlying().(*types.Interface)
		for _, name := range declared {
			how := ""
			if types.Implements(name.Type(), methods) {
				how = "value"
			} else if types.Implements(types.NewPointer(name.Type()), methods) {
				how = "pointer"
			}
			if how == "" || name.Pos() == wanted.Pos() {
				continue
			}
			from, place := j.path(name.Pos())
			to, meant := j.path(wanted.Pos())
			j.row("implements", from, place.Line, how, name.Name(), to, meant.Line, wanted.Name())
		}
	}
}

func (j *judge) row(kind, from string, line int, column, name, to string, toLine int, toName string) {
	j.rows[strings.Join([]string{kind, from, fmt.Sprint(line), column, name, to, fmt.Sprint(toLine), toName}, "\t")] = true
}

func (j *judge) write(output string) {
	file, err := os.Create(output)
	if err != nil {
		fail(err)
	}
	out := bufio.NewWriter(file)
	rows := make([]string, 0, len(j.rows))
	for row := range j.rows {
		rows = append(rows, row)
	}
	sort.Strings(rows)
	for _, row := range rows {
		fmt.Fprintln(out, row)
	}
	if err := out.Flush(); err != nil {
		fail(err)
	}
}
