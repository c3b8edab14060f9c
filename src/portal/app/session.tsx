import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useAsOf } from '../api/asOf.ts'
import {
  actFor,
  call,
  endSession,
  logIn,
  type OperationId,
  sessionEndHere,
  whenSessionEnds,
} from '../api/client.ts'
import { type Me, operations } from '../api/generated.ts'
import { ApiProblem, NoConnection } from '../api/problem.ts'
import { pollEvery, useRecord } from '../api/queries.ts'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Logo } from '../kit/Logo.tsx'
import { Failure, Loading } from '../kit/Notice.tsx'
import { useTitle } from '../kit/Page.tsx'
import { forgetStoredPage, goOnWith, keepReads, readStoredPage } from '../offline/storedPage.ts'
import { tapStore } from '../taps/tapStore.ts'
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
  const ownRoles = useRoles(companyId)
  const isPast = useAsOf() !== undefined
  return (id) => {
    const { method, roles = [], platform } = operations[id]
    if (isPast && method !== 'GET') return false
    if (platform !== undefined) return platformRoles.some((role) => role === platform)
    return roles.length === 0 || roles.some((role) => ownRoles.includes(role))
  }
}

/** Return the roles that the person has in a company. Prefer `useMay`: a few operations allow more to some roles. */
export function useRoles(companyId?: string): readonly string[] {
  const { memberships } = usePerson()
  return memberships.find((one) => one.companyId === companyId)?.roles ?? []
}

/** Forget the data of this page, and what the tab would store for a reload: another person must not see them. */
function startOver(queries: QueryClient): void {
  queries.clear()
  location.reload()
}

/** The tab that logged in again, or out, tells the others. */
const loginChannel = new BroadcastChannel('heatmark-login')
type LoginMessage = 'logged in' | 'logged out'
export const loggedInPath = '/logged-in'

/** Call the listener after each login in another tab. Return a function that ends this. */
export function whenLoggedInAgain(listener: () => void): () => void {
  return onLoginMessage('logged in', listener)
}

function onLoginMessage(message: LoginMessage, listener: () => void): () => void {
  const listen = ({ data }: MessageEvent) => {
    if (data === message) listener()
  }
  loginChannel.addEventListener('message', listen)
  return () => loginChannel.removeEventListener('message', listen)
}

function tellOthers(message: LoginMessage): void {
  loginChannel.postMessage(message)
}

export function Session({ children }: { readonly children: ReactNode }) {
  const [hasEnded, setHasEnded] = useState(false)
  const queries = useQueryClient()
  /** Without a network, the page goes on as the person whom this tab had before it was loaded again. */
  const [standIn, setStandIn] = useState<Me>()
  const me = useRecord('getMe', {}, { every: standIn ? pollEvery.list : false })
  const person = me.data?.data ?? standIn

  useEffect(() => whenSessionEnds(() => setHasEnded(true)), [])
  useEffect(() => (hasEnded ? undefined : whenEndedHere(() => setHasEnded(true))), [hasEnded])
  // The person has left on purpose, and the next one at this device must not find an open page.
  useEffect(() => onLoginMessage('logged out', () => startOver(queries)), [queries])
  useEffect(() => {
    const storedPage = !person && me.failureReason instanceof NoConnection ? readStoredPage() : undefined
    if (!storedPage) return
    goOnWith(queries, storedPage)
    setStandIn(storedPage.person)
  }, [person, me.failureReason, queries])
  useEffect(() => {
    const session = me.data?.data
    if (!standIn || !session) return
    if (session.userId !== standIn.userId) startOver(queries)
    setStandIn(undefined)
  }, [standIn, me.data, queries])
  useEffect(() => {
    if (hasEnded) return forgetStoredPage()
    return person && keepReads(queries, person)
  }, [hasEnded, person, queries])
  useEffect(() => {
    const again = async () => {
      actFor(undefined)
      const { data } = await me.refetch()
      if (person && data?.data.userId !== person.userId) return startOver(queries)
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

const lookAtEndEveryMs = 5_000

/**
 * Call the listener when the session has ended and the service cannot be asked. While it can, its answer counts,
 * because the person may have used another tab. Return a function that ends this.
 */
function whenEndedHere(listener: () => void): () => void {
  const look = () => {
    if (Date.now() < sessionEndHere()) return
    call('getMe', {}).catch((error) => error instanceof NoConnection && listener())
  }
  const timer = setInterval(look, lookAtEndEveryMs)
  return () => clearInterval(timer)
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

/** Open the login in another tab, so that nothing that was typed here is lost. */
export function openLogin(): void {
  open(`/portal/login?${new URLSearchParams({ returnTo: `/portal${loggedInPath}` })}`, '_blank')
}

function SessionEnded() {
  const { t } = useTexts()
  return (
    <Dialog title={t('sessionEnded')} role="alertdialog" isPressing hidesPage onClose={() => {}}>
      <p className="dialogBody">{t('sessionEndedText')}</p>
      <div className="dialogActions">
        <Button kind="primary" autoFocus onPress={openLogin}>
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
    tellOthers('logged in')
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

/** Return a function that ends the session, in all tabs, and leaves only taps that are not recorded. */
export function useLogOut(): () => Promise<void> {
  const queries = useQueryClient()
  const { userId } = usePerson()
  return async () => {
    const next = await endSession()
    queries.clear()
    for (const tap of tapStore.read())
      if (tap.userId === userId && tap.sentAt !== undefined) tapStore.remove(tap.key)
    tellOthers('logged out')
    location.assign(next)
  }
}
