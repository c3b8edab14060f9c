import { normalise } from '../domain/identifiers.ts'
import type { TextParameter } from './reading/filters.ts'

/** Texts that are found however they are spelled. */

/** The parameter of an identifying number. */
export const numberParameter: TextParameter = {
  kind: 'text',
  most: 50,
  read: normalise,
  otherwise: 'must not be only white space',
}
