(class_declaration name: (identifier) @name body: (declaration_list)? @body) @class
(struct_declaration name: (identifier) @name body: (declaration_list)? @body) @class
(record_declaration name: (identifier) @name body: (declaration_list)? @body) @class
(interface_declaration name: (identifier) @name body: (declaration_list)? @body) @interface
(enum_declaration name: (identifier) @name body: (enum_member_declaration_list) @body) @enum
(namespace_declaration name: (_) @name body: (declaration_list) @body) @namespace
(method_declaration name: (identifier) @name body: (_)? @body) @method
(local_function_statement name: (identifier) @name body: (_) @body) @function
(constructor_declaration name: (identifier) @name body: (_)? @body) @constructor
(destructor_declaration name: (identifier) @name body: (_)? @body) @method
(operator_declaration body: (_)? @body) @operator
(conversion_operator_declaration body: (_)? @body) @operator
(indexer_declaration accessors: (accessor_list) @body) @operator
(indexer_declaration value: (arrow_expression_clause) @body) @operator
(property_declaration name: (identifier) @name accessors: (accessor_list)? @body) @accessor
(event_declaration name: (identifier) @name accessors: (accessor_list)? @body) @accessor
(delegate_declaration name: (identifier) @name) @type
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @property
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @property
(enum_member_declaration name: (identifier) @name) @enumMember

(using_directive) @import
(comment) @comment
