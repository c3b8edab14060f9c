import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { ApiProblem, actFor, logIn, type OperationId, whenSessionEnds } from '../api/client.ts'
import { type Me, operations } from '../api/generated.ts'
import { useMoment } from '../api/moment.ts'
import { useRecord } from '../api/queries.ts'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Failure, Loading } from '../kit/Notice.tsx'
import { useTitle } from '../kit/Page.tsx'
import { useTexts } from '../texts/texts.ts'

/** The person who is logged in. Without one, the portal offers the login and nothing else. */

const PersonContext = createContext<Me | undefined>(undefined)

export function usePerson(): Me {
  const person = useContext(PersonContext)
  if (!person) throw new Error('There is no person outside of Session.')
  return person
}

/**
 * Return whether the person may call an operation, in this company if it is one of a company. While the portal shows the
 * past, nobody may change anything.
 */
export function useMay(companyId?: string): (id: OperationId) => boolean {
  const { platformRoles } = usePerson()
  const held = useRoles(companyId)
  const isPast = useMoment() !== undefined
  return (id) => {
    const { method, roles = [], platform } = operations[id]
    if (isPast && method !== 'GET') return false
    if (platform !== undefined) return platformRoles.some((role) => role === platform)
    return roles.length === 0 || held.some((role) => roles.includes(role))
  }
}

/** Return the roles that the person has in a company. Prefer `useMay`: a few operations allow more to some roles. */
export function useRoles(companyId?: string): readonly string[] {
  const { memberships } = usePerson()
  return memberships.find((one) => one.companyId === companyId)?.roles ?? []
}

/** The tab that logged in again tells the others. */
const loginChannel = new BroadcastChannel('heatmark-login')
export const loggedInPath = '/logged-in'

/** Call the listener after each login in another tab. Return a function that ends this. */
export function whenLoggedInAgain(listener: () => void): () => void {
  loginChannel.addEventListener('message', listener)
  return () => loginChannel.removeEventListener('message', listener)
}

export function Session({ children }: { readonly children: ReactNode }) {
  const [hasEnded, setHasEnded] = useState(false)
  const queries = useQueryClient()
  const me = useRecord('getMe', {}, { every: false })
  const person = me.data?.data

  useEffect(() => whenSessionEnds(() => setHasEnded(true)), [])
  useEffect(() => {
    const again = async () => {
      actFor(undefined)
      const { data } = await me.refetch()
      // Another person never sees this page's data.
      if (person && data?.data.userId !== person.userId) location.reload()
      setHasEnded(false)
      await queries.invalidateQueries()
    }
    return whenLoggedInAgain(() => void again())
  }, [me, person, queries])

  if (!person) {
    if (!me.error) return <Loading />
    // After many failures from its address, a page without a session gets 429. The login is open all the same.
    const mayLogIn = me.error instanceof ApiProblem && [401, 429].includes(me.error.problem.status)
    return mayLogIn ? <Welcome /> : <Failure error={me.error} onRetry={() => void me.refetch()} />
  }
  actFor(person.userId)
  return (
    <PersonContext value={person}>
      {children}
      {hasEnded && <SessionEnded />}
    </PersonContext>
  )
}

function Welcome() {
  const { t } = useTexts()
  useTitle('Heatmark')
  return (
    <main className="welcome" id="content">
      <Logo />
      <h1>Heatmark</h1>
      <p className="welcomeLead">{t('welcome')}</p>
      <p className="muted">{t('welcomeText')}</p>
      <Button kind="primary" onPress={logIn}>
        {t('logIn')}
      </Button>
    </main>
  )
}

/** The login is in another tab, so that nothing that was typed here is lost. */
function SessionEnded() {
  const { t } = useTexts()
  const returnTo = `/portal${loggedInPath}`
  return (
    <Dialog title={t('sessionEnded')} role="alertdialog" isPressing onClose={() => {}}>
      <p className="dialogBody">{t('sessionEndedText')}</p>
      <div className="dialogActions">
        <Button
          kind="primary"
          autoFocus
          onPress={() => void open(`/portal/login?${new URLSearchParams({ returnTo })}`, '_blank')}
        >
          {t('logIn')}
        </Button>
      </div>
    </Dialog>
  )
}

/** The page at which a login in a new tab ends. */
export function LoggedIn() {
  const { t } = useTexts()
  useTitle(t('logIn'))
  useEffect(() => {
    loginChannel.postMessage('logged in')
    close()
  }, [])
  return (
    <main className="welcome" id="content">
      <Logo />
      <h1>Heatmark</h1>
      <p>{t('loggedInAgain')}</p>
    </main>
  )
}

export function Logo() {
  return (
    <svg viewBox="0 0 32 32" className="logo" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M8 7h4v7h8V7h4v18h-4v-7h-8v7H8z" />
    </svg>
  )
}
