import { useState } from 'react'
import type { DatedTag } from '../../api/generated.ts'
import { useRecord } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { Mark, SeverityMark, TagChip } from '../../kit/Chip.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Facts, Page, Section } from '../../kit/Page.tsx'
import { PresentSection } from '../../kit/PresentSection.tsx'
import { useTexts } from '../../texts/texts.ts'
import { DeleteTag, useRestoreTag } from './changes.tsx'
import { type Family, families } from './family.ts'
import { Subjects } from './Subjects.tsx'
import { TagHistory } from './TagHistory.tsx'
import { TagPanel } from './TagPanel.tsx'

interface TagScreenProps {
  readonly family: Family
  readonly tagId: string
}

/** One tag: its content, the subjects that have it, and its timeline. */
export function TagScreen({ family, tagId }: TagScreenProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const { title, get } = families[family]
  const { data, error, refetch } = useRecord(get, { params: { companyId, tagId } })
  const back = { href: pathIn(companyId, `/tags/${family}`), text: t(title) }
  if (!data)
    return (
      <Page title={error ? t('notFound') : t(title)} back={back}>
        {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Loading />}
      </Page>
    )
  return <Tag family={family} tag={data.data} back={back} />
}

interface TagProps {
  readonly family: Family
  readonly tag: DatedTag
  readonly back: { readonly href: string; readonly text: string }
}

function Tag({ family, tag, back }: TagProps) {
  const { t, dateTime } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const restore = useRestoreTag(family)
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const { update } = families[family]
  const close = () => setOpen(undefined)
  const mayChange = may(update) && !tag.isSystemTag
  return (
    <Page
      title={tag.name}
      back={back}
      marks={
        <>
          {tag.severity && <SeverityMark severity={tag.severity} />}
          {!tag.active && <Mark tone="calm">{t('isDeleted')}</Mark>}
        </>
      }
      actions={
        mayChange &&
        (tag.active ? (
          <>
            <Button onPress={() => setOpen('delete')}>{t('delete')}</Button>
            <Button kind="primary" onPress={() => setOpen('edit')}>
              {t('edit')}
            </Button>
          </>
        ) : (
          <Button kind="primary" onPress={() => restore(tag)}>
            {t('restore')}
          </Button>
        ))
      }
      lead={tag.description}
    >
      <Facts
        facts={[
          { name: t('colour'), value: <TagChip name={tag.color} color={tag.color} /> },
          { name: t('origin'), value: t(tag.isSystemTag ? 'systemTag' : 'ownTag') },
          { name: t('created'), value: dateTime(tag.createdAt) },
          { name: t('updated'), value: dateTime(tag.updatedAt) },
        ]}
      />
      <Section title={t('subjects')}>
        <Subjects family={family} tagId={tag.tagId} />
      </Section>
      <PresentSection title={t('timeline')}>
        <Section title={t('timeline')}>
          <TagHistory family={family} tagId={tag.tagId} />
        </Section>
      </PresentSection>
      {open === 'edit' && <TagPanel family={family} tagId={tag.tagId} onClose={close} />}
      {open === 'delete' && <DeleteTag family={family} tag={tag} onClose={close} />}
    </Page>
  )
}
