import { useState } from 'react'
import { certificateFields } from '../../../domain/certificates/certificateContent.ts'
import { Button } from '../../kit/Button.tsx'
import { severityTexts } from '../../kit/Chip.tsx'
import { inputsOf } from '../../kit/declaredFields.ts'
import { Select, TextField } from '../../kit/Form.tsx'
import { useTexts } from '../../texts/texts.ts'
import { useFieldName } from '../imports/fieldNames.ts'
import {
  type Comparison,
  comparisonsOf,
  type FormRule,
  isNumeric,
  lineConditionNames,
  withRule,
} from './addRule.ts'

const inputs = inputsOf(certificateFields, {}).filter(
  ({ kind }) => kind.is === 'number' || kind.is === 'length' || kind.is === 'text',
)
const firstRule: FormRule = {
  path: 'thicknessMm',
  comparison: 'above',
  value: '',
  name: '',
  severity: 'Block',
  onlyFor: '',
  ofLine: '',
}

interface RuleFormProps {
  /** The pack as it is; undefined while its text has faults. */
  readonly pack: unknown
  readonly onAdd: (pack: object) => void
}

/** Add a rule of the common kind to a pack: a value of the certificate beside a limit, perhaps for lines of one kind alone. Other rules are written as text. */
export function RuleForm({ pack, onAdd }: RuleFormProps) {
  const { t } = useTexts()
  const fieldName = useFieldName()
  const [rule, setRule] = useState(firstRule)
  const set = (changed: Partial<FormRule>) => setRule({ ...rule, ...changed })
  const input = inputs.find(({ path }) => path === rule.path)
  const isWhole =
    pack !== undefined &&
    rule.value.trim() !== '' &&
    rule.name.trim() !== '' &&
    (rule.onlyFor === '' || rule.ofLine.trim() !== '')
  const add = () => {
    if (!input) return
    onAdd(withRule(pack, input, rule))
    setRule(firstRule)
  }
  return (
    <details>
      <summary>{t('addRule')}</summary>
      <div className="fieldGrid">
        <Select
          label={t('field')}
          value={rule.path}
          onChange={(path) => {
            const [comparison] = comparisonsOf(inputs.find((one) => one.path === path))
            set({ path, comparison: comparison! })
          }}
          options={inputs.map(({ path }) => ({ value: path, text: fieldName(path) }))}
        />
        <Select
          label={t('comparison')}
          value={rule.comparison}
          onChange={(comparison) => set({ comparison: comparison as Comparison })}
          options={comparisonsOf(input).map((value) => ({ value, text: t(value) }))}
        />
        <TextField
          label={
            input && isNumeric(input) && 'unit' in input.kind
              ? `${t('limit')} (${input.kind.unit})`
              : t('limit')
          }
          value={rule.value}
          onChange={(value) => set({ value })}
        />
        <TextField label={t('name')} value={rule.name} onChange={(name) => set({ name })} />
        <Select
          label={t('severity')}
          value={rule.severity}
          onChange={(severity) => set({ severity })}
          options={Object.entries(severityTexts).map(([value, text]) => ({ value, text: t(text) }))}
        />
        <Select
          label={t('onlyForLines')}
          value={rule.onlyFor}
          onChange={(onlyFor) => set({ onlyFor: onlyFor as FormRule['onlyFor'] })}
          options={[
            { value: '', text: t('allCertificates') },
            ...lineConditionNames.map((value) => ({ value, text: t(value) })),
          ]}
        />
        {rule.onlyFor !== '' && (
          <TextField label={t(rule.onlyFor)} value={rule.ofLine} onChange={(ofLine) => set({ ofLine })} />
        )}
      </div>
      <p>
        <Button onPress={add} isDisabled={!isWhole}>
          {t('addRule')}
        </Button>
      </p>
    </details>
  )
}
