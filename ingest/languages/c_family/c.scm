(function_definition declarator: (_) @declarator body: (compound_statement) @body) @function
(type_definition type: (struct_specifier body: (field_declaration_list) @body) declarator: (type_identifier) @name) @class
(type_definition type: (union_specifier body: (field_declaration_list) @body) declarator: (type_identifier) @name) @class
(type_definition type: (enum_specifier body: (enumerator_list) @body) declarator: (type_identifier) @name) @enum
(type_definition declarator: (_) @declarator) @type
(struct_specifier name: (type_identifier) @name body: (field_declaration_list) @body) @class
(union_specifier name: (type_identifier) @name body: (field_declaration_list) @body) @class
(enum_specifier name: (type_identifier) @name body: (enumerator_list) @body) @enum
(declaration declarator: (function_declarator) @declarator) @function
(declaration declarator: (pointer_declarator declarator: (function_declarator) @declarator)) @function
(declaration declarator: (_) @declarator @variable) @outer
(preproc_def name: (identifier) @name value: (_)) @const
(preproc_function_def name: (identifier) @name value: (_)? @stub) @macro
(field_declaration declarator: (_) @declarator) @property
(enumerator name: (identifier) @name) @enumMember

(preproc_include) @import
(preproc_ifdef) @group
(preproc_if) @group
(preproc_else) @group
(preproc_elif) @group
(linkage_specification body: (declaration_list)) @group
(linkage_specification body: (declaration_list) @group)
(comment) @comment
