import { useState } from 'react'
import { Link } from 'wouter'
import { useCommand, useList, useRecord } from '../../../api/queries.ts'
import { pathIn, useCompanyId } from '../../../app/company.tsx'
import { useMay } from '../../../app/session.tsx'
import { Button } from '../../../kit/Button.tsx'
import { SeverityMark, TagChip } from '../../../kit/Chip.tsx'
import { Dialog } from '../../../kit/Dialog.tsx'
import { EditForm } from '../../../kit/EditForm.tsx'
import { Choices } from '../../../kit/Form.tsx'
import { Failure, Loading } from '../../../kit/Notice.tsx'
import { Section } from '../../../kit/Page.tsx'
import { tellAndClose } from '../../../kit/toast.tsx'
import { useUndo } from '../../../kit/undo.ts'
import { useTexts } from '../../../texts/texts.ts'
import { type Family, families, subjectParams } from '../family.ts'
import { useRuleName } from './SubjectRules.tsx'

interface SubjectProps {
  readonly family: Family
  readonly subjectId: string
}

/** The tags of a certificate or an order, each with its origin. */
export function SubjectTags({ family, subjectId }: SubjectProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const { ofSubject, setManual } = families[family]
  const { rows, error } = useList(ofSubject, { params: subjectParams(companyId, subjectId) })
  const ruleName = useRuleName(family, subjectId)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Section
      title={t('tags')}
      actions={may(setManual) && <Button onPress={() => setIsOpen(true)}>{t('setTags')}</Button>}
    >
      {!rows && (error ? <Failure error={error} /> : <Loading lines={2} />)}
      {rows?.length === 0 && <p className="muted">{t('none')}</p>}
      {rows && rows.length > 0 && (
        <ul className="lines">
          {rows.map(({ tagId, name, color, severity, assignedByRuleId }) => (
            <li key={`${tagId} ${assignedByRuleId}`}>
              <Link href={pathIn(companyId, `/tags/${family}/${tagId}`)} className="rowLink">
                <TagChip name={name} color={color} />
              </Link>
              {severity && <SeverityMark severity={severity} />}
              <span className="muted end">
                {assignedByRuleId === null
                  ? t('byHand')
                  : t('byRule', { rule: ruleName(assignedByRuleId, tagId) })}
              </span>
            </li>
          ))}
        </ul>
      )}
      {isOpen && <SetTags {...{ family, subjectId }} onClose={() => setIsOpen(false)} />}
    </Section>
  )
}

interface SetTagsProps extends SubjectProps {
  readonly onClose: () => void
}

function SetTags({ family, subjectId, onClose }: SetTagsProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const { list, manual } = families[family]
  const tags = useList(list, { params: { companyId } })
  // The form begins with the newest state, and what others do meanwhile does not change it.
  const assigned = useRecord(manual, { params: subjectParams(companyId, subjectId) }, { every: false })
  const error = tags.error ?? assigned.error
  return (
    <Dialog title={t('setTags')} onClose={onClose} shape="panel">
      {tags.rows && assigned.data ? (
        <TagChoices
          {...{ family, subjectId, onClose }}
          tags={tags.rows.filter(({ isSystemTag }) => !isSystemTag)}
          held={assigned.data.data.map(({ tagId }) => tagId)}
          etag={assigned.data.etag}
        />
      ) : error ? (
        <Failure error={error} />
      ) : (
        <Loading />
      )}
    </Dialog>
  )
}

interface TagChoicesProps extends SetTagsProps {
  readonly tags: readonly { readonly tagId: string; readonly name: string; readonly color: string }[]
  readonly held: readonly string[]
  readonly etag: string | undefined
}

function TagChoices({ family, subjectId, tags, held, etag, onClose }: TagChoicesProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const [chosen, setChosen] = useState([...held])
  const { mutate, isPending, error, reset } = useCommand(families[family].setManual)
  const undo = useUndo(families[family].setManual)
  const params = subjectParams(companyId, subjectId)
  const save = (ifMatch: string | undefined) =>
    mutate(
      { params, body: { tagIds: chosen }, ifMatch },
      tellAndClose(t('tagsSet'), onClose, (etag) =>
        undo([{ params, ifMatch: etag, body: { tagIds: [...held] } }], t('tagsSetBack')),
      ),
    )
  const namesOf = (ids: readonly string[]) =>
    tags
      .filter(({ tagId }) => ids.includes(tagId))
      .map(({ name }) => name)
      .join(', ')
  return (
    <EditForm
      id={families[family].manual}
      input={{ params }}
      compare={(theirs) => [
        { name: t('tags'), mine: namesOf(chosen), theirs: namesOf(theirs.map(({ tagId }) => tagId)) },
      ]}
      onSave={save}
      onRead={reset}
      onCancel={onClose}
      submit={t('save')}
      {...{ etag, isPending, error }}
    >
      <p className="muted">{t('setTagsText')}</p>
      <Choices
        label={t('tags')}
        chosen={chosen}
        onChange={setChosen}
        options={tags.map((tag) => ({ value: tag.tagId, text: <TagChip {...tag} /> }))}
      />
    </EditForm>
  )
}
