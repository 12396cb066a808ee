import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassVisitor;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Opcodes;

/**
 * An agent that records which methods of a repository make which statements of SQL. `java_statements.py` builds and runs it.
 *
 * <p>Every method of a JDBC driver that takes the text of a statement begins with a call of {@link #record}. The property
 * `statement.record` names the file, which gets a line of JSON for each pair: the statement, and the path, the line and the name of
 * the nearest method of the repository on the stack. Aspects are around calls of other methods, so they do not count. A library may
 * implement an interface of the repository with a proxy. Then the site is the method of the interface, or the interface if it inherits
 * the method from another one, with the line 0. A class that Spring derives from a class of the repository, such as one with
 * transactions, writes changed rows after the method has returned. Then the site is the method, with the line 0. Statements of an
 * automatic flush of Hibernate before a query do not count: other code has changed the rows, and the query only happens to come next.
 */
public final class StatementRecorder {
  private static final Set<String> INTERFACES =
      Set.of("java/sql/Connection", "java/sql/Statement", "java/sql/PreparedStatement", "java/sql/CallableStatement");
  private static final Set<String> METHODS =
      Set.of("prepareStatement", "prepareCall", "execute", "executeQuery", "executeUpdate", "executeLargeUpdate", "addBatch");
  private static final String AUTOMATIC_FLUSH = "org.hibernate.event.internal.DefaultAutoFlushEventListener";
  private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
  private static final Map<String, String> PATHS = new HashMap<>();
  private static final Map<String, Integer> LENGTHS = new HashMap<>();
  private static final Set<String> SEEN = new HashSet<>();
  private static Path target;

  private StatementRecorder() {}

  /** Read where the classes of the repository are, and change the classes of drivers. */
  public static void premain(String arguments, Instrumentation instrumentation) throws IOException {
    Path root = Path.of(System.getProperty("statement.root"));
    target = Path.of(System.getProperty("statement.record"));
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files.filter(each -> each.toString().matches(".*\\.(java|kt)"))::iterator) {
        String path = root.relativize(file).toString();
        if (path.endsWith(".kt")) {
          PATHS.put(packageOf(file) + "/" + file.getFileName(), path);
          LENGTHS.put(path, Files.readAllLines(file).size());
          continue;
        }
        int start = path.lastIndexOf("/java/");
        PATHS.put(path.substring(start < 0 ? 0 : start + 6, path.length() - 5).replace('/', '.'), path);
      }
    }
    instrumentation.addTransformer(new Transformer());
  }

  /** Return the package of a file in Kotlin, whose folder need not have the name of the package. */
  private static String packageOf(Path file) throws IOException {
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("package ")) return line.substring(8).strip();
    }
    return "";
  }

  /** Record a statement and the method that makes it. */
  public static void record(String statement) {
    Optional<String> site = STACK.walk(frames -> frames.map(StatementRecorder::site).flatMap(Optional::stream).findFirst());
    if (statement == null || site.isEmpty() || isAutomatic()) return;
    String line = String.format("[%s, %s]\n", quoted(statement), site.get());
    synchronized (SEEN) {
      if (!SEEN.add(line)) return;
      try {
        Files.writeString(target, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
    }
  }

  /** Return whether Hibernate writes changed rows before a query. */
  private static boolean isAutomatic() {
    return STACK.walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(AUTOMATIC_FLUSH)));
  }

  private static Optional<String> site(StackWalker.StackFrame frame) {
    Class<?> declaring = frame.getDeclaringClass();
    if (Proxy.isProxyClass(declaring)) return ofProxy(declaring, frame.getMethodName());
    String path = PATHS.get(topLevel(frame.getClassName()));
    if (path == null) path = PATHS.get(declaring.getPackageName() + "/" + frame.getFileName());
    if (path == null) return Optional.empty();
    if (frame.getClassName().contains("$$")) return ofDerived(declaring.getSuperclass(), frame.getMethodName(), path);
    if (frame.getLineNumber() < 1) return Optional.empty();
    for (Annotation each : declaring.getAnnotations()) {
      if (each.annotationType().getName().equals("org.aspectj.lang.annotation.Aspect")) return Optional.empty();
    }
    if (frame.getLineNumber() > LENGTHS.getOrDefault(path, Integer.MAX_VALUE)) {
      // Code of an inline function of Kotlin has lines behind the end of the file.
      String own = topLevel(frame.getClassName()).substring(declaring.getPackageName().length()).replaceFirst("^\\.", "");
      String name = topLevel(frame.getMethodName());
      return Optional.of(String.format("[%s, 0, %s]", quoted(path), quoted(own.endsWith("Kt") ? name : own + "." + name)));
    }
    return Optional.of(String.format("[%s, %d, %s]", quoted(path), frame.getLineNumber(), quoted(frame.getMethodName())));
  }

  private static Optional<String> ofProxy(Class<?> proxy, String name) {
    for (Class<?> each : proxy.getInterfaces()) {
      String path = PATHS.get(topLevel(each.getName()));
      if (path == null) continue;
      String own = each.getName().substring(each.getName().lastIndexOf('.') + 1).replace('$', '.');
      for (Method method : each.getMethods()) {
        if (!method.getName().equals(name) || method.isDefault()) continue;
        boolean isOwn = method.getDeclaringClass() == each;
        if (!isOwn && !PATHS.containsKey(topLevel(method.getDeclaringClass().getName()))) continue;
        return Optional.of(String.format("[%s, 0, %s]", quoted(path), quoted(isOwn ? own + "." + name : own)));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> ofDerived(Class<?> base, String name, String path) {
    String own = base.getName().substring(base.getName().lastIndexOf('.') + 1).replace('$', '.');
    boolean isOwn = Stream.of(base.getDeclaredMethods()).anyMatch(method -> method.getName().equals(name));
    return isOwn ? Optional.of(String.format("[%s, 0, %s]", quoted(path), quoted(own + "." + name))) : Optional.empty();
  }

  private static String topLevel(String name) {
    int end = name.indexOf('$');
    return end < 0 ? name : name.substring(0, end);
  }

  private static String quoted(String text) {
    StringBuilder result = new StringBuilder("\"");
    for (char each : text.toCharArray()) {
      if (each == '"' || each == '\\') result.append('\\').append(each);
      else if (each < ' ') result.append(String.format("\\u%04x", (int) each));
      else result.append(each);
    }
    return result.append('"').toString();
  }

  private static final class Transformer implements ClassFileTransformer {
    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] bytes) {
      if (loader == null) return null;
      ClassReader reader = new ClassReader(bytes);
      if (Stream.of(reader.getInterfaces()).noneMatch(INTERFACES::contains)) return null;
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      reader.accept(new Recording(writer), 0);
      return writer.toByteArray();
    }
  }

  private static final class Recording extends ClassVisitor {
    Recording(ClassVisitor next) {
      super(Opcodes.ASM8, next);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
      boolean takesText = METHODS.contains(name) && descriptor.startsWith("(Ljava/lang/String;");
      if (!takesText || (access & (Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT)) != 0) return method;
      return new MethodVisitor(Opcodes.ASM8, method) {
        @Override
        public void visitCode() {
          super.visitCode();
          visitVarInsn(Opcodes.ALOAD, 1);
          visitMethodInsn(Opcodes.INVOKESTATIC, "StatementRecorder", "record", "(Ljava/lang/String;)V", false);
        }
      };
    }
  }
}
