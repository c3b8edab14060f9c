/**
 * Return the function with a memory for the inputs that come again and again, bounded to this many of them. The key holds
 * every part of the input that counts.
 */
export function remember<Input extends readonly unknown[], Output>(
  most: number,
  keyOf: (...input: Input) => readonly unknown[],
  compute: (...input: Input) => Output,
): (...input: Input) => Output {
  const before = new Map<string, Output>()
  return (...input) => {
    const key = JSON.stringify(keyOf(...input))
    if (before.has(key)) return before.get(key) as Output
    const output = compute(...input)
    if (before.size >= most) before.clear()
    before.set(key, output)
    return output
  }
}
