(class_declaration declaration_kind: "extension" name: (user_type) @name body: (_) @body) @extension
(class_declaration declaration_kind: "enum" name: (type_identifier) @name body: (_) @body) @enum
(class_declaration name: (type_identifier) @name body: (_) @body) @class
(protocol_declaration name: (type_identifier) @name body: (protocol_body) @body) @interface
(function_declaration "func" . name: _ @name body: (function_body) @body) @function
(protocol_function_declaration "func" . name: _ @name) @function
(init_declaration "init" @name body: (function_body)? @body) @constructor
(deinit_declaration "deinit" @name body: (function_body) @body) @method
(subscript_declaration "subscript" @name (computed_property) @body) @method
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @accessor
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @property
(associatedtype_declaration name: (type_identifier) @name) @type
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @property
(typealias_declaration name: (type_identifier) @name) @type
(enum_entry name: (simple_identifier) @name) @enumMember

(import_declaration) @import
(comment) @comment
(multiline_comment) @comment
