import { useTexts } from '../../texts/texts.ts'

interface MissingProps {
  readonly lines: readonly {
    readonly lineItemId: string
    readonly lineNumber: number
    readonly missing: readonly string[]
  }[]
}

/** Say for each line of an order what is missing before the order is cleared. */
export function Missing({ lines }: MissingProps) {
  const { t } = useTexts()
  const gaps = lines.filter(({ missing }) => missing.length > 0)
  if (gaps.length === 0) return <p className="muted">{t('nothingMissing')}</p>
  return (
    <ul className="lines">
      {gaps.map(({ lineItemId, lineNumber, missing }) => (
        <li key={lineItemId}>
          <strong className="noWrap">{t('line', { n: lineNumber })}</strong>
          <ul>
            {missing.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
