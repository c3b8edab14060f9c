import type { Tone } from './Chip.tsx'

/** The sign of a tone, for places that are too small for a mark. The words stand beside it. */
export function Glyph({ tone }: { readonly tone: Tone }) {
  return (
    <svg viewBox="0 0 16 16" className="icon" aria-hidden="true">
      <path d={signs[tone]} />
    </svg>
  )
}

const circle = 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Z'

const signs: Readonly<Record<Tone, string>> = {
  good: 'm3 8.5 3.5 3.5L13 4.5',
  bad: 'm4 4 8 8m0-8-8 8',
  stop: 'm4 4 8 8m0-8-8 8',
  warn: 'M8 2 1.5 13.5h13ZM8 6.5V9m0 2.2v.1',
  info: `${circle}m0 2.5V8l2.5 1.5`,
  calm: circle,
}
