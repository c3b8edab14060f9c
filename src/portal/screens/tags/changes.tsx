import { asSeen } from '../../api/client.ts'
import { useCommand } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Confirm } from '../../kit/Dialog.tsx'
import { tell, tellAndClose } from '../../kit/toast.tsx'
import { useTexts } from '../../texts/texts.ts'
import { type Family, families } from './family.ts'

/** Deleting and restoring a tag, from its row and from its record. */

interface Named {
  readonly tagId: string
  readonly name: string
  readonly revision: number
}

interface DeleteTagProps {
  readonly family: Family
  readonly tag: Named
  readonly onClose: () => void
}

export function DeleteTag({ family, tag, onClose }: DeleteTagProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const { tagId, name } = tag
  const { mutate, isPending, error } = useCommand(families[family].remove)
  const remove = () =>
    mutate({ params: { companyId, tagId }, ...asSeen(tag) }, tellAndClose(t('tagDeleted'), onClose))
  return (
    <Confirm
      title={t('deleteTagTitle', { name })}
      action={t('delete')}
      onConfirm={remove}
      {...{ onClose, isPending, error }}
    >
      <p>{t('deleteTagText')}</p>
    </Confirm>
  )
}

export function useRestoreTag(family: Family): (tag: Named) => void {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const { mutate } = useCommand(families[family].restore)
  return (tag) =>
    mutate(
      { params: { companyId, tagId: tag.tagId }, ...asSeen(tag) },
      { onSuccess: () => tell(t('tagRestored')), onError: ({ message }) => tell(message) },
    )
}
