(function_definition name: (name) @name body: (compound_statement) @body) @function
(class_declaration name: (name) @name body: (declaration_list) @body) @class
(trait_declaration name: (name) @name body: (declaration_list) @body) @class
(interface_declaration name: (name) @name body: (declaration_list) @body) @interface
(enum_declaration name: (name) @name body: (enum_declaration_list) @body) @enum
(namespace_definition name: (namespace_name) @name body: (compound_statement) @body) @namespace
(method_declaration name: (name) @name body: (compound_statement)? @body) @method
(property_declaration (property_element name: (variable_name (name) @name))) @property
(const_declaration (const_element (name) @name)) @const
(program (expression_statement (function_call_expression
  function: (name) @keyword (#eq? @keyword "define")
  arguments: (arguments . (argument [(string (string_content) @name) (encapsed_string (string_content) @name)])))) @const)
(enum_case name: (name) @name) @enumMember

(namespace_use_declaration) @import
(comment) @comment
