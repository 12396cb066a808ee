(class_declaration name: (identifier) @name body: (class_body) @body) @class
(record_declaration name: (identifier) @name body: (class_body) @body) @class
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @property))
(interface_declaration name: (identifier) @name body: (interface_body) @body) @interface
(annotation_type_declaration name: (identifier) @name body: (annotation_type_body) @body) @interface
(enum_declaration name: (identifier) @name body: (enum_body) @body) @enum
(method_declaration name: (identifier) @name body: (block)? @body) @method
(annotation_type_element_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name body: (constructor_body) @body) @constructor
(compact_constructor_declaration name: (identifier) @name body: (block) @body) @constructor
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @property
(enum_constant name: (identifier) @name body: (class_body)? @body) @enumMember

(import_declaration) @import
(line_comment) @comment
(block_comment) @comment
