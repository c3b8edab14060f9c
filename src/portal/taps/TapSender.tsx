import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiProblem } from '../api/problem.ts'
import { usePerson, whenLoggedInAgain } from '../app/session.tsx'
import { sendTap } from './requests.ts'
import { sendTaps } from './sending.ts'
import { tapStore } from './tapStore.ts'
import { isWaiting } from './taps.ts'
import { useTaps } from './useTaps.ts'

/** Milliseconds between two attempts to send what waits. */
const retryMs = 3_000

/** Sends the taps of the person who is logged in, on whatever screen, one tab of the browser at a time. */
export function TapSender() {
  const { userId } = usePerson()
  const queries = useQueryClient()
  const count = useTaps().filter((tap) => tap.userId === userId && isWaiting(tap)).length
  useEffect(() => {
    if (count === 0) return
    let hasSession = true
    const sendAll = () =>
      navigator.locks.request('heatmark-taps', { ifAvailable: true }, async (lock) => {
        if (!lock || !hasSession) return
        const onSent = () => void queries.invalidateQueries()
        await sendTaps({ store: tapStore, userId, send: sendTap, onSent, now: Date.now })
      })
    const send = () =>
      void sendAll().catch((error: Error) => {
        // The taps wait for the network, or for the login.
        hasSession = !(error instanceof ApiProblem && error.problem.status === 401)
      })
    send()
    const timer = setInterval(send, retryMs)
    addEventListener('online', send)
    const unsubscribe = whenLoggedInAgain(() => {
      hasSession = true
      send()
    })
    return () => {
      clearInterval(timer)
      removeEventListener('online', send)
      unsubscribe()
    }
  }, [count, userId, queries])
  return null
}
