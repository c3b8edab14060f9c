import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ApiProblem, NoConnection } from '../api/problem.ts'
import { type Texts, useTexts } from '../texts/texts.ts'
import { Button } from './Button.tsx'
import { isConflict } from './conflict.ts'

/** The states of a screen that has no content: loading, empty, refused, failed. */

export function Empty({
  title,
  children,
  action,
}: {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}) {
  return (
    <div className="empty">
      <p className="emptyTitle">{title}</p>
      {children && <p>{children}</p>}
      {action}
    </div>
  )
}

/** Rows that stand for content on its way. */
export function Loading({ lines = 6 }: { readonly lines?: number }) {
  const { t } = useTexts()
  return (
    <div className="loading" role="status">
      <span className="visuallyHidden">{t('loading')}</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no identity
        <span key={line} className="bone" />
      ))}
    </div>
  )
}

/** Say why a part of a screen cannot be shown. */
export function Failure({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) {
  const { t } = useTexts()
  const { title, text, trace } = useFailure(error)
  const isMissing = error instanceof ApiProblem && error.problem.status === 404
  return (
    <div className="failure" role="alert">
      <p className="failureTitle">{title}</p>
      <p>{text}</p>
      {trace !== undefined && <p className="muted small">{t('trace', { id: trace })}</p>}
      {isMissing ? (
        <Link href="/">{t('backHome')}</Link>
      ) : (
        onRetry && <Button onPress={onRetry}>{t('retry')}</Button>
      )}
    </div>
  )
}

/** Say that the person's roles do not allow a screen. */
export function Forbidden() {
  const { t } = useTexts()
  return (
    <div className="failure">
      <p className="failureTitle">{t('forbidden')}</p>
      <p>{t('forbiddenText')}</p>
    </div>
  )
}

interface FailureTexts {
  readonly title: string
  readonly text: string
  readonly trace?: string | undefined
}

export function useFailure(error: Error): FailureTexts {
  return failureIn(useTexts(), error)
}

/** Return what happened and what to do, in the person's language. */
export function failureIn({ t, problemTitle, problemText }: Texts, error: Error): FailureTexts {
  if (error instanceof NoConnection) return { title: t('offline'), text: t('offlineText') }
  if (!(error instanceof ApiProblem)) return { title: t('pageFailed'), text: error.message }
  const { problem } = error
  // Only a fault of the service needs its trace: the person can mend the others.
  const trace = problem.status >= 500 ? problem.traceId : undefined
  if (problem.code === 'forbidden') return { title: t('forbidden'), text: t('forbiddenText'), trace }
  if (isConflict(error)) return { title: t('conflict'), text: t('changedMeanwhile'), trace }
  if (problem.status === 404) return { title: t('notFound'), text: t('notFoundText'), trace }
  return { title: problemTitle(problem), text: problemText(problem), trace }
}
