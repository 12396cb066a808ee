(template_declaration (function_definition declarator: (_) @declarator (field_initializer_list) @body) @function) @outer
(template_declaration (function_definition declarator: (_) @declarator body: (compound_statement) @body) @function) @outer
(template_declaration (class_specifier name: (_) @name body: (field_declaration_list) @body) @class) @outer
(template_declaration (struct_specifier name: (_) @name body: (field_declaration_list) @body) @class) @outer
(template_declaration (declaration declarator: (function_declarator) @declarator) @function) @outer
(template_declaration (declaration declarator: (_) @declarator) @variable) @outer
(template_declaration (alias_declaration name: (type_identifier) @name) @type) @outer
(template_declaration (concept_definition name: (identifier) @name) @type) @outer
(function_definition declarator: (_) @declarator (field_initializer_list) @body) @function
(function_definition declarator: (_) @declarator body: (_)? @body) @function
(class_specifier name: (_) @name body: (field_declaration_list) @body) @class
(type_definition type: (struct_specifier body: (field_declaration_list) @body) declarator: (type_identifier) @name) @class
(type_definition type: (enum_specifier body: (enumerator_list) @body) declarator: (type_identifier) @name) @enum
(type_definition declarator: (_) @declarator) @type
(struct_specifier name: (_) @name body: (field_declaration_list) @body) @class
(union_specifier name: (_) @name body: (field_declaration_list) @body) @class
(enum_specifier name: (_) @name body: (enumerator_list) @body) @enum
(namespace_definition name: (_) @name body: (declaration_list) @body) @namespace
(namespace_definition !name body: (declaration_list) @body) @namespace
(alias_declaration name: (type_identifier) @name) @type
(concept_definition name: (identifier) @name) @type
(declaration declarator: (function_declarator) @declarator) @function
(declaration declarator: (pointer_declarator declarator: (function_declarator) @declarator)) @function
(declaration declarator: (reference_declarator (function_declarator) @declarator)) @function
(declaration declarator: (_) @declarator @variable) @outer
(field_declaration declarator: (function_declarator) @declarator) @method
(field_declaration declarator: (pointer_declarator declarator: (function_declarator) @declarator)) @method
(field_declaration declarator: (reference_declarator (function_declarator) @declarator)) @method
(field_declaration declarator: (_) @declarator) @property
(preproc_def name: (identifier) @name value: (_)) @const
(preproc_function_def name: (identifier) @name value: (_)? @stub) @macro
(enumerator name: (identifier) @name) @enumMember

(access_specifier) @section

(preproc_include) @import
(using_declaration) @import
(preproc_ifdef) @group
(preproc_if) @group
(preproc_else) @group
(preproc_elif) @group
(linkage_specification body: (declaration_list)) @group
(linkage_specification body: (declaration_list) @group)
(comment) @comment
