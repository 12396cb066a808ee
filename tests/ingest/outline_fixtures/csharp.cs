#region usings
using System;
using System.Collections.Generic;
using static System.Math;
using Json = System.Text.Json.JsonSerializer;
#endregion

[assembly: InternalsVisibleTo("Shop.Tests")]

namespace Shop.Orders
{
    /// <summary>
    /// An order of a <see cref="User"/>.
    /// </summary>
    [Serializable]
    public abstract partial class Order<T> : Entity, IComparable<Order<T>>
        where T : Item, new()
    {
        public const int Limit = 10, Fewest = 1;
        private readonly List<T> _items = new();

        public event EventHandler<OrderArgs>? Changed;

        /// <summary>How many.</summary>
        public int Count => _items.Count;

        public string Name { get; init; } = "none";

        protected internal decimal Total
        {
            get { return _total; }
            private set { _total = value; }
        }

        public T this[int index] => _items[index];

        static Order() { }

        public Order(string name) : base(name)
        {
            Name = name;
        }

        ~Order() { Dispose(); }

        [Obsolete("use Add")]
        [return: NotNull]
        public async Task<bool> AddAsync<TItem>(
            TItem item,
            CancellationToken token = default) where TItem : T
        {
            bool Check(TItem it) => it != null;
            Action log = () => { Console.WriteLine(item); };
            return Check(item);
        }

        public abstract void Clear();

        public static Order<T> operator +(Order<T> a, T b) => a;

        public static implicit operator int(Order<T> order) => order.Count;

        void IDisposable.Dispose() { }

        private sealed record Line(T Item, int Count);

#if NET8_0
        public void Modern() { }
#else
        public void Legacy() { }
#endif
    }

    internal enum State : byte
    {
        // Nothing yet.
        New,
        [Description("sent")]
        Sent = 2,
    }

    public interface IStore
    {
        int Size { get; }
        Task SaveAsync(Order<Item> order);
    }

    public delegate void OrderHandler(object sender, OrderArgs args);

    public readonly record struct Money(decimal Amount, string Currency);

    public static class Extensions
    {
        public static bool IsEmpty(this string text) => text.Length == 0;
    }
}
