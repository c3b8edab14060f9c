/** Find where a text stops being JSON. The engine tells it for some faults only, and quotes the text. */

const token =
  /[ \t\r\n]*(?:("[ !#-[\]-\u{10ffff}]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\u{10ffff}]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([{}[\],:]))/uy

const words = {
  value: 'a value',
  valueOrEnd: 'a value or ]',
  name: 'a name in double quotes',
  nameOrEnd: 'a name in double quotes or }',
  colon: 'a colon',
  end: 'the end of the text',
  '{': 'a comma or }',
  '[': 'a comma or ]',
} as const
type Expected = keyof typeof words
type Container = '{' | '['

/** Say what should be where a text stops being JSON. */
export function faultOfSyntax(text: string): string {
  const open: Container[] = []
  let expected: Expected = 'value'
  token.lastIndex = 0
  for (;;) {
    const start = token.lastIndex
    const [found, name, literal, sign] = token.exec(text) ?? []
    const next: Expected | undefined =
      found === undefined ? undefined : expectAfter(expected, { name, literal, sign }, open)
    if (next === undefined) return `${words[expected]} should be at ${placeOf(text, start)}`
    expected = next
  }
}

type Token = Readonly<Record<'name' | 'literal' | 'sign', string | undefined>>

/** Return what may follow the token; undefined when the token may not be here. */
function expectAfter(
  expected: Expected,
  { name, literal, sign }: Token,
  open: Container[],
): Expected | undefined {
  const afterValue = () => open.at(-1) ?? 'end'
  if (sign === '}' || sign === ']') {
    const [container, empty] = sign === '}' ? (['{', 'nameOrEnd'] as const) : (['[', 'valueOrEnd'] as const)
    if (expected !== container && expected !== empty) return undefined
    open.pop()
    return afterValue()
  }
  switch (expected) {
    case 'value':
    case 'valueOrEnd':
      if (name !== undefined || literal !== undefined) return afterValue()
      if (sign !== '{' && sign !== '[') return undefined
      open.push(sign)
      return sign === '{' ? 'nameOrEnd' : 'valueOrEnd'
    case 'name':
    case 'nameOrEnd':
      return name === undefined ? undefined : 'colon'
    case 'colon':
      return sign === ':' ? 'value' : undefined
    case 'end':
      return undefined
    default:
      if (sign !== ',') return undefined
      return expected === '{' ? 'name' : 'value'
  }
}

/** Return the place of the first character from here on that is no white space. */
function placeOf(text: string, start: number): string {
  const blank = /[ \t\r\n]*/y
  blank.lastIndex = start
  blank.test(text)
  const lines = text.slice(0, blank.lastIndex).split('\n')
  return `line ${lines.length}, column ${lines.at(-1)!.length + 1}`
}
