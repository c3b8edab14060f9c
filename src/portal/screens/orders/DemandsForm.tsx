import { useState } from 'react'
import type { OrderCorrection, OrderWithFindings } from '../../api/generated.ts'
import { useCommand, useSeen } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { EditForm } from '../../kit/EditForm.tsx'
import { Choices, TextField } from '../../kit/Form.tsx'
import { tellAndClose } from '../../kit/toast.tsx'
import { useUndo } from '../../kit/undo.ts'
import { useTexts } from '../../texts/texts.ts'
import {
  type Demanding,
  type OptionName,
  optionTexts,
  readOptions,
  readSubstitutes,
  textOfSubstitutes,
} from './demandTexts.ts'

interface DemandsFormProps {
  readonly order: OrderWithFindings
  readonly of: Demanding
  readonly onClose: () => void
}

/** What a field may hold. */
const helps: Readonly<Partial<Record<OptionName, string>>> = {
  zQuality: 'Z15, Z25, Z35 (EN 10164)',
  ultrasonicClass: 'S0–S3, E0–E4, S1E1 (EN 10160)',
  surfaceClass: 'A1–D3 (EN 10163)',
  siliconClass: 'A, B (EN ISO 14713-2), 1, 2, 3 (EN 10025-2)',
}

/** Change the options as a planner, and the substitutes as a quality engineer. */
export function DemandsForm({ order: shown, of: asked, onClose }: DemandsFormProps) {
  const { t } = useTexts()
  const params = { companyId: useCompanyId(), orderId: shown.orderId }
  const { mutate, isPending, error, reset } = useCommand('patchOrder')
  const undo = useUndo('patchOrder')
  const { seen: order = shown, ifMatch, isReading } = useSeen('getOrder', { params })
  if (isReading) return null
  const of = demandingIn(order, asked.lineNumber) ?? asked
  return (
    <Fields
      {...{ order, of, etag: ifMatch, isPending, error, onClose }}
      onRead={reset}
      onSave={(body, former, ifMatch) =>
        mutate(
          { params, ifMatch, body },
          tellAndClose(t('orderChanged'), onClose, (etag) =>
            undo([{ params, ifMatch: etag, body: former }], t('changeUndone')),
          ),
        )
      }
    />
  )
}

/** Return the order, or its line with this number. */
function demandingIn(order: OrderWithFindings, lineNumber: number | undefined): Demanding | undefined {
  return lineNumber === undefined ? order : order.lineItems.find((line) => line.lineNumber === lineNumber)
}

const names = Object.keys(optionTexts) as OptionName[]

function textsOf({ options }: Demanding) {
  const texts = names.map((name) => [name, String(options?.[name] ?? '')])
  return Object.fromEntries(texts) as Record<OptionName, string>
}

interface FieldsProps extends DemandsFormProps {
  readonly isPending: boolean
  readonly error: Error | null
  /** The ETag of the order. */
  readonly etag: string | undefined
  /** @param former takes the body back */
  readonly onSave: (body: OrderCorrection, former: OrderCorrection, ifMatch: string | undefined) => void
  /** Close the two versions that a refused save has shown. */
  readonly onRead: () => void
}

function Fields({ order, of, etag, isPending, error, onSave, onRead, onClose }: FieldsProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const [options, setOptions] = useState(() => textsOf(of))
  const [isNormalised, setIsNormalised] = useState(of.options?.normalisedRolling ?? false)
  const [substitutes, setSubstitutes] = useState(textOfSubstitutes(of.allowedSubstitutes ?? []))
  const save = (ifMatch: string | undefined) => {
    const typed = {
      options: readOptions(options, isNormalised),
      allowedSubstitutes: readSubstitutes(substitutes),
    }
    const bodyOf = ({ options, allowedSubstitutes }: Readonly<Record<keyof typeof typed, object | null>>) => {
      const mine = {
        ...(may('correctOrder') && { options }),
        ...(may('overrideFindings') && { allowedSubstitutes }),
      }
      const lineItems = order.lineItems.map(({ lineNumber }) => ({
        lineNumber,
        ...(lineNumber === of.lineNumber && mine),
      }))
      return (of.lineNumber === undefined ? mine : { lineItems }) as OrderCorrection
    }
    onSave(bodyOf(typed), bodyOf(of), ifMatch)
  }
  const compare = (theirs: OrderWithFindings) => {
    const other = demandingIn(theirs, of.lineNumber) ?? of
    const texts = textsOf(other)
    return [
      ...names.map((name) => ({ name: t(optionTexts[name]), mine: options[name], theirs: texts[name] })),
      {
        name: t('normalisedRolling'),
        mine: t(isNormalised ? 'yes' : 'no'),
        theirs: t(other.options?.normalisedRolling ? 'yes' : 'no'),
      },
      {
        name: t('allowedSubstitutes'),
        mine: substitutes,
        theirs: textOfSubstitutes(other.allowedSubstitutes ?? []),
      },
    ]
  }
  const title = of.lineNumber === undefined ? t('allLines') : t('line', { n: of.lineNumber })
  return (
    <Dialog title={`${t('demands')} · ${title}`} onClose={onClose} shape="panel">
      <EditForm
        id="getOrder"
        input={{ params: { companyId, orderId: order.orderId } }}
        compare={compare}
        onSave={save}
        onCancel={onClose}
        submit={t('save')}
        {...{ etag, isPending, error, onRead }}
      >
        {may('correctOrder') && (
          <div className="fieldGrid">
            <OptionFields written={options} onWrite={setOptions} />
            <Choices
              label={t('deliveryCondition')}
              chosen={isNormalised ? ['N'] : []}
              onChange={(chosen) => setIsNormalised(chosen.length > 0)}
              options={[{ value: 'N', text: t('normalisedRolling') }]}
            />
          </div>
        )}
        {may('overrideFindings') && (
          <TextField
            label={t('allowedSubstitutes')}
            value={substitutes}
            onChange={setSubstitutes}
            help={t('allowedSubstitutesHelp')}
            isLong
          />
        )}
      </EditForm>
    </Dialog>
  )
}

interface OptionFieldsProps {
  readonly written: Record<OptionName, string>
  readonly onWrite: (written: Record<OptionName, string>) => void
}

function OptionFields({ written, onWrite }: OptionFieldsProps) {
  const { t } = useTexts()
  return names.map((name) => (
    <TextField
      key={name}
      label={t(optionTexts[name])}
      value={written[name]}
      onChange={(text) => onWrite({ ...written, [name]: text })}
      help={helps[name]}
    />
  ))
}
