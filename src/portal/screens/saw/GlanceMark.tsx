import { type VerdictWord, wordsFromWorst } from '../../../domain/verdict/verdictWord.ts'
import { Mark, type Tone } from '../../kit/Chip.tsx'
import { verdictTones } from '../../kit/Verdict.tsx'
import { type TextName, useTexts } from '../../texts/texts.ts'
import type { Glance } from './glance.ts'

/** The state of a bar at the saw, in words and colour. */

const wordTexts = Object.fromEntries(wordsFromWorst.map((word) => [word, word])) as Record<
  VerdictWord,
  VerdictWord
>

export const glanceTexts: Readonly<Record<Glance, TextName>> = {
  ...wordTexts,
  over: 'barOver',
  heatUnread: 'heatUnread',
  wrongHeat: 'wrongHeat',
  notApproved: 'notApproved',
  old: 'verdictOld',
}

export const glanceTones: Readonly<Record<Glance, Tone>> = {
  ...verdictTones,
  over: 'calm',
  heatUnread: 'warn',
  wrongHeat: 'bad',
  notApproved: 'warn',
  old: 'warn',
}

export function GlanceMark({ glance }: { readonly glance: Glance }) {
  const { t } = useTexts()
  return <Mark tone={glanceTones[glance]}>{t(glanceTexts[glance])}</Mark>
}
