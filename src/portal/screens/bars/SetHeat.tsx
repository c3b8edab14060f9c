import { useState } from 'react'
import { asSeen } from '../../api/client.ts'
import type { ListedProductionPlanBar } from '../../api/generated.ts'
import { useCommand } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Form, faultOf, OneOf, TextField } from '../../kit/Form.tsx'
import { Empty, Failure, Loading } from '../../kit/Notice.tsx'
import { tell } from '../../kit/toast.tsx'
import { Changed, type Difference } from '../../kit/Versions.tsx'
import { useTexts } from '../../texts/texts.ts'
import { type Candidate, CandidateText, useCandidates } from './candidates.tsx'
import { Findings, findingsIn } from './Findings.tsx'

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
  const [chosen, setChosen] = useState(candidates[0]?.millCertificationId)
  const [heatNumber, setHeatNumber] = useState('')
  const { mutate, isPending, error } = useCommand('setBarCertificate')
  const set = () =>
    mutate(
      {
        params: { companyId, barId: bar.barId },
        ...asSeen(bar),
        body: chosen === undefined || heatNumber !== '' ? { heatNumber } : { millCertificationId: chosen },
      },
      {
        onSuccess: ({ data }) => {
          tell(
            data.millCertificationId === null
              ? t('heatWithoutCertificate', { heat: heatNumber })
              : t('heatSet'),
          )
          onClose()
        },
      },
    )
  return (
    <Form onSubmit={set} onCancel={onClose} submit={t('setHeat')} {...{ isPending, error }}>
      <Changed differences={changes} isPending={isPending} />
      <TextField
        label={t('heatOnSteel')}
        value={heatNumber}
        onChange={setHeatNumber}
        help={t('heatOnSteelHelp')}
        fault={faultOf(error, 'heatNumber')}
        isRequired={chosen === undefined}
      />
      {chosen !== undefined && heatNumber === '' && (
        <>
          <p className="muted">{t('setHeatText')}</p>
          <OneOf
            label={t('certificates')}
            chosen={chosen}
            onChange={setChosen}
            options={candidates.map((candidate) => ({
              value: candidate.millCertificationId,
              text: <Described {...candidate} />,
            }))}
          />
        </>
      )}
      <Findings findings={findingsIn(error)} />
    </Form>
  )
}

function Described(candidate: Candidate) {
  return (
    <>
      <CandidateText {...candidate} />
      <Findings findings={candidate.findings.filter(({ severity }) => severity !== 'Audit')} />
    </>
  )
}
