(class_definition name: (identifier) @name body: (template_body)? @body) @class
(package_object name: (identifier) @name body: (template_body) @body) @namespace
(package_clause name: (_) @name body: (template_body) @body) @namespace
(extension_definition parameters: (parameters (parameter type: (_) @name)) body: (_) @body) @extension
(object_definition name: (identifier) @name body: (template_body)? @body) @class
(trait_definition name: (identifier) @name body: (template_body)? @body) @interface
(enum_definition name: (identifier) @name body: (enum_body)? @body) @enum
(function_definition name: (_) @name body: (_) @body) @function
(function_declaration name: (_) @name) @function
(val_definition pattern: (identifier) @name) @const
(var_definition pattern: (identifier) @name) @variable
(val_declaration name: (identifier) @name) @const
(type_definition name: (type_identifier) @name) @type
(type_definition name: (identifier) @name) @type
(given_definition name: (identifier) @name body: (_)? @body) @const
(simple_enum_case name: (identifier) @name) @enumMember
(full_enum_case name: (identifier) @name) @enumMember

(import_declaration) @import
(comment) @comment
(block_comment) @comment
