(variable_declaration (assignment_statement (variable_list . name: (identifier) @name .) (expression_list . value: (function_definition body: (block)? @body) .))) @function
(function_declaration name: (identifier) @name body: (block)? @body) @function
(function_declaration name: (dot_index_expression table: (_) @owner field: (identifier) @name) body: (block)? @body) @function
(function_declaration name: (method_index_expression table: (_) @owner method: (identifier) @name) body: (block)? @body) @method
(assignment_statement (variable_list . name: (identifier) @name .) (expression_list . value: (function_definition body: (block)? @body) .)) @function
(assignment_statement (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name) .) (expression_list . value: (function_definition body: (block)? @body) .)) @function
(field name: (identifier) @name value: (function_definition body: (block)? @body)) @function
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name @variable))) @outer)
(chunk (variable_declaration (variable_list name: (identifier) @name @variable)) @outer)
(chunk (assignment_statement (variable_list name: (identifier) @name @variable)) @outer)
(chunk (assignment_statement (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name))) @variable)

(hash_bang_line) @comment
(comment) @comment
