import { useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { RulePackWithDocument } from '../../api/generated.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useCommand, useList } from '../../api/queries.ts'
import { pathIn, useCompanyId } from '../../app/company.tsx'
import { Button } from '../../kit/Button.tsx'
import { CodeField } from '../../kit/CodeField.tsx'
import { ConflictDialog } from '../../kit/ConflictDialog.tsx'
import { isConflict } from '../../kit/conflict.ts'
import { Form } from '../../kit/Form.tsx'
import { tell } from '../../kit/toast.tsx'
import { faultText } from '../../texts/faults.ts'
import { useTexts } from '../../texts/texts.ts'
import { isOfFilledIn, type Place, placeOf, readPackText } from './packText.ts'
import { differencesOf } from './packVersions.ts'
import { RuleForm } from './RuleForm.tsx'

interface PackEditorProps {
  /** Absent for a new pack. */
  readonly rulePackId?: string
  readonly start: string
  readonly etag?: string | undefined
  readonly onSaved: (pack: RulePackWithDocument) => void
  /** Called when the person gives up the text and takes the pack of this id as somebody else has saved it. */
  readonly onTakeTheirs: (rulePackId: string) => void
}

/** Write a rule pack as text. Each fault has its place in the text; a click leads there. */
export function PackEditor({ rulePackId, start, etag, onSaved, onTakeTheirs }: PackEditorProps) {
  const { t, number } = useTexts()
  const companyId = useCompanyId()
  const [, go] = useLocation()
  const [text, setText] = useState(start)
  const [seen, setSeen] = useState(etag)
  const area = useRef<HTMLTextAreaElement>(null)
  const { document, faults: syntax } = useMemo(() => readPackText(text), [text])
  const add = useCommand('addRulePack')
  const replace = useCommand('replaceRulePack')
  const isNew = rulePackId === undefined
  // If a pack has this id already, the person may replace it.
  const { isPending, error } = replace.isIdle ? add : replace
  const id = rulePackId ?? idOf(document)
  const isTaken = useIsTaken(id, isNew && error !== null) && isAlreadyThere(error)
  const hasConflict = isConflict(error) || isTaken

  const saved = {
    onSuccess: ({ data, etag }: { data: RulePackWithDocument; etag: string | undefined }) => {
      setSeen(etag)
      tell(t('packSaved', { n: number(data.version) }))
      onSaved(data)
    },
  }
  const body = document as RulePackWithDocument['document']
  const overwrite = (ifMatch: string | undefined) =>
    replace.mutate({ params: { companyId, rulePackId: id }, body, ifMatch }, saved)
  const save = () => (isNew ? add.mutate({ params: { companyId }, body }, saved) : overwrite(seen))
  const reset = () => {
    add.reset()
    replace.reset()
  }
  const faults = [
    ...syntax.map((fault) => ({ ...fault, message: t(fault.text) })),
    ...useRefused(text, error),
  ]
  return (
    <>
      <Form
        onSubmit={save}
        onCancel={() => go(pathIn(companyId, '/settings'))}
        submit={t('save')}
        isPending={isPending}
        isPossible={syntax.length === 0}
        error={hasConflict ? null : error}
      >
        <RuleForm pack={document} onAdd={(pack) => setText(JSON.stringify(pack, null, 2))} />
        <CodeField
          label={t('packDocument')}
          value={text}
          onChange={setText}
          area={area}
          faultyLines={new Set(faults.map(({ line }) => line))}
          help={faults.length > 0 ? t('packFaults', { n: number(faults.length) }) : t('packNoFaults')}
        />
        {faults.length > 0 && <Faults faults={faults} onShow={(place) => showPlace(area.current, place)} />}
      </Form>
      {hasConflict && (
        <ConflictDialog
          id="getRulePack"
          input={{ params: { companyId, rulePackId: id } }}
          compare={(theirs) => differencesOf(document, theirs.document)}
          onSaveMine={overwrite}
          onTakeTheirs={() => {
            reset()
            onTakeTheirs(id)
          }}
          onClose={reset}
        />
      )}
    </>
  )
}

interface FaultsProps {
  readonly faults: readonly (Place & { readonly message: string; readonly detail?: string | undefined })[]
  readonly onShow: (place: Place) => void
}

function Faults({ faults, onShow }: FaultsProps) {
  const { t, number } = useTexts()
  return (
    <ul className="lines" aria-label={t('packFaults', { n: number(faults.length) })}>
      {faults.map((fault) => (
        <li key={`${fault.offset} ${fault.message}`}>
          <Button kind="quiet" onPress={() => onShow(fault)}>
            {t('lineColumn', { line: number(fault.line), column: number(fault.column) })}
          </Button>
          <span>
            {fault.message}{' '}
            {fault.detail && (
              <span lang="en" className="muted">
                {fault.detail}
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Put the cursor at a place of the text, and scroll there. */
function showPlace(area: HTMLTextAreaElement | null, { offset, line }: Place): void {
  if (!area) return
  area.focus()
  area.setSelectionRange(offset, offset)
  const lineHeight = area.scrollHeight / area.value.split('\n').length
  area.scrollTop = Math.max(0, line - 5) * lineHeight
}

function idOf(document: unknown): string {
  const { id } = (document ?? {}) as { readonly id?: unknown }
  return typeof id === 'string' ? id : ''
}

/** Whether the company has written a pack of this id. A pack of the service cannot be replaced. */
function useIsTaken(id: string, enabled: boolean): boolean {
  const { rows } = useList(
    'listRulePacks',
    { params: { companyId: useCompanyId() } },
    { every: false, enabled },
  )
  return rows?.some(({ rulePackId, own }) => own && rulePackId === id) ?? false
}

function isAlreadyThere(error: Error | null): boolean {
  return error instanceof ApiProblem && error.problem.code === 'rule-pack-already-exists'
}

/** Return the faults that the service has found, at their places in the present text. */
function useRefused(text: string, error: Error | null) {
  const { t, language } = useTexts()
  if (!(error instanceof ApiProblem)) return []
  return (error.problem.errors ?? [])
    .map((fault) => {
      const { line = 0, column = 0, message } = fault
      const where = isOfFilledIn(text, fault) ? ` ${t('inFilledIn', { line, column })}` : ''
      // The language of rules is English, so its faults are told in English beside the German.
      const detail = language === 'en' ? undefined : message
      return { ...placeOf(text, fault), message: faultText(fault, language) + where, detail }
    })
    .toSorted((one, other) => one.offset - other.offset)
}
