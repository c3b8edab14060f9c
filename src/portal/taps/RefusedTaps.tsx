import { usePerson } from '../app/session.tsx'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Findings, findingsOf } from '../screens/bars/Findings.tsx'
import { type TextName, useTexts } from '../texts/texts.ts'
import { tapStore } from './tapStore.ts'
import type { Act, Tap } from './taps.ts'
import { useTaps } from './useTaps.ts'

const actTexts: Readonly<Record<Act['kind'], TextName>> = {
  start: 'start',
  complete: 'complete',
  heat: 'setHeat',
  certificate: 'setHeat',
  takeBack: 'revert',
}

/** Return the refused taps of the person who is logged in. */
export function useRefusedTaps(): readonly Tap[] {
  const { userId } = usePerson()
  return useTaps().filter((tap) => tap.userId === userId && tap.refusal)
}

/**
 * Cover the screen with refused taps until the person has acknowledged them. The button does not take the focus: the
 * Enter of a scanner would press it.
 */
export function RefusedTaps() {
  const { t } = useTexts()
  const unseen = useRefusedTaps().filter(({ refusal }) => !refusal?.isSeen)
  if (unseen.length === 0) return null
  const acknowledge = () => {
    for (const tap of unseen) tapStore.write({ ...tap, refusal: { ...tap.refusal, isSeen: true } })
  }
  return (
    <Dialog title={t('tapRefused')} role="alertdialog" shape="screen" isPressing onClose={() => {}}>
      <ul className="dialogBody">
        {unseen.map((tap) => (
          <li key={tap.key}>
            <RefusedTap tap={tap} />
          </li>
        ))}
      </ul>
      <div className="dialogActions">
        <Button kind="primary" onPress={acknowledge}>
          {t('understood')}
        </Button>
      </div>
    </Dialog>
  )
}

/** Say what was done to which bar, and when. */
export function TapInWords({ tap: { barName, act, performedAt } }: { readonly tap: Tap }) {
  const { t, dateTime } = useTexts()
  return (
    <p>
      <strong>
        {barName}: {t(actTexts[act.kind])}
      </strong>{' '}
      <span className="muted">{dateTime(performedAt)}</span>
    </p>
  )
}

/** Say which tap was refused, and why. */
export function RefusedTap({ tap }: { readonly tap: Tap }) {
  const { t, problemTitle, problemText } = useTexts()
  const problem = tap.refusal?.problem
  const findings = problem ? findingsOf(problem) : []
  return (
    <>
      <TapInWords tap={tap} />
      {problem ? (
        <>
          <p>{problemTitle(problem)}</p>
          {/* The detail repeats the findings. */}
          {findings.length > 0 ? (
            <Findings findings={findings} />
          ) : (
            <p className="muted">{problemText(problem)}</p>
          )}
        </>
      ) : (
        <p>{t('tapNotSent')}</p>
      )}
    </>
  )
}
