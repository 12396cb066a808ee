package com.bank
package ledger

import scala.concurrent.{ExecutionContext, Future}
import cats.syntax.all._

/** An amount of money.
  *
  * Never negative.
  */
final case class Money(amount: BigDecimal, currency: String = "EUR") extends Ordered[Money] {
  require(amount >= 0)

  def +(other: Money): Money = copy(amount + other.amount)

  def compare(that: Money): Int = amount.compare(that.amount)

  def this(text: String) = this(BigDecimal(text))
}

object Money {
  val Zero = Money(0)
  implicit val ordering: Ordering[Money] = Ordering.by(_.amount)

  /** Reads one. */
  def parse(text: String): Either[String, Money] = {
    def clean(s: String) = s.trim
    val digits = clean(text)
    Right(Money(BigDecimal(digits)))
  }

  def unapply(text: String): Option[Money] =
    parse(text).toOption
}

sealed trait Entry {
  def amount: Money
  protected val id: Long
  lazy val hash: Int = amount.hashCode
  type Key <: AnyRef
}

case object Opening extends Entry

abstract class Ledger[F[_]: Monad](private val store: Store[F])(implicit ec: ExecutionContext)
    extends Service
    with Logging {

  private[ledger] var entries: List[Entry] = Nil

  @throws[LedgerError]
  override def append(
      entry: Entry,
      note: Option[String]
  ): F[Unit] = {
    store.put(entry)
  }

  def close(): Unit

  class Cursor {
    def next(): Entry = ???
  }
}

enum Color(val rgb: Int):
  case Red extends Color(0xff0000)
  case Green, Blue

given intOrd: Ordering[Int] with
  def compare(x: Int, y: Int): Int = x - y

extension (m: Money)
  def isZero: Boolean = m.amount == 0

package object util {
  type Id = String
  implicit class RichInt(n: Int) { def euros: Money = Money(n) }
}
