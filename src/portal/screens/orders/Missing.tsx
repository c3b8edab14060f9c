import { useState } from 'react'
import { toldIn } from '../../../domain/verdict/sentence.ts'
import type { Traceability } from '../../api/generated.ts'
import { Button } from '../../kit/Button.tsx'
import { useTexts } from '../../texts/texts.ts'

/** Lines that are shown at first, and each time that one asks for more. */
const portion = 10

interface MissingProps {
  readonly lines: readonly Pick<Traceability['lineItems'][number], 'lineItemId' | 'lineNumber' | 'missing'>[]
}

/** Say for each line what is missing before the order is cleared. A line with many gaps shows them on request. */
export function Missing({ lines }: MissingProps) {
  const { t } = useTexts()
  const [shownCount, setShownCount] = useState(portion)
  const gaps = lines.filter(({ missing }) => missing.length > 0)
  if (gaps.length === 0) return <p className="muted">{t('nothingMissing')}</p>
  return (
    <>
      <ul className="lines">
        {gaps.slice(0, shownCount).map(({ lineItemId, lineNumber, missing }) => (
          <li key={lineItemId}>
            <strong className="noWrap">{t('line', { n: lineNumber })}</strong>
            <Reasons missing={missing} />
          </li>
        ))}
      </ul>
      {gaps.length > shownCount && (
        <Button onPress={() => setShownCount(shownCount + portion)}>{t('more')}</Button>
      )}
    </>
  )
}

/** Gaps of a line that are shown without being asked for. */
const readAtOnce = 4

function Reasons({ missing }: { readonly missing: Traceability['lineItems'][number]['missing'] }) {
  const { t, number, language } = useTexts()
  const [isOpen, setIsOpen] = useState(false)
  const isShort = missing.length <= readAtOnce
  const reasons = (
    <ul>
      {missing.map((gap) => (
        <li key={gap.message}>{toldIn(language, gap)}</li>
      ))}
    </ul>
  )
  if (isShort) return reasons
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{t('gapCount', { n: number(missing.length) })}</summary>
      {isOpen && reasons}
    </details>
  )
}
