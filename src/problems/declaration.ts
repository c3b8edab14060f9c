import type { z } from 'zod'

/** The published meaning of one problem code. */
export interface ProblemDeclaration {
  readonly status: number
  /** A short name. It is the same in every answer with this code. */
  readonly title: string
  /** The consequence for the refused request. */
  readonly meaning: string
  /** The circumstances in which the service answers it. */
  readonly occurs: string
  /** The next step of the caller. */
  readonly remedy: string
  /** The members of the answer besides the standard ones. */
  readonly members?: z.ZodObject
}
