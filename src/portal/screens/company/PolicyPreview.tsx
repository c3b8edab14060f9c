import { useEffect } from 'react'
import type { ReleasePolicy as Policy, ReleasePolicyEffect } from '../../api/generated.ts'
import { useCommand } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Button } from '../../kit/Button.tsx'
import { ConflictDialog } from '../../kit/ConflictDialog.tsx'
import { isConflict } from '../../kit/conflict.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { FormError } from '../../kit/Form.tsx'
import { Loading } from '../../kit/Notice.tsx'
import { tellAndClose } from '../../kit/toast.tsx'
import { type Texts, useTexts } from '../../texts/texts.ts'
import { StoppedBars } from '../bars/StoppedBars.tsx'
import { codes, executionClasses, policySeverityTexts } from './policyTexts.ts'

interface PolicyPreviewProps {
  readonly policy: Policy
  readonly etag: string | undefined
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Say which open bars might not be cut any more, before the policy is set. */
export function PolicyPreview({ policy, etag, onDone, onClose }: PolicyPreviewProps) {
  const texts = useTexts()
  const { t } = texts
  const params = { companyId: useCompanyId() }
  const dryRun = useCommand('setReleasePolicy')
  const { mutate: ask } = dryRun
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the dialog opens
  useEffect(() => ask({ params, query: { dryRun: true }, body: policy }), [])
  const { mutate, isPending, error, reset } = useCommand('setReleasePolicy')
  const save = (ifMatch = etag) =>
    mutate({ params, body: policy, ifMatch }, tellAndClose(t('policySet'), onDone))
  const bars = dryRun.data && (dryRun.data.data as ReleasePolicyEffect).bars
  return (
    <Dialog title={t('policyPreview')} onClose={onClose} shape="panel">
      <div className="dialogBody">
        {bars ? <StoppedBars bars={bars} /> : dryRun.error ? null : <Loading lines={3} />}
      </div>
      <FormError error={dryRun.error ?? (isConflict(error) ? null : error)} />
      <div className="dialogActions">
        <Button onPress={onClose}>{t('cancel')}</Button>
        <Button kind="primary" isPending={isPending || !bars} onPress={() => save()}>
          {t('save')}
        </Button>
      </div>
      {isConflict(error) && (
        <ConflictDialog
          id="getReleasePolicy"
          input={{ params }}
          compare={(theirs) => compare(policy, theirs, texts)}
          onSaveMine={(newest) => save(newest)}
          onTakeTheirs={onDone}
          onClose={reset}
        />
      )}
    </Dialog>
  )
}

/** Compare every value of two policies; only those that differ are worth a line. */
function compare(mine: Policy, theirs: Policy, { t }: Texts) {
  const rowsOf = (policy: Policy) =>
    new Map<string, string>([
      ...codes.flatMap((code) =>
        [undefined, ...executionClasses].map((one) => {
          const severity = one ? policy.byExecutionClass[one]?.[code] : policy.severities[code]
          const name = one ? `${t(code)} (${one})` : t(code)
          return [name, severity === undefined ? '–' : t(policySeverityTexts[severity])] as const
        }),
      ),
      [t('defaultDocument'), policy.defaultInspectionDocument ?? t('none')],
      [t('fourEyes'), t(policy.fourEyes ? 'yes' : 'no')],
      [t('qualityOnly'), t(policy.qualityOnly ? 'yes' : 'no')],
    ])
  const others = rowsOf(theirs)
  return [...rowsOf(mine)]
    .map(([name, value]) => ({ name, mine: value, theirs: others.get(name) ?? '–' }))
    .filter((row) => row.mine !== row.theirs)
}
