(function_declaration name: (identifier) @name body: (block)? @body) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @owner)) name: (field_identifier) @name body: (block)? @body) @method
(type_declaration (type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @class) @outer
(type_declaration (type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @interface) @outer
(type_declaration (type_spec name: (type_identifier) @name) @type) @outer
(type_declaration (type_alias name: (type_identifier) @name) @type) @outer
(source_file (const_declaration (const_spec name: (identifier) @name ("," name: (identifier) @name)*) @const) @outer)
(source_file (var_declaration (var_spec name: (identifier) @name ("," name: (identifier) @name)*) @variable) @outer)
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name ("," name: (identifier) @name)*) @variable)) @outer)
(field_declaration name: (field_identifier) @name) @property
(method_elem name: (field_identifier) @name) @method

(import_declaration) @import
(comment) @comment
