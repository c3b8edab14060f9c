/** The kinds of faults that a request may have, each with its meaning. Kinds are only ever added. */
export const faultMeanings = {
  required: 'The member or parameter is missing.',
  'unknown-member': 'The body may not have this member.',
  'unknown-parameter': 'The operation has no such parameter.',
  'repeated-parameter': 'The parameter was sent more than once.',
  'wrong-type': 'The value has another JSON type.',
  'wrong-format': 'The text is not written as expected, for example not as a UUID, date or cursor.',
  'not-one-of': 'The value is none of the listed ones.',
  'out-of-bounds': 'A number, a length, a count or the depth is too small or too large.',
  'not-storable': 'The text has NUL or an unpaired surrogate, which cannot be stored.',
  'not-unique': 'Another part of the request has the same value.',
  'unknown-record': 'The value names a record that does not exist in the company.',
  'deleted-record': 'The value names a record that is soft-deleted.',
  'voided-record': 'The value names a mill certificate that is voided.',
  'wrong-status': 'The value names a record whose present status does not allow this.',
  'faulty-expression': 'The expression of a rule pack has a fault of syntax, of types or of names.',
  'too-costly': 'An evaluation of the expression, or of the whole rule pack, may take too many steps.',
  'not-the-content': 'The value does not describe the content of the request.',
  unconfirmed: 'The value was read with doubt, and a person must confirm or correct it.',
  'not-public': 'The address leads to a network that the operator has not allowed.',
  unchangeable: 'The value differs from that of the record, and can never change.',
} as const

export type FaultCode = keyof typeof faultMeanings

export const faultCodes = Object.keys(faultMeanings) as readonly FaultCode[]

/** The reasons for which no record can be read from a file. */
export const unreadableReasons = [
  'damaged',
  'encrypted',
  'too-large',
  'no-headings',
  'no-rows',
  'no-text',
  'other-kind',
  'no-scan-reader',
] as const
export type UnreadableReason = (typeof unreadableReasons)[number]
