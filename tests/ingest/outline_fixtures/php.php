<?php

declare(strict_types=1);

/*
 * This file is part of the shop.
 */

namespace Shop\Cart;

use Shop\Model\{Item, User as Buyer};
use function Shop\format;
use InvalidArgumentException;

const DEFAULT_LIMIT = 10;
define('SHOP_DEBUG', false);

/**
 * A cart.
 *
 * @template T of Item
 */
#[Entity(table: 'carts')]
abstract class Cart extends Base implements \Countable, \IteratorAggregate
{
    use Loggable, Cacheable {
        log as protected traitLog;
    }

    public const LIMIT = 100, FEWEST = 1;
    private const string SECRET = 'x';

    /** @var array<string, Item> */
    protected array $items = [];
    public static ?self $last, $first = null;

    public function __construct(
        private readonly Buyer $buyer,
        protected int $limit = self::LIMIT,
    ) {
        parent::__construct();
    }

    /**
     * Adds an item.
     */
    #[\Override]
    final public static function add(Item $item, int ...$counts): static
    {
        $log = function () use ($item) {
            return $item;
        };
        $double = fn ($n) => $n * 2;
        return new class($item) extends Cart {
            public function total(): float { return 0.0; }
        };
    }

    abstract protected function total(): float;

    function count(): int { return count($this->items); }
}

interface Priced
{
    const CURRENCY = 'EUR';
    public function price(): float;
}

trait Loggable
{
    private function log(string $text): void
    {
        error_log($text);
    }
}

enum Suit: string implements HasLabel
{
    case Hearts = 'H';
    case Spades = 'S';

    public function label(): string { return ucfirst($this->name); }
}

if (!function_exists('money')) {
    /** Formats money. */
    function money(float $amount): string
    {
        return format($amount);
    }
}

function &refs(array &$list) { return $list; }

$cart = Cart::add(new Item());
echo money(1.0);
return $cart;
