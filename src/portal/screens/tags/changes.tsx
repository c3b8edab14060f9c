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
}

interface DeleteTagProps {
  readonly family: Family
  readonly tag: Named
  readonly onClose: () => void
}

export function DeleteTag({ family, tag: { tagId, name }, onClose }: DeleteTagProps) {
  const { t } = useTexts()
  const companyId = useCompanyId()
  const { mutate, isPending, error } = useCommand(families[family].remove)
  const remove = () => mutate({ params: { companyId, tagId } }, tellAndClose(t('tagDeleted'), onClose))
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
  return ({ tagId }) =>
    mutate(
      { params: { companyId, tagId } },
      { onSuccess: () => tell(t('tagRestored')), onError: ({ message }) => tell(message) },
    )
}
