import { bill, makeBilling } from '../../invoice'
import { ConsolePrinter } from '../../domain'

export class LoudPrinter extends ConsolePrinter {
  override print(text: string): void {
    super.print(text.toUpperCase())
  }
}

export function checkout(amount: number): void {
  bill({ amount }, new LoudPrinter())
  makeBilling().settle({ amount })
}
