import { Mark, type Tone } from '../../kit/Chip.tsx'
import { type TextName, useTexts } from '../../texts/texts.ts'
import type { Glance } from './glance.ts'

/** A glance in words and colour. */

export const glanceTexts: Readonly<Record<Glance, TextName>> = {
  over: 'barOver',
  stop: 'stop',
  mayNotBeCut: 'mayNotBeCut',
  heatUnread: 'heatUnread',
  wrongHeat: 'wrongHeat',
  notApproved: 'notApproved',
  notJudged: 'notEvaluated',
  old: 'verdictOld',
  mayBeCut: 'mayBeCut',
}

export const glanceTones: Readonly<Record<Glance, Tone>> = {
  over: 'calm',
  stop: 'stop',
  mayNotBeCut: 'bad',
  heatUnread: 'warn',
  wrongHeat: 'bad',
  notApproved: 'warn',
  notJudged: 'warn',
  old: 'warn',
  mayBeCut: 'good',
}

export function GlanceMark({ glance }: { readonly glance: Glance }) {
  const { t } = useTexts()
  return <Mark tone={glanceTones[glance]}>{t(glanceTexts[glance])}</Mark>
}
