(call method: (identifier) arguments: (argument_list . [(method name: (_) @name body: (_)? @body) (singleton_method name: (_) @name body: (_)? @body)] @method .)) @outer
(call method: (identifier) @keyword arguments: (argument_list . (simple_symbol) @name) block: (_) @body (#eq? @keyword "define_method")) @method
(call method: (identifier) @keyword arguments: (argument_list (simple_symbol) @name @property)
  (#any-of? @keyword "attr_reader" "attr_writer" "attr_accessor")) @outer
(assignment left: (constant) @name right: (call receiver: (constant) @maker method: (identifier) block: (_) @body)
  (#any-of? @maker "Struct" "Class" "Module" "Data")) @class
(method name: (_) @name body: (_)? @body) @method
(singleton_method name: (_) @name body: (_)? @body) @method
(class name: (_) @name body: (_)? @body) @class
(module name: (_) @name body: (_)? @body) @namespace
(program (assignment left: (constant) @name) @const)
(body_statement (assignment left: (constant) @name) @const)

(body_statement (identifier) @section (#any-of? @section "private" "protected" "public" "module_function"))

(program (call method: (identifier) @keyword (#any-of? @keyword "require" "require_relative" "load" "autoload")) @import)
(comment) @comment
