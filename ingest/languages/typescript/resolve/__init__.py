"""The type engine of TypeScript and JavaScript: it turns the facts of all files into edges.

The engine computes only the types that an edge needs, and remembers them. The work of the engine is limited, even for recursive
types.

How the call in `new Repo().save()` becomes a CALLS edge:

 1. `edges/edges.py` passes each call of a file to `call_targets.resolve_call`.
 2. The callee is a member, so `model/binder.py` checks whether it is a dotted name such as `module.save`. It is not.
 3. `call_targets` asks `Engine.type_of` for the type of the receiver `new Repo()`, which `values.type_of` computes.
 4. `values` passes the NEW node to `calls.call_type`, which needs the type of `Repo`.
 5. `values.type_of_binding` lets the binder follow the import to `class Repo`. The class as a value is `Static(Repo)`.
 6. `calls.signatures` lists the constructors, `overload_choice` takes one, `type_arguments` infers its type arguments.
 7. The result is `Instance(Repo)`. The engine remembers it for the node.
 8. `Engine.properties(Instance(Repo), "save")` calls `members.find`, which searches the class, then its `base_types`.
 9. The `Property` found has the file and symbol of `save`. `call_targets` makes the symbol a `Target` with evidence "type".
10. `edges/edges.py` makes the target a `CallEdge`. A call without a target becomes an `UnresolvedCallEdge` with the reason.
"""
