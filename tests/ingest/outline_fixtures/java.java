/* Licence: none. */
package com.shop.cart;

import static java.util.Objects.requireNonNull;
import java.util.*;
import java.util.function.Supplier;

/**
 * A cart of a {@link User}.
 *
 * @param <T> what it holds
 */
@Entity
@Table(name = "carts")
public abstract class Cart<T extends Item & Comparable<T>> extends Base implements Iterable<T> {
    public static final int LIMIT = 100, FEWEST = 1;
    private final Map<String, List<T>> items = new HashMap<>();
    protected Supplier<T> maker = () -> {
        return null;
    };

    static {
        register(Cart.class);
    }

    /** Makes an empty one. */
    public Cart() {
        this(LIMIT);
    }

    protected Cart(int limit) { }

    // Adds an item.
    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    public <R extends T> Optional<R> add(
            final R item,
            int... counts) throws IOException, CartException {
        Runnable log = new Runnable() {
            @Override
            public void run() { System.out.println(item); }
        };
        class Local { void inner() { } }
        return Optional.of(item);
    }

    abstract void clear();

    int[] sizes() { return new int[0]; }

    private static class Node<E> {
        E value;
    }

    enum State implements Named {
        /** Nothing in it. */
        EMPTY("e") {
            @Override
            public String label() { return "empty"; }
        },
        FULL("f");

        private final String code;

        State(String code) { this.code = code; }

        public String label() { return code; }
    }

    interface Visitor<R> {
        R visit(Cart<?> cart);
        default void done() { }
        int DEPTH = 3;
    }

    @interface Audited {
        String value() default "";
    }
}

record Point(int x, int y) implements Shape {
    Point {
        if (x < 0) throw new IllegalArgumentException();
    }

    static Point origin() { return new Point(0, 0); }
}
