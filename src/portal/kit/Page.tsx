import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { Link } from 'wouter'

/** The layout of every screen: one heading, its actions, and the content. */

interface PageProps {
  readonly title: string
  /** A link to the list that a record belongs to. */
  readonly back?: { readonly href: string; readonly text: string }
  /** Chips beside the heading. */
  readonly marks?: ReactNode
  readonly actions?: ReactNode
  readonly lead?: ReactNode
  /** The content takes the whole window. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

export function Page({ title, back, marks, actions, lead, isWide = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useTitle(title)
  // This runs before the page is drawn. Later, it could take the focus from a field in which a person types already.
  useLayoutEffect(() => {
    // The first page leaves the focus at its beginning, where the skip link is.
    if (hasNavigated) heading.current?.focus({ preventScroll: true })
    hasNavigated = true
  }, [])
  return (
    <article className={isWide ? 'page wide' : 'page'}>
      <div>
        {back && (
          <p className="back">
            <Link href={back.href}>{back.text}</Link>
          </p>
        )}
        <header className="pageHeader">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {marks && <div className="marks">{marks}</div>}
          {actions && <div className="actions">{actions}</div>}
        </header>
        {lead && <p className="lead">{lead}</p>}
      </div>
      {children}
    </article>
  )
}

let hasNavigated = false

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Heatmark`
  }, [title])
}

export function Section({
  title,
  actions,
  children,
}: {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section className="section">
      <div className="sectionHeader">
        <h2>{title}</h2>
        {actions && <div className="actions">{actions}</div>}
      </div>
      {children}
    </section>
  )
}

export interface Fact {
  readonly name: string
  readonly value: ReactNode
}

/** Names and values of a record. Facts without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const statedFacts = facts.filter(({ value }) => value !== null && value !== undefined && value !== '')
  return (
    <dl className="facts">
      {statedFacts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
