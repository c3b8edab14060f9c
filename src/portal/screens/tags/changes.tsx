import { asSeen } from '../../api/client.ts'
import { useCommand } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Confirm } from '../../kit/Dialog.tsx'
import { tellAndClose } from '../../kit/toast.tsx'
import { useUndo } from '../../kit/undo.ts'
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
  const params = { companyId, tagId }
  const { mutate, isPending, error } = useCommand(families[family].remove)
  const restore = useUndo(families[family].restore)
  const undo = (ifMatch: string | undefined) => restore([{ params, ifMatch }], t('tagRestored'))
  const remove = () => mutate({ params, ...asSeen(tag) }, tellAndClose(t('tagDeleted'), onClose, undo))
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
  const restore = useUndo(families[family].restore)
  return (tag) =>
    void restore([{ params: { companyId, tagId: tag.tagId }, ...asSeen(tag) }], t('tagRestored'))
}
