import { useState } from 'react'
import { wordOf } from '../../../domain/verdict/verdictWord.ts'
import { asSeen } from '../../api/client.ts'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { useCommand } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Mark } from '../../kit/Chip.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Form, faultOf, OneOf, TextField } from '../../kit/Form.tsx'
import { Empty, Failure, Loading } from '../../kit/Notice.tsx'
import { tell } from '../../kit/toast.tsx'
import { useUndo } from '../../kit/undo.ts'
import { verdictTones } from '../../kit/Verdict.tsx'
import { Changed, type Difference } from '../../kit/Versions.tsx'
import { useTexts } from '../../texts/texts.ts'
import { type Candidate, useCandidates } from './candidates.ts'
import { Findings, findingsIn } from './Findings.tsx'
import { HeatText } from './HeatText.tsx'
import { heatToSet } from './heatDecision.ts'
import { useHeatOffers, useNearHeats } from './heatOffers.ts'
import { Reason } from './Reason.tsx'

interface SetHeatProps {
  /** The bar as it is now. */
  readonly bar: ListedProductionPlanBar
  readonly barName: string
  readonly changes: readonly Difference[]
  readonly onClose: () => void
}

/** Choose the certificate of a bar among those that suit it, or type the heat that was read off the steel. */
export function SetHeat({ bar, barName, changes, onClose }: SetHeatProps) {
  const { t } = useTexts()
  const { rows, error } = useCandidates(bar.barId)
  return (
    <Dialog title={t('setHeat')} about={barName} onClose={onClose} shape="panel">
      {!rows && (error ? <Failure error={error} /> : <Loading />)}
      {rows?.length === 0 && <Empty title={t('noCandidates')}>{t('noCandidatesText')}</Empty>}
      {rows && <HeatForm {...{ bar, changes, onClose }} candidates={rows} />}
    </Dialog>
  )
}

function HeatForm({
  bar,
  candidates,
  changes,
  onClose,
}: Omit<SetHeatProps, 'barName'> & { readonly candidates: readonly Candidate[] }) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const offers = useHeatOffers(bar)
  const options = certificateOptions(offers, candidates)
  const [askedId, setAskedId] = useState<string>()
  const chosen = options.find(({ value }) => value === askedId)?.value
  const [typed, setTyped] = useState('')
  const heatNumber = typed.trim()
  const near = distinctHeats(useNearHeats(typed))
  /** The heat as it was typed, or the recorded one that the person takes it for. */
  const [taken, setTaken] = useState<string>()
  const nearHeats = near.map((one) => one.heatNumber)
  const body = heatToSet({ typed: heatNumber, near: nearHeats, taken, chosen })
  const { mutate, isPending, error } = useCommand('setBarCertificate')
  const params = { companyId, barId: bar.barId }
  const undo = useUndo('setBarCertificate')
  const { millCertificationId } = bar
  // A heat that was read stays read, and only a draft may be without a certificate again.
  const mayUndo = body?.heatNumber === undefined && (millCertificationId !== null || bar.status === 'Draft')
  const takeBack = (ifMatch: string | undefined) =>
    void undo([{ params, ifMatch, body: { millCertificationId } }], t('heatSetBack'))
  const set = () =>
    body &&
    mutate(
      { params, ...asSeen(bar), body },
      {
        onSuccess: ({ data, etag }) => {
          tell(
            data.millCertificationId === null
              ? t('heatWithoutCertificate', { heat: data.heatRead?.heatNumber ?? '' })
              : t('heatSet'),
            mayUndo ? () => takeBack(etag) : undefined,
          )
          onClose()
        },
      },
    )
  return (
    <Form
      onSubmit={set}
      onCancel={onClose}
      submit={t('setHeat')}
      isPossible={body !== undefined}
      {...{ isPending, error }}
    >
      <Changed differences={changes} isPending={isPending} />
      <TextField
        label={t('heatOnSteel')}
        value={typed}
        onChange={setTyped}
        help={t('heatOnSteelHelp')}
        fault={faultOf(error, 'heatNumber')}
      />
      {near.length > 0 && (
        <OneOf
          label={t('heatNear', { text: heatNumber })}
          chosen={taken ?? ''}
          onChange={setTaken}
          options={[
            { value: heatNumber, text: t('asTyped', { text: heatNumber }) },
            ...near.map((one) => ({ value: one.heatNumber, text: <HeatText of={one} isLike /> })),
          ]}
        />
      )}
      {options.length > 0 && heatNumber === '' && (
        <>
          <p className="muted">{t('setHeatText')}</p>
          <OneOf label={t('certificates')} chosen={chosen ?? ''} onChange={setAskedId} options={options} />
        </>
      )}
      <Findings findings={findingsIn(error)} />
    </Form>
  )
}

/** The certificates that the read heat offers come first. */
function certificateOptions(offers: ReturnType<typeof useHeatOffers>, candidates: readonly Candidate[]) {
  const offered = new Set(offers.map(({ millCertificationId }) => millCertificationId))
  return [
    ...offers.map((offer) => ({
      value: offer.millCertificationId,
      text: <HeatText of={offer} isLike />,
    })),
    ...candidates
      .filter(({ millCertificationId }) => !offered.has(millCertificationId))
      .map((candidate) => ({ value: candidate.millCertificationId, text: <Described {...candidate} /> })),
  ]
}

/** Each recorded heat once, by its first certificate. */
function distinctHeats<One extends { readonly heatNumber: string }>(near: readonly One[]): readonly One[] {
  return [...new Map(near.toReversed().map((one) => [one.heatNumber, one])).values()].toReversed()
}

/** A heat that is chosen here is not read off the steel yet, whatever the certificate. */
const unread = 'heat-unread'

function Described(candidate: Candidate) {
  const { t } = useTexts()
  const findings = candidate.findings.filter(({ code }) => code !== unread)
  const word = wordOf({ findings, hasCertificate: true, isStarted: false })
  return (
    <>
      <HeatText of={candidate} /> <Mark tone={verdictTones[word]}>{t(word)}</Mark>
      <div>
        <Reason findings={findings} />
      </div>
    </>
  )
}
