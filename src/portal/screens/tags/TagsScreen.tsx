import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { ListedTag } from '../../api/generated.ts'
import { useList } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { Actions } from '../../kit/Actions.tsx'
import { Button } from '../../kit/Button.tsx'
import { SeverityMark, TagChip } from '../../kit/Chip.tsx'
import { Empty } from '../../kit/Notice.tsx'
import { Page } from '../../kit/Page.tsx'
import { Table } from '../../kit/Table.tsx'
import { Views } from '../../kit/Views.tsx'
import { useTexts } from '../../texts/texts.ts'
import { DeleteTag, useRestoreTag } from './changes.tsx'
import { type Family, families } from './family.ts'
import { TagPanel } from './TagPanel.tsx'

/** The tags of one family: the active ones and the deleted ones. */
export function TagsScreen({ family }: { readonly family: Family }) {
  const { t, number, dateTime } = useTexts()
  const companyId = useCompanyId()
  const may = useMay(companyId)
  const [search] = useSearchParams()
  const isDeleted = search.get('view') === 'deleted'
  const { title, list: listActive, listDeleted, create, update } = families[family]
  const list = useList(isDeleted ? listDeleted : listActive, { params: { companyId } })
  const [editing, setEditing] = useState<ListedTag | 'new'>()
  const [deleting, setDeleting] = useState<ListedTag>()
  const restore = useRestoreTag(family)
  const newTag = (
    <Button kind="primary" onPress={() => setEditing('new')}>
      {t('newTag')}
    </Button>
  )
  const actionsOn = (tag: ListedTag) => {
    if (tag.isSystemTag || !may(update)) return []
    if (!tag.active) return [{ text: t('restore'), act: () => restore(tag) }]
    return [
      { text: t('edit'), act: () => setEditing(tag) },
      { text: t('delete'), act: () => setDeleting(tag), isDangerous: true },
    ]
  }
  return (
    <Page title={t(title)} lead={t('tagsText')} actions={may(create) && newTag}>
      <div className="toolbar">
        <Views
          label={t('status')}
          views={[
            { value: '', text: t('activeTags') },
            { value: 'deleted', text: t('deletedTags') },
          ]}
        />
      </div>
      <Table
        label={t(title)}
        list={list}
        rowKey={({ tagId }) => tagId}
        empty={
          isDeleted ? (
            <Empty title={t('noDeletedTags')} />
          ) : (
            <Empty title={t('noTags')}>{t('noTagsText')}</Empty>
          )
        }
        columns={[
          {
            title: t('name'),
            cell: (tag) => (
              <Link href={pathIn(companyId, `/tags/${family}/${tag.tagId}`)} className="rowLink">
                <TagChip {...tag} />
              </Link>
            ),
          },
          { title: t('severity'), cell: ({ severity }) => <SeverityMark severity={severity} /> },
          {
            title: t('description'),
            cell: ({ description }) => <span className="clipped muted">{description}</span>,
            from: 'desktop',
          },
          { title: t('usage'), cell: ({ usageCount }) => number(usageCount), isNumber: true, from: 'tablet' },
          {
            title: t('origin'),
            cell: ({ isSystemTag }) => (
              <span className="noWrap">{t(isSystemTag ? 'systemTag' : 'ownTag')}</span>
            ),
            from: 'desktop',
          },
          {
            title: t('updated'),
            cell: ({ updatedAt }) => <span className="noWrap">{dateTime(updatedAt)}</span>,
            from: 'desktop',
          },
          { title: t('moreActions'), isUntitled: true, cell: (tag) => <Actions actions={actionsOn(tag)} /> },
        ]}
      />
      {editing !== undefined && (
        <TagPanel
          family={family}
          {...(editing !== 'new' && { tagId: editing.tagId })}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && <DeleteTag family={family} tag={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  )
}
