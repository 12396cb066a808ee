export interface Price {
  amount: number
}

export function tax(price: Price): number {
  return price.amount / 5
}

export interface Printer {
  print(text: string): void
}

export class ConsolePrinter implements Printer {
  print(text: string): void {
    emit(text)
  }
}

export class FilePrinter implements Printer {
  print(text: string): void {
    void text
  }
}

export function emit(text: string): void {
  void text
}

export function lonely(): void {}

export const rate = 5
