// GoDeclarations ROOT OUTPUT: what the Go files below a folder declare, as JSON: for each file a list of
// [name, first line, last line, code].
//
// Members of structs and interfaces have the name of their type before theirs, and so have methods. The code is the syntax tree
// without comments, positions and parentheses; the code of a type is without its members. A file with errors has no list.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

type outline struct {
	fset *token.FileSet
	rows [][]any
}

func (o *outline) add(name string, node ast.Node, code string) {
	o.rows = append(o.rows, []any{name, o.fset.Position(node.Pos()).Line, o.fset.Position(node.End()).Line, code})
}

// written writes the code of a node; the nodes in `without` are left out.
func written(out *strings.Builder, value reflect.Value, without map[any]bool) {
	if !value.IsValid() {
		return
	}
	switch value.Kind() {
	case reflect.Interface:
		written(out, value.Elem(), without)
	case reflect.Pointer:
		if value.IsNil() || without[value.Interface()] {
			return
		}
		switch node := value.Interface().(type) {
		case *ast.CommentGroup, *ast.Object, *ast.Scope:
		case *ast.ParenExpr:
			written(out, reflect.ValueOf(node.X), without)
		default:
			written(out, value.Elem(), without)
		}
	case reflect.Slice:
		fmt.Fprintf(out, "[")
		for i := 0; i < value.Len(); i++ {
			written(out, value.Index(i), without)
		}
		fmt.Fprintf(out, "]")
	case reflect.Struct:
		fmt.Fprintf(out, "(%s", value.Type().Name())
		for i := 0; i < value.NumField(); i++ {
			field := value.Field(i)
			position, isPosition := field.Interface().(token.Pos)
			switch {
			case !isPosition:
				written(out, field, without)
			case value.Type().Field(i).Name == "Ellipsis" || value.Type().Field(i).Name == "Assign":
				fmt.Fprintf(out, " %t", position.IsValid())
			}
		}
		fmt.Fprintf(out, ")")
	default:
		fmt.Fprintf(out, " %v", value.Interface())
	}
}

func code(node any, without map[any]bool) string {
	var out strings.Builder
	written(&out, reflect.ValueOf(node), without)
	return out.String()
}

func (o *outline) typeSpec(spec *ast.TypeSpec) {
	var members *ast.FieldList
	switch meant := spec.Type.(type) {
	case *ast.StructType:
		members = meant.Fields
	case *ast.InterfaceType:
		members = meant.Methods
	}
	without := map[any]bool{}
	if members != nil {
		for _, field := range members.List {
			for _, name := range field.Names {
				without[field] = true
				others := map[any]bool{}
				for _, other := range field.Names {
					others[other] = other != name
				}
				o.add(spec.Name.Name+"."+name.Name, field, code(field, others))
			}
		}
	}
	o.add(spec.Name.Name, spec, code(spec, without))
}

func receiver(function *ast.FuncDecl) string {
	if function.Recv == nil || len(function.Recv.List) == 0 {
		return ""
	}
	for node := function.Recv.List[0].Type; ; {
		switch meant := node.(type) {
		case *ast.StarExpr:
			node = meant.X
		case *ast.ParenExpr:
			node = meant.X
		case *ast.IndexExpr:
			node = meant.X
		case *ast.IndexListExpr:
			node = meant.X
		case *ast.Ident:
			return meant.Name + "."
		default:
			return ""
		}
	}
}

func (o *outline) file(file *ast.File) {
	for _, declaration := range file.Decls {
		switch declared := declaration.(type) {
		case *ast.FuncDecl:
			o.add(receiver(declared)+declared.Name.Name, declared, code(declared, nil))
		case *ast.GenDecl:
			for _, spec := range declared.Specs {
				switch meant := spec.(type) {
				case *ast.TypeSpec:
					o.typeSpec(meant)
				case *ast.ValueSpec:
					for _, name := range meant.Names {
						o.add(name.Name, meant, declared.Tok.String()+code(meant, nil))
					}
				}
			}
		}
	}
}

func main() {
	root := os.Args[1]
	found := map[string][][]any{}
	err := filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		fset := token.NewFileSet()
		if file, failure := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution); failure == nil {
			own := outline{fset: fset, rows: [][]any{}}
			own.file(file)
			relative, _ := filepath.Rel(root, path)
			found[filepath.ToSlash(relative)] = own.rows
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	data, err := json.Marshal(found)
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(os.Args[2], data, 0o644); err != nil {
		panic(err)
	}
}
