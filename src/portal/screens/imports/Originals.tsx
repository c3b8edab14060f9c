import { Link } from 'wouter'
import type { Input } from '../../api/client.ts'
import type { ConfirmedImport } from '../../api/generated.ts'
import { useCommand } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { Button } from '../../kit/Button.tsx'
import { FormError } from '../../kit/Form.tsx'
import { useTexts } from '../../texts/texts.ts'

interface OriginalsProps {
  readonly outcome: ConfirmedImport
  readonly confirmation: Input<'confirmImport'>
}

/** Say which certificates did not get their original. The same confirmation again attaches it. */
export function Originals({ outcome, confirmation }: OriginalsProps) {
  const { t, problemText } = useTexts()
  const companyId = useCompanyId()
  const again = useCommand('confirmImport')
  const { rows } = again.data?.data ?? outcome
  const failed = rows.filter(({ original }) => original && original.status >= 400)
  if (failed.length === 0) return again.data ? <p role="status">{t('originalAttached')}</p> : null
  return (
    <div className="stack">
      <div className="formError" role="alert">
        <strong>{t('originalFailed')}</strong>
        {failed.map(({ row, id, original }) => (
          <span key={row}>
            <Link href={pathIn(companyId, `/certificates/${id}`)}>{t('importRow', { n: row })}</Link>:{' '}
            {original && problemText({ ...original })}
          </span>
        ))}
        <span>{t('originalToDo')}</span>
      </div>
      <FormError error={again.error} />
      <div>
        <Button onPress={() => again.mutate(confirmation)} isPending={again.isPending}>
          {t('attachAgain')}
        </Button>
      </div>
    </div>
  )
}
