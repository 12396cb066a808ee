import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints what packages of the JDK that runs this program declare for others, one file for each package.
 *
 * <p>A file has the types of its package with their type parameters, supertypes, fields, constructors and methods. Parameters
 * have no names of their own. Names of types of other packages are imported, as code imports them.
 *
 * <p>Usage: {@code java JavaDeclarations.java FOLDER PACKAGE...}
 */
public final class JavaDeclarations {
    private static final String LANG = "java.lang";
    /** The types that the language has without a class. */
    private static final String LANGUAGE = Stream.of("int", "long", "boolean", "void", "double", "float", "char", "byte", "short")
                    .map(each -> "class $" + each + " {}\n")
                    .collect(Collectors.joining())
            + "final class $array<T> implements Cloneable, java.io.Serializable {\n\tint length;\n\t$array<T> clone();\n}\n";

    private final Set<String> packages;
    /** Simple names that mean a type of another package in the file that is written, with the names of their types. */
    private TreeMap<String, String> imports = new TreeMap<>();
    private Set<String> own = new TreeSet<>();
    private String at = "";
    private StringBuilder out = new StringBuilder();

    private JavaDeclarations(Set<String> packages) {
        this.packages = packages;
    }

    public static void main(String[] arguments) throws IOException {
        List<String> names = Arrays.asList(arguments).subList(1, arguments.length);
        JavaDeclarations declarations = new JavaDeclarations(new TreeSet<>(names));
        for (String name : names) {
            Path path = Path.of(arguments[0], name + ".stub");
            Files.writeString(path, declarations.of(name));
        }
    }

    private String of(String name) throws IOException {
        List<Class<?>> types = topTypes(name);
        imports = new TreeMap<>();
        out = new StringBuilder();
        at = name;
        own = types.stream().map(Class::getSimpleName).collect(Collectors.toCollection(TreeSet::new));
        for (Class<?> type : types) {
            type(type, "");
        }
        if (name.equals(LANG)) {
            out.append(LANGUAGE);
        }
        String body = out.toString();
        String head = imports.values().stream().map(each -> "import " + each + ";\n").collect(Collectors.joining());
        return "package " + name + ";\n" + head + body;
    }

    /** Returns the public types of a package, with the classes that one of these extends without their being public. */
    private List<Class<?>> topTypes(String name) throws IOException {
        TreeMap<String, Class<?>> found = new TreeMap<>();
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules");
        try (Stream<Path> listed = Files.list(modules)) {
            for (Path module : listed.collect(Collectors.toList())) {
                Path folder = module.resolve(name.replace('.', '/'));
                if (!Files.isDirectory(folder)) {
                    continue;
                }
                try (Stream<Path> files = Files.list(folder)) {
                    for (Path file : files.collect(Collectors.toList())) {
                        String text = file.getFileName().toString();
                        if (text.endsWith(".class") && !text.contains("$") && !text.contains("-")) {
                            add(found, load(name + "." + text.substring(0, text.length() - 6)), name);
                        }
                    }
                }
            }
        }
        return new ArrayList<>(found.values());
    }

