import type { Finding, ListedProductionPlanBar } from '../api/generated.ts'
import { useTexts } from '../texts/texts.ts'
import { Mark } from './Chip.tsx'

/** Whether steel may be cut, in words and colour: the first thing that is seen of a bar, a certificate or an order. */

interface VerdictMarkProps {
  /** Null while an event that may be a Block is missing. */
  readonly findings: readonly Finding[] | null
}

export function VerdictMark({ findings }: VerdictMarkProps) {
  const { t } = useTexts()
  if (findings === null) return <Mark tone="warn">{t('factsMissing')}</Mark>
  const { mayBeCut, isJudged } = verdictOf(findings)
  return (
    <span className="chips">
      <Mark tone={mayBeCut ? 'good' : 'bad'}>{t(mayBeCut ? 'mayBeCut' : 'mayNotBeCut')}</Mark>
      {!isJudged && <Mark tone="warn">{t('notEvaluated')}</Mark>}
    </span>
  )
}

interface BarVerdictProps extends Pick<ListedProductionPlanBar, 'status'> {
  readonly verdict?: ListedProductionPlanBar['verdict'] | undefined
}

/** The verdict on a bar that is not cut yet. A Started bar that may not be cut has to stop. */
export function BarVerdict({ status, verdict }: BarVerdictProps) {
  const { t } = useTexts()
  if (verdict === undefined || status === 'Completed' || status === 'Cancelled') return null
  return (
    <span className="chips">
      {status === 'Started' && verdict?.mayBeCut === false && <Mark tone="stop">{t('stop')}</Mark>}
      <VerdictMark findings={verdict?.findings ?? null} />
    </span>
  )
}

interface OrderMarkProps extends VerdictMarkProps {
  /** The mark stands in a column of orders. */
  readonly isShort?: boolean
}

/**
 * Whether a finding on the order itself keeps steel from being cut for it. Without one the mark does not say that steel
 * may be cut: each bar has a verdict of its own.
 */
export function OrderMark({ findings, isShort = false }: OrderMarkProps) {
  const { t } = useTexts()
  if (findings === null) return <VerdictMark findings={null} />
  if (blocking(findings).length > 0) return <Mark tone="bad">{t('mayNotBeCut')}</Mark>
  return <Mark tone="calm">{t(isShort ? 'noBlock' : 'noBlockOnOrder')}</Mark>
}

/** Return the verdict that these findings give. */
export function verdictOf(findings: readonly Finding[]) {
  return {
    mayBeCut: blocking(findings).length === 0,
    /** False: rules could not judge, because values are missing. */
    isJudged: !findings.some(({ code }) => code === 'not-judged'),
  }
}

/** Return the findings that keep steel from being cut. */
export function blocking(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ severity, override }) => severity === 'Block' && !override)
}
