import type { ProblemDeclaration } from './declaration.ts'

/** 404 for a record that does not exist, one code for each kind of record. */

const nouns = {
  'tag-not-found': 'tag',
  'certificate-not-found': 'mill certificate',
  'order-not-found': 'order',
  'assignment-not-found': 'manual assignment',
  'line-item-not-found': 'line item',
  'plan-not-found': 'production plan',
  'bar-not-found': 'production plan bar',
  'cut-not-found': 'cut',
  'dispatch-not-found': 'dispatch',
  'delivery-not-found': 'delivery',
  'profile-not-found': 'filter profile',
  'webhook-not-found': 'webhook',
  'api-key-not-found': 'API key',
  'member-not-found': 'member',
  'event-not-found': 'event',
  'tile-not-found': 'tile of the log',
  'document-not-found': 'document',
  'import-not-found': 'import',
  'pack-not-found': 'pack',
  'export-not-found': 'export',
  'rule-pack-not-found': 'rule pack',
  'run-not-found': 'run',
  'projection-not-found': 'read model',
} as const

export type MissingRecordCode = keyof typeof nouns

export const recordProblems = Object.fromEntries(
  Object.entries(nouns).map(([code, noun]) => [code, missingRecord(noun)]),
) as unknown as Readonly<Record<MissingRecordCode, ReturnType<typeof missingRecord>>>

/** Return the name of the record in a sentence. */
export function nounOf(code: MissingRecordCode): string {
  return nouns[code]
}

function missingRecord(noun: string) {
  return {
    status: 404,
    title: `The ${noun} does not exist`,
    meaning: `The service has no ${noun} with the id in the path, so nothing was done.`,
    occurs: `No ${noun} ever had this id here, it belongs to another company or account, or it has been deleted for good.`,
    remedy:
      'Check the id and the company in the path. A record that another request has just created is found with Min-Position.',
  } as const satisfies ProblemDeclaration
}
