import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.File;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Prints what javac binds in files: calls, constructions, references to methods, heritage, uses of names and imports of types.
 *
 * <p>Each line has the kind, the file, the line and the column of the name, the name, and the declaration: its file, its first
 * line, the line of its name, and its name. Of a declaration outside of the files, the file is {@code -}. What javac cannot
 * attribute has no line. If Lombok is on the class path, it runs as well; of what it adds, the declaration is the field or type
 * that it is for, as of the accessors of records.
 *
 * <p>Imports of all types of a package have no line, and those of static members stand for the type of the members.
 *
 * <p>Usage: {@code java JavaJudge.java ROOT FILES CLASSPATH OUTPUT}, where FILES has one path below ROOT on each line.
 */
public final class JavaJudge {
    private final Path root;
    private final Trees trees;
    private final SourcePositions positions;
    private final PrintWriter out;

    private JavaJudge(Path root, Trees trees, PrintWriter out) {
        this.root = root;
        this.trees = trees;
        this.positions = trees.getSourcePositions();
        this.out = out;
    }

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]).toRealPath();
        List<Path> files = Files.readAllLines(Path.of(arguments[1])).stream().map(root::resolve).collect(Collectors.toList());
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(problem -> { }, null, StandardCharsets.UTF_8);
        List<String> options = new ArrayList<>(List.of("-XDshould-stop.ifError=FLOW", "-Xmaxerrs", "1", "-nowarn", "-cp", arguments[2]));
        Optional<String> lombok = Arrays.stream(arguments[2].split(File.pathSeparator)).filter(each -> each.matches(".*/lombok-[\\d.]+\\.jar")).findFirst();
        options.addAll(lombok.isPresent() ? List.of("-processorpath", lombok.get()) : List.of("-proc:none"));
        JavacTask task = (JavacTask) compiler.getTask(new PrintWriter(PrintWriter.nullWriter()), manager, problem -> { }, options, null, manager.getJavaFileObjectsFromPaths(files));
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        try (PrintWriter out = new PrintWriter(arguments[3], StandardCharsets.UTF_8)) {
            JavaJudge judge = new JavaJudge(root, Trees.instance(task), out);
            for (CompilationUnitTree unit : units) {
                judge.new Scanner(unit).scan(unit, null);
            }
        }
    }

    private String pathOf(JavaFileObject file) {
        return root.relativize(Path.of(file.toUri())).toString();
    }

    /** Returns file, first line, line of the name and name of a declaration; null where the source has none. */
    private String placeOf(Element element) {
        if (element == null || element.asType().getKind() == TypeKind.ERROR || element.asType().getKind() == TypeKind.NONE && element.getKind() != ElementKind.PACKAGE) {
            return null;
        }
        TreePath path = trees.getPath(element);
        Element named = element;
        if (element.getKind() == ElementKind.CONSTRUCTOR && (path == null || isImplicit(path))) {
            named = element.getEnclosingElement();
            path = trees.getPath(named);
        }
        boolean isAdded = path != null ? isAdded(path, named) : isAccessorOfRecord(element);
        if (isAdded && List.of("equals", "hashCode", "toString").contains(element.getSimpleName().toString())) {
            return "-\t0\t0\t" + element.getSimpleName(); // its callers use what Object declares
        }
        if (isAdded) {
            named = giverOf(element);
            path = trees.getPath(named);
        }
        if (path == null) {
            return trees.getPath(outermost(element)) == null ? "-\t0\t0\t" + element.getSimpleName() : null;
        }
        CompilationUnitTree unit = path.getCompilationUnit();
        Tree tree = path.getLeaf();
        long start = positions.getStartPosition(unit, tree);
        if (start < 0) {
            return null;
        }
        LineMap lines = unit.getLineMap();
        long at = nameOf(unit, tree, start, element.getKind() == ElementKind.CONSTRUCTOR ? named == element ? element.getEnclosingElement().getSimpleName().toString() : named.getSimpleName().toString() : named.getSimpleName().toString());
        Element shown = isAdded ? named : element;
        return pathOf(unit.getSourceFile()) + "\t" + lines.getLineNumber(start) + "\t" + lines.getLineNumber(at) + "\t" + shown.getSimpleName();
    }

    /** Returns whether a tool added a declaration, so that the source does not have its name. */
    private boolean isAdded(TreePath path, Element element) {
        CompilationUnitTree unit = path.getCompilationUnit();
        Tree tree = path.getLeaf();
        long start = positions.getStartPosition(unit, tree);
        String name = element.getKind() == ElementKind.CONSTRUCTOR ? element.getEnclosingElement().getSimpleName().toString() : element.getSimpleName().toString();
        if (start < 0 || name.isEmpty()) {
            return false;
        }
        long at = nameOf(unit, tree, start, name);
        return !text(unit).startsWith(name, (int) at) || at >= positions.getEndPosition(unit, tree);
    }

    private static boolean isAccessorOfRecord(Element element) {
        return element.getKind() == ElementKind.METHOD && element.getEnclosingElement().getKind().name().equals("RECORD")
                && fieldOf(element.getEnclosingElement(), element.getSimpleName().toString()) != null;
    }

    /** Returns the field or type for which a declaration was added. */
    private Element giverOf(Element element) {
        Element type = element;
        do {
            type = type.getEnclosingElement();
        } while (type instanceof TypeElement && trees.getPath(type) != null && (isAdded(trees.getPath(type), type) || isBuilderOf(type)));
        String name = element.getSimpleName().toString();
        Element field = element.getKind() == ElementKind.METHOD ? fieldOf(type, name) : null;
        for (String prefix : List.of("get", "set", "is", "with")) {
            if (field == null && element.getKind() == ElementKind.METHOD && name.startsWith(prefix) && name.length() > prefix.length()) {
                String rest = name.substring(prefix.length());
                field = fieldOf(type, rest.substring(0, 1).toLowerCase() + rest.substring(1));
                field = field == null ? fieldOf(type, "is" + rest) : field;
            }
        }
        field = field == null && element.getKind() == ElementKind.METHOD ? fieldOf(type, name + "s") : field;
        return field == null ? type : field;
    }

    /** Returns whether a type is a written builder, to which Lombok only adds members for the type around it. */
    private static boolean isBuilderOf(Element type) {
        return type.getSimpleName().toString().endsWith("Builder") && type.getEnclosingElement() instanceof TypeElement;
    }

    private static Element fieldOf(Element type, String name) {
        return type.getEnclosedElements().stream().filter(each -> each.getKind() == ElementKind.FIELD && each.getSimpleName().contentEquals(name)).findFirst().orElse(null);
    }

    /** Returns whether a method is a constructor that the source does not have. */
    private boolean isImplicit(TreePath method) {
        CompilationUnitTree unit = method.getCompilationUnit();
        MethodTree tree = (MethodTree) method.getLeaf();
        return tree.getName().contentEquals("<init>")
                && (positions.getEndPosition(unit, tree) < 0 || positions.getStartPosition(unit, tree) == startOf(unit, method.getParentPath()));
    }

    /** Returns where a type begins behind its modifiers, which is where javac puts what it adds. */
    private long startOf(CompilationUnitTree unit, TreePath type) {
        Tree tree = type.getLeaf();
        long start = positions.getStartPosition(unit, tree);
        long behind = tree instanceof ClassTree ? positions.getEndPosition(unit, ((ClassTree) tree).getModifiers()) : -1;
        if (behind < 0) {
            return start;
        }
        String text = text(unit);
        int at = (int) behind;
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static Element outermost(Element element) {
        Element at = element;
        while (at.getEnclosingElement() != null && at.getEnclosingElement().getKind() != ElementKind.PACKAGE) {
            at = at.getEnclosingElement();
        }
        return at;
    }

    /** Returns the position of a name in a declaration, behind its modifiers, type parameters and type. */
    private long nameOf(CompilationUnitTree unit, Tree tree, long start, String name) {
        long from = start;
        if (tree instanceof MethodTree) {
            MethodTree method = (MethodTree) tree;
            from = Math.max(from, positions.getEndPosition(unit, method.getModifiers()));
            if (method.getReturnType() != null) {
                from = Math.max(from, positions.getEndPosition(unit, method.getReturnType()));
            }
        } else if (tree instanceof VariableTree) {
            from = Math.max(from, positions.getEndPosition(unit, ((VariableTree) tree).getModifiers()));
            from = Math.max(from, ((VariableTree) tree).getType() == null ? from : positions.getEndPosition(unit, ((VariableTree) tree).getType()));
        } else if (tree instanceof ClassTree) {
            from = Math.max(from, positions.getEndPosition(unit, ((ClassTree) tree).getModifiers()));
        }
        int found = text(unit).indexOf(name, (int) from);
        return found < 0 ? start : found;
    }

    private static String text(CompilationUnitTree unit) {
        try {
            return unit.getSourceFile().getCharContent(true).toString();
        } catch (java.io.IOException problem) {
            throw new java.io.UncheckedIOException(problem);
        }
    }

    private final class Scanner extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final LineMap lines;
        private final String file;

        Scanner(CompilationUnitTree unit) {
            this.unit = unit;
            this.lines = unit.getLineMap();
            this.file = pathOf(unit.getSourceFile());
        }

        private void print(String kind, long position, CharSequence name, Element element) {
            String place = position < 0 || isGenerated() ? null : placeOf(element);
            if (place != null) {
                out.println(kind + "\t" + file + "\t" + lines.getLineNumber(position) + "\t" + (position - lines.getStartPosition(lines.getLineNumber(position)) + 1) + "\t" + name + "\t" + place);
            }
        }

        private Element elementIn(TreePath around, Tree tree) {
            return trees.getElement(new TreePath(around, tree));
        }

        private Element elementOf(Tree tree) {
            return trees.getElement(new TreePath(getCurrentPath(), tree));
        }

        /** Returns the position of the last name of a name, a dotted name or a type with arguments. */
        private long lastName(Tree tree) {
            if (tree instanceof MemberSelectTree) {
                return positions.getEndPosition(unit, tree) - ((MemberSelectTree) tree).getIdentifier().length();
            }
            if (tree instanceof com.sun.source.tree.ParameterizedTypeTree) {
                return lastName(((com.sun.source.tree.ParameterizedTypeTree) tree).getType());
            }
            if (tree instanceof com.sun.source.tree.AnnotatedTypeTree) {
                return lastName(((com.sun.source.tree.AnnotatedTypeTree) tree).getUnderlyingType());
            }
            return positions.getStartPosition(unit, tree);
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
            Tree called = node.getMethodSelect();
            String name = called instanceof MemberSelectTree ? ((MemberSelectTree) called).getIdentifier().toString() : called.toString();
            Element method = elementOf(called);
            if (method != null && isCallable(method) && isWritten(called) && areKnown(node.getArguments()) && isSure(method)) {
                print("call", lastName(called), name, method);
            }
            return super.visitMethodInvocation(node, nothing);
        }

        /** Returns whether javac knows the types of arguments: where it does not, its choice among overloads means nothing. */
        private boolean areKnown(List<? extends Tree> arguments) {
            return arguments.stream().allMatch(each -> isKnown(trees.getTypeMirror(new TreePath(getCurrentPath(), each)), 0));
        }

        /** Returns whether javac knows the types of the parameters of all overloads of a method. */
        private boolean isSure(Element method) {
            List<Element> same = method.getEnclosingElement().getEnclosedElements().stream().filter(each -> each.getKind() == method.getKind() && each.getSimpleName().equals(method.getSimpleName())).collect(Collectors.toList());
            return same.size() < 2 || same.stream().allMatch(each -> ((ExecutableElement) each).getParameters().stream().allMatch(parameter -> isKnown(parameter.asType(), 0)));
        }

        private boolean isKnown(TypeMirror type, int depth) {
            if (type == null || type.getKind() == TypeKind.ERROR) {
                return false;
            }
            if (type instanceof ArrayType) {
                return isKnown(((ArrayType) type).getComponentType(), depth + 1);
            }
            return depth > 4 || !(type instanceof DeclaredType) || ((DeclaredType) type).getTypeArguments().stream().allMatch(each -> isKnown(each, depth + 1));
        }

        private boolean isCallable(Element element) {
            return element.getKind() == ElementKind.METHOD || element.getKind() == ElementKind.CONSTRUCTOR;
        }

        /** Returns whether a name is one of the source: javac adds {@code super()} to constructors. */
        private boolean isWritten(Tree name) {
            long start = positions.getStartPosition(unit, name);
            return !(name instanceof IdentifierTree) || text(unit).startsWith(((IdentifierTree) name).getName().toString(), (int) start);
        }

        /** Returns whether the current place is in a declaration that the source does not have. */
        private boolean isGenerated() {
            for (TreePath at = getCurrentPath(); at != null; at = at.getParentPath()) {
                Tree tree = at.getLeaf();
                boolean isMethod = tree instanceof MethodTree;
                Element element = isMethod || tree instanceof ClassTree || tree instanceof VariableTree ? trees.getElement(at) : null;
                if (isMethod && isImplicit(at) || element != null && isAdded(at, element)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public Void visitNewClass(NewClassTree node, Void nothing) {
            Element made = trees.getElement(getCurrentPath());
            if (node.getClassBody() != null) {
                made = above(node.getClassBody());
            }
            Tree name = node.getIdentifier();
            Element type = trees.getElement(new TreePath(getCurrentPath(), name));
            boolean isInterface = type != null && (type.getKind() == ElementKind.INTERFACE || type.getKind() == ElementKind.ANNOTATION_TYPE);
            if (!isInterface && made != null && isCallable(made) && areKnown(node.getArguments()) && isSure(made)) {
                print("new", lastName(name), "new", made);
            }
            return super.visitNewClass(node, nothing);
        }

        /** Returns the constructor that the constructor of an anonymous class calls. */
        private Element above(ClassTree body) {
            TreePath at = new TreePath(getCurrentPath(), body);
            for (Tree member : body.getMembers()) {
                if (member instanceof MethodTree && ((MethodTree) member).getName().contentEquals("<init>") && ((MethodTree) member).getBody() != null) {
                    for (StatementTree statement : ((MethodTree) member).getBody().getStatements()) {
                        if (statement instanceof ExpressionStatementTree && ((ExpressionStatementTree) statement).getExpression() instanceof MethodInvocationTree) {
                            Tree called = ((MethodInvocationTree) ((ExpressionStatementTree) statement).getExpression()).getMethodSelect();
                            return trees.getElement(new TreePath(at, called));
                        }
                    }
                }
            }
            return null;
        }

        @Override
        public Void visitMemberReference(MemberReferenceTree node, Void nothing) {
            long end = positions.getEndPosition(unit, node);
            boolean isNew = node.getName().contentEquals("<init>");
            long at = isNew ? lastName(node.getQualifierExpression()) : end - node.getName().length();
            Element method = trees.getElement(getCurrentPath());
            if (method != null && isCallable(method) && !method.getSimpleName().contentEquals("")) {
                print("refers", at, node.getName(), method);
                if (!isNew) {
                    print("use", at, node.getName(), method);
                }
            }
            return super.visitMemberReference(node, nothing);
        }

        @Override
        public Void visitClass(ClassTree node, Void nothing) {
            List<Tree> above = new ArrayList<>(node.getImplementsClause());
            if (node.getExtendsClause() != null) {
                above.add(node.getExtendsClause());
            }
            if (!node.getSimpleName().contentEquals("") && node.getKind() != Tree.Kind.ENUM) {
                String own = placeOf(trees.getElement(getCurrentPath()));
                for (Tree each : above) {
                    if (own != null) {
                        print("heritage", lastName(each), own.replace('\t', ':'), elementOf(each));
                    }
                }
            } else if (node.getKind() == Tree.Kind.ENUM) {
                String own = placeOf(trees.getElement(getCurrentPath()));
                for (Tree each : node.getImplementsClause()) {
                    if (own != null) {
                        print("heritage", lastName(each), own.replace('\t', ':'), elementOf(each));
                    }
                }
            }
            return super.visitClass(node, nothing);
        }

        private void used(long position, CharSequence name) {
            Element element = trees.getElement(getCurrentPath());
            if (element != null && isMember(element)) {
                print("use", position, name, element);
            }
        }

        private boolean isMember(Element element) {
            return element instanceof TypeElement || element.getKind() == ElementKind.METHOD
                    || element.getKind() == ElementKind.FIELD || element.getKind() == ElementKind.ENUM_CONSTANT;
        }

        @Override
        public Void visitIdentifier(IdentifierTree node, Void nothing) {
            String name = node.getName().toString();
            if (!name.equals("this") && !name.equals("super") && isWritten(node)) {
                used(positions.getStartPosition(unit, node), name);
            }
            return super.visitIdentifier(node, nothing);
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree node, Void nothing) {
            String name = node.getIdentifier().toString();
            if (!name.equals("class") && !name.equals("this") && !name.equals("super")) {
                used(positions.getEndPosition(unit, node) - name.length(), name);
            }
            return super.visitMemberSelect(node, nothing);
        }

        @Override
        public Void visitImport(ImportTree node, Void nothing) {
            Tree named = node.getQualifiedIdentifier();
            MemberSelectTree select = (MemberSelectTree) named;
            boolean isOfAll = select.getIdentifier().contentEquals("*");
            if (node.isStatic()) {
                print("import", lastName(select.getExpression()), "static", elementIn(new TreePath(getCurrentPath(), named), select.getExpression()));
            } else if (!isOfAll) {
                print("import", lastName(named), "type", elementOf(named));
            }
            return super.visitImport(node, nothing);
        }
    }
}
