import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  type ParseErrorCode,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import type { en } from '../../texts/en.ts'

/** The text of a rule pack that somebody writes: JSON, in which each fault has a place. */

type TextName = keyof typeof en

export interface Place {
  /** The characters before it. */
  readonly offset: number
  /** From 1. */
  readonly line: number
  readonly column: number
}

interface SyntaxFault extends Place {
  readonly text: TextName
}

export interface ReadText {
  /** The document; undefined for a text that is not JSON. */
  readonly document: unknown
  /** At most one for each line. */
  readonly faults: readonly SyntaxFault[]
}

/** Read the text of a pack, with all faults of its syntax. */
export function readPackText(text: string): ReadText {
  const errors: ParseError[] = []
  parseTree(text, errors, { disallowComments: true })
  const faults = errors.map(({ error, offset }) => ({ ...placeAt(text, offset), text: textOf(error) }))
  const ofLine = new Map(faults.toReversed().map((fault) => [fault.line, fault]))
  if (faults.length > 0) return { document: undefined, faults: [...ofLine.values()].toReversed() }
  return { document: JSON.parse(text), faults: [] }
}

const syntaxTexts: Readonly<Record<string, TextName>> = {
  PropertyNameExpected: 'jsonNameExpected',
  ValueExpected: 'jsonValueExpected',
  ColonExpected: 'jsonColonExpected',
  CommaExpected: 'jsonCommaExpected',
  CloseBraceExpected: 'jsonBraceExpected',
  CloseBracketExpected: 'jsonBracketExpected',
  EndOfFileExpected: 'jsonEndExpected',
  UnexpectedEndOfString: 'jsonQuoteExpected',
  InvalidCommentToken: 'jsonComment',
}

function textOf(error: ParseErrorCode): TextName {
  return syntaxTexts[printParseErrorCode(error)] ?? 'jsonInvalid'
}

/** A fault of a document as the service names it. */
interface DocumentFault {
  /** A URI fragment, such as `#/rules/0/when`. */
  readonly pointer?: string
  readonly message: string
  /** The place in an expression, from 1. */
  readonly line?: number
  readonly column?: number
}

/**
 * Find a fault of the document in its text: the member that the pointer names, or the nearest one around it, and in an
 * expression the character. A rule with `each` has no such character, because its words are filled in first.
 */
export function placeOf(text: string, { pointer = '#', line, column }: DocumentFault): Place {
  const root = parseTree(text)
  if (!root) return placeAt(text, 0)
  const node = nodeAt(root, stepsOf(pointer))
  if (line === undefined || column === undefined || node.type !== 'string' || hasWords(node))
    return placeAt(text, node.offset)
  const before = (node.value as string).split('\n').slice(0, line - 1)
  const index = before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1
  return placeAt(text, node.offset + 1 + lengthInText(text.slice(node.offset + 1), index))
}

/** Whether the line and column of a fault refer to an expression after its words are filled in. */
export function isOfFilledIn(text: string, { pointer = '#', line }: DocumentFault): boolean {
  const root = parseTree(text)
  return line !== undefined && root !== undefined && hasWords(nodeAt(root, stepsOf(pointer)))
}

function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
}

function nodeAt(root: Node, steps: readonly string[]): Node {
  let node = root
  for (const step of steps) {
    const next = findNodeAtLocation(node, [node.type === 'array' ? Number(step) : step])
    if (!next) return node
    node = next
  }
  return node
}

/** Whether the node is a member of a rule with `each`. */
function hasWords({ parent }: Node): boolean {
  const rule = parent?.type === 'property' ? parent.parent : undefined
  return rule !== undefined && findNodeAtLocation(rule, ['each']) !== undefined
}

/** Return how many characters of JSON the first ones of a string take. */
function lengthInText(text: string, characters: number): number {
  let length = 0
  for (let index = 0; index < characters && length < text.length; index++)
    length += text[length] !== '\\' ? 1 : text[length + 1] === 'u' ? 6 : 2
  return length
}

function placeAt(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split('\n')
  return { offset, line: lines.length, column: lines.at(-1)!.length + 1 }
}
