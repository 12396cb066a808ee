(decorated_definition
  definition: (function_definition name: (identifier) @name body: (block . (expression_statement (ellipsis)) .) @stub) @function) @outer
(decorated_definition definition: (function_definition name: (identifier) @name body: (block) @body) @function) @outer
(decorated_definition definition: (class_definition name: (identifier) @name body: (block) @body) @class) @outer
(function_definition name: (identifier) @name body: (block . (expression_statement (ellipsis)) .) @stub) @function
(function_definition name: (identifier) @name body: (block) @body) @function
(class_definition name: (identifier) @name body: (block) @body) @class
(type_alias_statement left: (type (identifier) @name)) @type
(type_alias_statement left: (type (generic_type (identifier) @name))) @type

(module (expression_statement (assignment left: (identifier) @name @variable right: (assignment))) @outer)
(module (expression_statement (assignment right: (assignment left: (identifier) @name @variable))) @outer)
(module (expression_statement (assignment right: (assignment right: (assignment left: (identifier) @name @variable)))) @outer)
(module (expression_statement (assignment left: (identifier) @name)) @variable)
(module (expression_statement (assignment left: (pattern_list (identifier) @name @variable))) @outer)
(module (if_statement (block (expression_statement (assignment left: (identifier) @name)) @variable)))
(module (if_statement (_ (block (expression_statement (assignment left: (identifier) @name)) @variable))))
(module (try_statement (block (expression_statement (assignment left: (identifier) @name)) @variable)))
(module (try_statement (_ (block (expression_statement (assignment left: (identifier) @name)) @variable))))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name)) @property))

(function_definition body: (block . (expression_statement (string) @doc))) @documented
(class_definition body: (block . (expression_statement (string) @doc))) @documented

(if_statement condition: (_) @condition consequence: (block) @import.types
  (#match? @condition "^\\(?(\\w+\\.)*TYPE_CHECKING( and .*)?\\)?$"))
(elif_clause condition: (_) @condition consequence: (block) @import.types
  (#match? @condition "^\\(?(\\w+\\.)*TYPE_CHECKING( and .*)?\\)?$"))
(if_statement condition: (_) @condition alternative: (else_clause body: (block) @import.types)
  (#match? @condition "^not (\\w+\\.)*TYPE_CHECKING$"))
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import
(module . (expression_statement (string)) @comment)
(module . (comment) . (expression_statement (string)) @comment)
(module . (comment) . (comment) . (expression_statement (string)) @comment)
(comment) @comment
