import { type RefObject, useId, useRef } from 'react'

interface CodeFieldProps {
  readonly label: string
  readonly value: string
  /** Absent: the text can only be read. */
  readonly onChange?: (value: string) => void
  readonly area?: RefObject<HTMLTextAreaElement | null>
  /** Lines with a fault, from 1. */
  readonly faultyLines?: ReadonlySet<number>
  readonly help?: string
}

/** A field for code, with line numbers. */
export function CodeField({ label, value, onChange, area, faultyLines = new Set(), help }: CodeFieldProps) {
  const id = useId()
  const numbers = useRef<HTMLDivElement>(null)
  const lines = value.split('\n').map((_, index) => index + 1)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="code">
        <div ref={numbers} className="lineNumbers" aria-hidden="true">
          {lines.map((line) => (
            <span key={line} className={faultyLines.has(line) ? 'faulty' : ''}>
              {faultyLines.has(line) && '! '}
              {line}
            </span>
          ))}
        </div>
        <textarea
          id={id}
          ref={area}
          value={value}
          readOnly={!onChange}
          onChange={({ target }) => onChange?.(target.value)}
          onScroll={({ currentTarget }) => {
            numbers.current!.scrollTop = currentTarget.scrollTop
          }}
          rows={Math.min(Math.max(lines.length + 1, 12), 32)}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          aria-invalid={faultyLines.size > 0}
          {...(help !== undefined && { 'aria-describedby': `${id}-help` })}
        />
      </div>
      {help !== undefined && (
        <span id={`${id}-help`} className={faultyLines.size > 0 ? 'fault' : 'help'}>
          {help}
        </span>
      )}
    </div>
  )
}
