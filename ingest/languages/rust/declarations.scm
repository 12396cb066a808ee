(function_item name: (identifier) @name body: (block) @body) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name body: (field_declaration_list)? @body) @class
(union_item name: (type_identifier) @name body: (field_declaration_list) @body) @class
(enum_item name: (type_identifier) @name body: (enum_variant_list) @body) @enum
(trait_item name: (type_identifier) @name body: (declaration_list) @body) @interface
(impl_item type: (_) @name body: (declaration_list) @body) @extension
(mod_item name: (identifier) @name body: (declaration_list) @body) @namespace
(mod_item name: (identifier) @name) @import
(macro_definition name: (identifier) @name . (macro_rule)? @stub) @macro
(const_item name: (identifier) @name) @const
(static_item name: (identifier) @name) @variable
(type_item name: (type_identifier) @name) @type
(associated_type name: (type_identifier) @name) @type
(field_declaration name: (field_identifier) @name) @property
(enum_variant name: (identifier) @name) @enumMember

(use_declaration) @import
(extern_crate_declaration) @import
(line_comment) @comment
(block_comment) @comment
(attribute_item) @attribute
(inner_attribute_item) @attribute.inner
