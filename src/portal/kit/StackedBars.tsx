import { useTexts } from '../texts/texts.ts'
import { Section } from './Page.tsx'

interface StackedBarsProps {
  readonly title: string
  /** The parts of each bar, in their order. */
  readonly parts: readonly string[]
  readonly bars: readonly { readonly name: string; readonly values: readonly number[] }[]
  readonly format: (value: number) => string
  /** Return the text beside a bar; by default, the sum of its parts. */
  readonly about?: (values: readonly number[]) => string
}

/** Bars in a picture, the longest as wide as the picture, with a table behind it. */
export function StackedBars({ title, parts, bars, format, about }: StackedBarsProps) {
  const { t } = useTexts()
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
  const longest = Math.max(1, ...bars.map(({ values }) => sumOf(values)))
  return (
    <Section title={title}>
      {parts.length > 1 && (
        <ul className="legend">
          {parts.map((part, index) => (
            <li key={part}>
              <svg viewBox="0 0 10 10" className="legendMark" aria-hidden="true">
                <rect width="10" height="10" className={`part${index}`} />
              </svg>
              {` ${part}`}
            </li>
          ))}
        </ul>
      )}
      <div className="stackedBars">
        {bars.map(({ name, values }) => (
          <div key={name}>
            <span className="muted small noWrap">{name}</span>
            <svg
              viewBox={`0 0 ${longest} 10`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${name}: ${parts.map((part, index) => `${part} ${format(values[index] ?? 0)}`).join(', ')}`}
            >
              {values.map((value, index) => (
                <rect
                  key={parts[index]}
                  x={sumOf(values.slice(0, index))}
                  width={value}
                  height="10"
                  className={`part${index}`}
                >
                  <title>{`${parts[index]} ${format(value)}`}</title>
                </rect>
              ))}
            </svg>
            <span className="small noWrap">{about?.(values) ?? format(sumOf(values))}</span>
          </div>
        ))}
      </div>
      <details>
        <summary>{t('asTable')}</summary>
        <table className="versions" aria-label={title}>
          <thead>
            <tr>
              <td />
              {parts.map((part) => (
                <th key={part} scope="col" className="number">
                  {part}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ name, values }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {values.map((value, index) => (
                  <td key={parts[index]} className="number">
                    {format(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Section>
  )
}
