import { ChoiceFilter, ClearFilters, type Filters } from '../../../kit/filters.tsx'
import { Empty } from '../../../kit/Notice.tsx'
import { Views } from '../../../kit/Views.tsx'
import { useTexts } from '../../../texts/texts.ts'

/** The filters that lists of certificates and of orders share. */

/** The part of a list's query that these filters decide. */
export function subjectQuery(filters: Filters): { tagId: string; blocked?: boolean } {
  const blocked = filters.value('blocked')
  return { tagId: filters.value('tagId'), ...(blocked !== '' && { blocked: blocked === 'true' }) }
}

interface SubjectFiltersProps {
  readonly filters: Filters
  readonly tags: readonly { readonly tagId: string; readonly name: string }[]
}

export function SubjectFilters({ filters, tags }: SubjectFiltersProps) {
  const { t } = useTexts()
  return (
    <>
      <ChoiceFilter
        filters={filters}
        name="tagId"
        label={t('tag')}
        options={tags.map(({ tagId, name }) => ({ value: tagId, text: name }))}
      />
      <Views
        label={t('severityBlock')}
        parameter="blocked"
        views={[
          { value: '', text: t('all') },
          { value: 'true', text: t('blocked') },
          { value: 'false', text: t('notBlocked') },
        ]}
      />
      <ClearFilters filters={filters} />
    </>
  )
}

interface NoSubjectsProps {
  readonly filters: Filters
  /** Shown when no filter is set. */
  readonly title: string
  readonly text: string
}

export function NoSubjects({ filters, title, text }: NoSubjectsProps) {
  const { t } = useTexts()
  if (filters.isAny) return <Empty title={t('nothingFound')}>{t('nothingFoundText')}</Empty>
  return <Empty title={title}>{text}</Empty>
}
