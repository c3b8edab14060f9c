import { useState } from 'react'
import type { TagContent } from '../../api/generated.ts'
import { useCommand, useRecord } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { SeverityMark, severityTexts, TagChip } from '../../kit/Chip.tsx'
import { longColour } from '../../kit/colour.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { EditForm } from '../../kit/EditForm.tsx'
import { ColourField, faultOf, Select, TextField } from '../../kit/Form.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { tellAndClose } from '../../kit/toast.tsx'
import { useUndo } from '../../kit/undo.ts'
import { useTexts } from '../../texts/texts.ts'
import { type Family, families } from './family.ts'

interface TagPanelProps {
  readonly family: Family
  /** Absent for a new tag. */
  readonly tagId?: string
  readonly onClose: () => void
}

const newTag: TagContent = { name: '', color: '#3b6fd4', description: null, severity: null }

/** Add a tag, or edit one, beside the list or record. */
export function TagPanel({ family, tagId, onClose }: TagPanelProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const isNew = tagId === undefined
  const query = useRecord(
    families[family].get,
    { params: { companyId, tagId: tagId ?? '' } },
    // The form begins with the newest state, and what others do meanwhile does not change it.
    { enabled: !isNew, every: false },
  )
  return (
    <Dialog title={t(isNew ? 'newTag' : 'editTag')} onClose={onClose} shape="panel">
      {isNew ? (
        <TagForm family={family} start={newTag} onClose={onClose} />
      ) : query.data ? (
        <TagForm
          family={family}
          tagId={tagId}
          start={query.data.data}
          etag={query.data.etag}
          onClose={onClose}
        />
      ) : query.error ? (
        <Failure error={query.error} />
      ) : (
        <Loading lines={4} />
      )}
    </Dialog>
  )
}

interface TagFormProps extends TagPanelProps {
  readonly start: TagContent
  readonly etag?: string | undefined
}

function TagForm({ family, tagId, start, etag, onClose }: TagFormProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const [typed, setTyped] = useState<TypedTag>({
    name: start.name,
    color: longColour(start.color),
    description: start.description ?? '',
    severity: start.severity ?? '',
  })
  const create = useCommand(families[family].create)
  const update = useCommand(families[family].update)
  const { isPending, error } = tagId === undefined ? create : update
  const body: TagContent = {
    name: typed.name.trim(),
    color: typed.color,
    description: typed.description.trim() || null,
    severity: (typed.severity || null) as TagContent['severity'],
  }
  const undo = useUndo(families[family].update)
  const compare = (theirs: TagContent) => [
    { name: t('name'), mine: typed.name, theirs: theirs.name },
    { name: t('colour'), mine: typed.color, theirs: longColour(theirs.color) },
    {
      name: t('severity'),
      mine: <SeverityMark severity={body.severity ?? null} />,
      theirs: <SeverityMark severity={theirs.severity ?? null} />,
      differs: (body.severity ?? null) !== (theirs.severity ?? null),
    },
    { name: t('description'), mine: typed.description, theirs: theirs.description ?? '' },
  ]
  const save = (ifMatch: string | undefined) => {
    if (tagId === undefined)
      return create.mutate({ params: { companyId }, body }, tellAndClose(t('tagSaved'), onClose))
    const params = { companyId, tagId }
    // The record has more members, which the service refuses in a body.
    const { name, color, description, severity } = start
    const former = { name, color, description, severity }
    const takeBack = (etag: string | undefined) =>
      undo([{ params, body: former, ifMatch: etag }], t('changeUndone'))
    update.mutate({ params, body, ifMatch }, tellAndClose(t('tagSaved'), onClose, takeBack))
  }
  return (
    <EditForm
      id={families[family].get}
      input={{ params: { companyId, tagId: tagId ?? '' } }}
      compare={compare}
      onSave={save}
      onRead={update.reset}
      onCancel={onClose}
      submit={t('save')}
      {...{ etag, isPending, error }}
    >
      <TagFields typed={typed} onChange={(change) => setTyped({ ...typed, ...change })} error={error} />
      <div className="previewBox">
        <span className="muted small">{t('preview')}</span>
        <span className="chips">
          <TagChip name={typed.name || t('name')} color={typed.color} />
          {body.severity && <SeverityMark severity={body.severity} />}
        </span>
      </div>
    </EditForm>
  )
}

/** The values of the fields, as they were typed. */
type TypedTag = Readonly<Record<'name' | 'color' | 'description' | 'severity', string>>

interface TagFieldsProps {
  readonly typed: TypedTag
  readonly onChange: (change: Partial<TypedTag>) => void
  readonly error: Error | null
}

function TagFields({ typed, onChange, error }: TagFieldsProps) {
  const { t } = useTexts()
  const field = <Name extends keyof TypedTag>(name: Name) => ({
    value: typed[name],
    onChange: (value: string) => onChange({ [name]: value }),
    fault: faultOf(error, name),
  })
  return (
    <>
      <TextField label={t('name')} {...field('name')} isRequired autoFocus />
      <ColourField label={t('colour')} {...field('color')} />
      <Select
        label={t('severity')}
        value={typed.severity}
        onChange={(severity) => onChange({ severity })}
        options={[
          { value: '', text: t('noSeverity') },
          ...Object.entries(severityTexts).map(([value, text]) => ({ value, text: t(text) })),
        ]}
      />
      <TextField label={t('description')} {...field('description')} isLong />
    </>
  )
}
