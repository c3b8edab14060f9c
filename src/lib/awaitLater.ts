/**
 * Return a promise that somebody will await later. Its failure is thrown there; without a listener until then, it would
 * end the process.
 */
export function awaitLater<Begun extends Promise<unknown>>(begun: Begun): Begun {
  begun.catch(() => {})
  return begun
}
