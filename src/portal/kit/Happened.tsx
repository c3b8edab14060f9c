import { toldIn } from '../../domain/verdict/sentence.ts'
import type { AuditEntry } from '../api/generated.ts'
import { useTexts } from '../texts/texts.ts'

/** Says what happened, in a sentence. */
export function Happened(entry: Pick<AuditEntry, 'message' | 'sentence'>) {
  return <>{toldIn(useTexts().language, entry)}</>
}