    private void add(TreeMap<String, Class<?>> found, Class<?> type, String name) {
        if (type == null || !Modifier.isPublic(type.getModifiers())) {
            return;
        }
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (each.getPackageName().equals(name) && each.getEnclosingClass() == null) {
                found.put(each.getSimpleName(), each);
            }
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException problem) {
            return null;
        }
    }

    private static boolean isSeen(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    // ------------------------------------------------------------------ types

    private void type(Class<?> type, String indent) {
        String kind = type.isAnnotation() ? "@interface " : type.isInterface() ? "interface " : type.isEnum() ? "enum " : "class ";
        String modifiers = type.getEnclosingClass() != null && Modifier.isStatic(type.getModifiers()) && !type.isInterface() ? "static " : "";
        if (Modifier.isFinal(type.getModifiers()) && !type.isEnum()) {
            modifiers += "final ";
        } else if (Modifier.isAbstract(type.getModifiers()) && !type.isInterface() && !type.isEnum()) {
            modifiers += "abstract ";
        }
        out.append(indent).append(modifiers).append(kind).append(type.getSimpleName()).append(parameters(type.getTypeParameters()));
        if (!type.isAnnotation()) {
            heritage(type);
        }
        out.append(" {\n");
        String inner = indent + "\t";
        if (type.isEnum()) {
            String constants = Arrays.stream(type.getFields()).filter(Field::isEnumConstant).map(Field::getName).collect(Collectors.joining(", "));
            out.append(inner).append(constants).append(";\n");
        }
        fields(type, inner);
        Arrays.stream(type.getDeclaredConstructors())
                .filter(each -> isSeen(each.getModifiers()) && !each.isSynthetic() && !type.isEnum())
                .map(each -> constructor(type, each))
                .sorted()
                .forEach(each -> out.append(inner).append(each));
        Arrays.stream(type.getDeclaredMethods())
                .filter(each -> isSeen(each.getModifiers()) && !each.isSynthetic() && !isOfEnum(type, each))
                .map(each -> method(type, each))
                .sorted()
                .forEach(each -> out.append(inner).append(each));
        Arrays.stream(type.getDeclaredClasses())
                .filter(each -> isSeen(each.getModifiers()))
                .sorted(Comparator.comparing(Class::getSimpleName))
                .forEach(each -> type(each, inner));
        out.append(indent).append("}\n");
    }

    private static boolean isOfEnum(Class<?> type, Method method) {
        return type.isEnum() && (method.getName().equals("values") || method.getName().equals("valueOf"));
    }

    private void heritage(Class<?> type) {
        Type above = type.getGenericSuperclass();
        if (above != null && !type.isEnum() && isKnown(above) && above != Object.class) {
            out.append(" extends ").append(text(above));
        }
        String interfaces = Arrays.stream(type.getGenericInterfaces()).filter(this::isKnown).map(this::text).collect(Collectors.joining(", "));
        if (!interfaces.isEmpty()) {
            out.append(type.isInterface() ? " extends " : " implements ").append(interfaces);
        }
    }

    private boolean isKnown(Type type) {
        Class<?> raw = (Class<?>) (type instanceof ParameterizedType ? ((ParameterizedType) type).getRawType() : type);
        return packages.contains(raw.getPackageName());
    }

    private void fields(Class<?> type, String indent) {
        Arrays.stream(type.getDeclaredFields())
                .filter(each -> isSeen(each.getModifiers()) && !each.isSynthetic() && !each.isEnumConstant())
                .map(each -> (Modifier.isStatic(each.getModifiers()) ? "static " : "") + text(each.getGenericType()) + " " + each.getName() + ";\n")
                .sorted()
                .forEach(each -> out.append(indent).append(each));
    }

    // ------------------------------------------------------------------ methods

    private String constructor(Class<?> type, Constructor<?> made) {
        return access(type, made.getModifiers()) + before(made.getTypeParameters()) + type.getSimpleName() + arguments(made) + " {}\n";
    }

    private String method(Class<?> type, Method method) {
        String modifiers = method.isDefault() ? "default " : Modifier.isStatic(method.getModifiers()) ? "static " : "";
        if (!type.isInterface() && Modifier.isAbstract(method.getModifiers())) {
            modifiers = "abstract ";
        }
        String result = text(method.getGenericReturnType());
        return access(type, method.getModifiers()) + modifiers + before(method.getTypeParameters()) + result + " " + method.getName() + arguments(method) + ";\n";
    }

    private static String access(Class<?> type, int modifiers) {
        return Modifier.isProtected(modifiers) ? "protected " : "";
    }

    private String before(TypeVariable<?>[] variables) {
        return variables.length == 0 ? "" : parameters(variables) + " ";
    }

    private String arguments(Executable method) {
        Type[] types = method.getGenericParameterTypes();
        List<String> written = new ArrayList<>();
        for (int place = 0; place < types.length; place++) {
            String type = text(types[place]);
            if (method.isVarArgs() && place == types.length - 1) {
                type = type.substring(0, type.length() - 2) + "...";
            }
            written.add(type + " " + (char) ('a' + place % 26) + (place < 26 ? "" : "2"));
        }
        return "(" + String.join(", ", written) + ")";
    }

    // ------------------------------------------------------------------ text

    private String parameters(TypeVariable<?>[] variables) {
        if (variables.length == 0) {
            return "";
        }
        return Arrays.stream(variables).map(this::bounded).collect(Collectors.joining(", ", "<", ">"));
    }

    private String bounded(TypeVariable<?> variable) {
        List<Type> bounds = Arrays.stream(variable.getBounds()).filter(each -> each != Object.class || variable.getBounds().length > 1).collect(Collectors.toList());
        if (bounds.isEmpty()) {
            return variable.getName();
        }
        return variable.getName() + " extends " + bounds.stream().map(this::text).collect(Collectors.joining(" & "));
    }

    private String text(Type type) {
        if (type instanceof Class<?>) {
            Class<?> raw = (Class<?>) type;
            return raw.isArray() ? text(raw.getComponentType()) + "[]" : raw.isPrimitive() ? raw.getName() : name(raw);
        }
        if (type instanceof GenericArrayType) {
            return text(((GenericArrayType) type).getGenericComponentType()) + "[]";
        }
        if (type instanceof TypeVariable<?>) {
            return ((TypeVariable<?>) type).getName();
        }
        if (type instanceof WildcardType) {
            WildcardType wildcard = (WildcardType) type;
            if (wildcard.getLowerBounds().length > 0) {
                return "? super " + text(wildcard.getLowerBounds()[0]);
            }
            return wildcard.getUpperBounds()[0] == Object.class ? "?" : "? extends " + text(wildcard.getUpperBounds()[0]);
        }
        ParameterizedType generic = (ParameterizedType) type;
        String inside = Arrays.stream(generic.getActualTypeArguments()).map(this::text).collect(Collectors.joining(", ", "<", ">"));
        return name((Class<?>) generic.getRawType()) + (generic.getActualTypeArguments().length == 0 ? "" : inside);
    }

    /** Returns the name of a class as the file writes it, and imports the class if it is of another package. */
    private String name(Class<?> type) {
        Class<?> top = type;
        while (top.getEnclosingClass() != null) {
            top = top.getEnclosingClass();
        }
        String inner = type.getName().substring(top.getName().length()).replace('$', '.');
        if (top.getPackageName().equals(at) || (top.getPackageName().equals(LANG) && !own.contains(top.getSimpleName()))) {
            return top.getSimpleName() + inner;
        }
        if (own.contains(top.getSimpleName()) || !top.getName().equals(imports.getOrDefault(top.getSimpleName(), top.getName()))) {
            return top.getName() + inner;
        }
        imports.put(top.getSimpleName(), top.getName());
        return top.getSimpleName() + inner;
    }
}
