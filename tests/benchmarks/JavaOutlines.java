import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Prints what the Java files below a folder declare, as JSON: for each file a list of [name, first line, last line, code].
 *
 * <p>Members have the name of their type before theirs, and constructors the name of their class. The code is what javac writes
 * of its syntax tree, without comments; the code of a type is without its members. A file with errors has no list.
 *
 * <p>Usage: {@code java JavaOutlines.java ROOT OUTPUT}
 */
public final class JavaOutlines {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<String> rows = new ArrayList<>();

    private JavaOutlines(CompilationUnitTree unit, Trees trees) {
        this.unit = unit;
        this.positions = trees.getSourcePositions();
    }

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        List<String> files = new ArrayList<>();
        try (var found = Files.walk(root);
                StandardJavaFileManager manager = compiler.getStandardFileManager(problems, null, StandardCharsets.UTF_8)) {
            List<Path> paths = found.filter(path -> path.toString().endsWith(".java")).collect(Collectors.toList());
            List<String> options = List.of("-proc:none");
            JavacTask task =
                    (JavacTask) compiler.getTask(null, manager, problems, options, null, manager.getJavaFileObjectsFromPaths(paths));
            Trees trees = Trees.instance(task);
            List<JavaOutlines> outlines = new ArrayList<>();
            for (CompilationUnitTree unit : task.parse()) {
                JavaOutlines outline = new JavaOutlines(unit, trees);
                unit.getTypeDecls().forEach(each -> outline.member("", each));
                outlines.add(outline);
            }
            Set<JavaFileObject> wrong = new HashSet<>();
            for (Diagnostic<? extends JavaFileObject> problem : problems.getDiagnostics()) {
                if (problem.getKind() == Diagnostic.Kind.ERROR) {
                    wrong.add(problem.getSource());
                }
            }
            for (JavaOutlines outline : outlines) {
                if (!wrong.contains(outline.unit.getSourceFile())) {
                    Path path = root.relativize(Path.of(outline.unit.getSourceFile().toUri()));
                    files.add(quoted(path.toString()) + ":[" + String.join(",", outline.rows) + "]");
                }
            }
        }
        try (PrintWriter out = new PrintWriter(arguments[1], StandardCharsets.UTF_8)) {
            out.println("{" + String.join(",\n", files) + "}");
        }
    }

    private void member(String outer, Tree tree) {
        if (tree instanceof ClassTree) {
            type(outer, (ClassTree) tree);
        } else if (tree instanceof MethodTree) {
            String name = ((MethodTree) tree).getName().toString();
            String type = outer.substring(outer.lastIndexOf('.', outer.length() - 2) + 1, outer.length() - 1);
            add(outer + (name.equals("<init>") ? type : name), tree, tree.toString());
        } else if (tree instanceof VariableTree) {
            add(outer + ((VariableTree) tree).getName(), tree, tree.toString());
        }
    }

    private void type(String outer, ClassTree tree) {
        String name = outer + tree.getSimpleName();
        StringBuilder code = new StringBuilder();
        code.append(tree.getKind()).append(tree.getModifiers()).append(tree.getSimpleName()).append(tree.getTypeParameters());
        code.append(tree.getExtendsClause()).append(tree.getImplementsClause()).append(tree.getPermitsClause());
        for (Tree member : tree.getMembers()) {
            if (member instanceof ClassTree || member instanceof MethodTree || member instanceof VariableTree) {
                member(name + ".", member);
            } else {
                code.append(member);
            }
        }
        add(name, tree, code.toString());
    }

    private void add(String name, Tree tree, String code) {
        LineMap lines = unit.getLineMap();
        long end = positions.getEndPosition(unit, tree);
        long start = positions.getStartPosition(unit, tree);
        long last = lines.getLineNumber(end < 0 ? start : end);
        rows.add("[" + quoted(name) + "," + lines.getLineNumber(start) + "," + last + "," + quoted(code) + "]");
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char each : text.toCharArray()) {
            if (each == '"' || each == '\\') {
                out.append('\\').append(each);
            } else if (each < ' ' || each > '~') {
                out.append(String.format("\\u%04x", (int) each));
            } else {
                out.append(each);
            }
        }
        return out.append('"').toString();
    }
}
