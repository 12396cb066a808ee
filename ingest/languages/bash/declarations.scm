(function_definition name: (word) @name body: (_) @body) @function
(program (variable_assignment name: (variable_name) @name) @variable)
(program (variable_assignments (variable_assignment name: (variable_name) @name) @variable) @outer)
(program (declaration_command (variable_assignment name: (variable_name) @name) @variable) @outer)

(program (command name: (command_name (word) @keyword) (#any-of? @keyword "source" ".")) @import)
(comment) @comment
