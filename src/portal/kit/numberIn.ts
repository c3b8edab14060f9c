interface Bounds {
  readonly least: number
  readonly most: number
}

/**
 * Return the number in a text. A text that is none stays a text, and so does one that may mean two numbers within the
 * bounds, such as `12.000` of a length: the service refuses it, and the field shows why. Null would record no value.
 */
export function numberIn(typed: string, bounds?: Bounds): number {
  const text = typed.trim()
  if (!/^[+-]?\d+(?:[.,]\d*)?$/.test(text)) return text as unknown as number
  const withDecimals = Number(text.replace(',', '.'))
  if (!/^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) return withDecimals
  const readings = [withDecimals, Number(text.replace(/[.,]/, ''))]
  const possible = readings.filter((one) => bounds && one >= bounds.least && one <= bounds.most)
  return possible.length === 1 ? possible[0]! : (text as unknown as number)
}
