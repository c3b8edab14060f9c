/** Whether a subscriber wants events of a type. */
export type Filter = (type: string) => boolean

/**
 * Turn the filter of a request into a test; without one, every type is wanted. Regular expressions are JavaScript's;
 * .NET's that mean the same in both work.
 * @throws SyntaxError when the filter is not a regular expression
 */
export function compileFilter(regex: string | undefined): Filter {
  if (regex === undefined) return () => true
  const expression = new RegExp(regex)
  return (type) => expression.test(type)
}
