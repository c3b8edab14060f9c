import { useSyncExternalStore } from 'react'
import { serviceTime } from '../api/client.ts'
import { usePerson } from '../app/session.tsx'
import { tapStore } from './tapStore.ts'
import { type Act, nextOrder, type Tap } from './taps.ts'

/** Return all taps that this browser keeps. */
export function useTaps(): readonly Tap[] {
  return useSyncExternalStore(tapStore.subscribe, tapStore.read)
}

interface TappedBar {
  readonly companyId: string
  readonly barId: string
  readonly barName: string
  readonly revision: number
}

/** Return a function that keeps a tap of this person until it is sent. */
export function useTap(): (bar: TappedBar, act: Act) => void {
  const { userId } = usePerson()
  return (bar, act) =>
    tapStore.write({
      ...bar,
      userId,
      act,
      key: crypto.randomUUID(),
      order: nextOrder(tapStore.read(), Date.now()),
      performedAt: serviceTime(),
    })
}
