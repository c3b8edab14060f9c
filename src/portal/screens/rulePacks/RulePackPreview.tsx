import { useEffect, useState } from 'react'
import type { RulePackPreview as Previewed, RulePack } from '../../api/generated.ts'
import { useCommand, useSeen } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Button } from '../../kit/Button.tsx'
import { TagChip } from '../../kit/Chip.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { FormError, Select } from '../../kit/Form.tsx'
import { Loading } from '../../kit/Notice.tsx'
import { Section } from '../../kit/Page.tsx'
import { tell } from '../../kit/toast.tsx'
import { useTexts } from '../../texts/texts.ts'
import { StoppedBars } from '../bars/StoppedBars.tsx'

export interface PackDialogProps {
  readonly pack: RulePack
  readonly onClose: () => void
}

/** Return the condition of a decision on a pack. A shipped pack without a subscription has none. */
export function useSeenPack({ rulePackId, own, subscribed }: RulePack) {
  const params = { companyId: useCompanyId(), rulePackId }
  const { ifMatch, isReading } = useSeen('getRulePack', { params })
  return { ifMatch: own || subscribed ? ifMatch : undefined, isReading }
}

/** Show which tags a subscription, an upgrade or another choice would give and take, before it is made. */
export function RulePackPreview({ pack, onClose }: PackDialogProps) {
  const { t } = useTexts()
  const { rulePackId, name, subscribed, subscribedVersion, version } = pack
  const [parameters, setParameters] = useState(pack.parameters)
  const params = { companyId: useCompanyId(), rulePackId }
  const body = { parameters }
  const preview = useCommand('previewRulePack')
  const subscribe = useCommand('subscribeRulePack')
  const upgrade = useCommand('upgradeRulePack')
  const { ifMatch, isReading } = useSeenPack(pack)
  const { mutate: ask } = preview
  // biome-ignore lint/correctness/useExhaustiveDependencies: the preview is asked for with each choice, and only then
  useEffect(() => ask({ params, body }), [parameters])
  const onSuccess = () => {
    tell(t('packChanged'))
    onClose()
  }
  // The buttons rest until the preview is shown: a person decides on the changes, and the preview moves the buttons.
  const isAsked = preview.isIdle || preview.isPending || isReading
  const isBehind = subscribedVersion !== null && subscribedVersion < version
  const isChosenAnew = Object.entries(parameters).some(([key, value]) => pack.parameters[key] !== value)
  return (
    <Dialog title={t('previewTitle', { name })} onClose={onClose} shape="panel">
      <div className="dialogBody">
        <Choice schema={pack.parameterSchema} {...{ parameters }} onChange={setParameters} />
      </div>
      {preview.data ? <Changes preview={preview.data.data} /> : preview.error ? null : <Loading />}
      <FormError error={preview.error ?? subscribe.error ?? upgrade.error} />
      <div className="dialogActions">
        <Button onPress={onClose}>{t('close')}</Button>
        {(!subscribed || isChosenAnew) && (
          <Button
            kind="primary"
            isPending={isAsked || subscribe.isPending}
            onPress={() => subscribe.mutate({ params, body, ifMatch }, { onSuccess })}
          >
            {t(subscribed ? 'save' : 'subscribe')}
          </Button>
        )}
        {isBehind && !isChosenAnew && (
          <Button
            kind="primary"
            isPending={isAsked || upgrade.isPending}
            onPress={() => upgrade.mutate({ params, ifMatch }, { onSuccess })}
          >
            {t('upgrade')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

interface ChoiceProps {
  readonly schema: RulePack['parameterSchema']
  readonly parameters: RulePack['parameters']
  readonly onChange: (parameters: RulePack['parameters']) => void
}

interface OfferedParameter {
  readonly description: string
  readonly enum: readonly string[]
  readonly default: string
}

/** Return the name of a parameter in the person's language; of an unknown one, the pack's own name. */
export function useParameterName(): (name: string) => string {
  const { t } = useTexts()
  return (name) => (name === 'edition' ? t('edition') : name)
}

/** A field for each parameter that the pack offers. Its schema lists the values. */
function Choice({ schema, parameters, onChange }: ChoiceProps) {
  const nameOf = useParameterName()
  const offered = Object.entries((schema.properties ?? {}) as Record<string, OfferedParameter>)
  return offered.map(([name, { description, enum: values, default: usual }]) => (
    <Select
      key={name}
      label={nameOf(name)}
      value={parameters[name] ?? usual}
      onChange={(value) => onChange({ ...parameters, [name]: value })}
      help={description}
      options={values.map((value) => ({ value, text: value }))}
    />
  ))
}

/** A preview lists up to 10,000 changes; a person looks at some of them. */
const shownChanges = 100

function Changes({ preview }: { readonly preview: Previewed }) {
  const { t, number } = useTexts()
  const { gains, losses, gainCount, lossCount, bars } = preview
  if (gainCount + lossCount + bars.length === 0) return <p>{t('noChanges')}</p>
  const parts = [
    { title: t('gains', { n: number(gainCount) }), changes: gains },
    { title: t('losses', { n: number(lossCount) }), changes: losses },
  ]
  return (
    <>
      {bars.length > 0 && <StoppedBars bars={bars} />}
      {parts.map(({ title, changes }) => (
        <Section key={title} title={title}>
          <ul className="lines">
            {changes.slice(0, shownChanges).map(({ subjectId, subjectLabel, tag }) => (
              <li key={`${subjectId} ${tag.tagId}`}>
                <span>{subjectLabel}</span>
                <TagChip {...tag} />
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </>
  )
}
