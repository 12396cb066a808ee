(class_declaration "interface" name: (identifier) @name (class_body)? @body) @interface
(class_declaration (modifiers (class_modifier "enum")) name: (identifier) @name (enum_class_body)? @body) @enum
(class_declaration name: (identifier) @name (class_body)? @body) @class
(object_declaration name: (identifier) @name (class_body)? @body) @class
(companion_object (identifier) @name (class_body) @body) @class
(function_declaration (user_type) @owner . "." . name: (identifier) @name (function_body)? @body) @function
(function_declaration (nullable_type) @owner . "." . name: (identifier) @name (function_body)? @body) @function
(function_declaration name: (identifier) @name (function_body)? @body) @function
(secondary_constructor "constructor" @name (block)? @body) @constructor
(property_declaration (user_type) @owner . "." . (variable_declaration (identifier) @name)) @property
(property_declaration (variable_declaration (identifier) @name) (getter)? @body) @accessor
(type_alias type: (identifier) @name) @type
(enum_entry (identifier) @name (class_body)? @body) @enumMember

(import) @import
(line_comment) @comment
(block_comment) @comment
; The grammar takes annotations at the root, of which the last has arguments, for an expression.
(source_file (annotated_expression) @attribute (#match? @attribute "^(@[\\w.:]+(\\([^(){}]*\\))?\\s*)+$"))
