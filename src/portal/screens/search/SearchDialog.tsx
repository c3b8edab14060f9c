import { type KeyboardEvent, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { type ListState, useList } from '../../api/queries.ts'
import { pathIn } from '../../app/company.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { TextField } from '../../kit/Form.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { useTexts } from '../../texts/texts.ts'
import { barIdIn } from '../saw/scan.ts'
import { type Hit, hitsOf } from './hits.ts'

interface SearchDialogProps {
  readonly companyId: string
  readonly onClose: () => void
}

/** Find a record by what is printed on paper, steel or a label. Enter opens the first hit; the arrows go on. */
export function SearchDialog({ companyId, onClose }: SearchDialogProps) {
  const { t } = useTexts()
  const [, go] = useLocation()
  const [typed, setTyped] = useState('')
  const restedText = useRested(typed.trim())
  const { hits, isAnswered, error } = useHits(companyId, restedText)
  const isRead = isAnswered && restedText === typed.trim()
  const [first] = hits
  /** A scanner sends Enter before the service has answered. */
  const [isEntered, setIsEntered] = useState(false)
  useEffect(() => {
    if (!isEntered || !isRead) return
    setIsEntered(false)
    if (!first) return
    go(pathIn(companyId, first.path))
    onClose()
  })
  return (
    <Dialog title={t('search')} onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are a short cut for the tab key */}
      <div className="search" onKeyDown={moveFocus}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            setIsEntered(true)
          }}
        >
          <TextField
            label={t('searchAll')}
            value={typed}
            onChange={(text) => {
              setTyped(text)
              setIsEntered(false)
            }}
            type="search"
            autoFocus
            help={t('searchAllHelp')}
          />
        </form>
        {error && <Failure error={error} />}
        {!isRead && !error && <Loading lines={2} />}
        {isRead && typed.trim() !== '' && hits.length === 0 && (
          <p className="muted" role="status">
            {t('nothingFound')}
          </p>
        )}
        <ul className="lines">
          {hits.map((hit) => (
            <HitLine key={`${hit.kind} ${hit.path}`} {...{ hit, companyId, onClose }} />
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

function HitLine({ hit, companyId, onClose }: SearchDialogProps & { readonly hit: Hit }) {
  const { t } = useTexts()
  const { kind, path, text, more } = hit
  return (
    <li>
      <Link href={pathIn(companyId, path)} className="rowLink" onClick={onClose}>
        {kind === 'recall' ? t('recallOf', { name: text }) : text}
      </Link>
      <span className="muted">{[t(kind), ...more].filter(Boolean).join(' · ')}</span>
    </li>
  )
}

const mostOfKind = 5
/** The service takes this many words. Fewer words find more. */
const mostWords = 10
/** Characters that the service takes. */
const mostOfNote = 50
const mostOfSearch = 100
/** Milliseconds without a key after which the service is asked. */
const restMs = 250

function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

function useHits(companyId: string, text: string) {
  const { date } = useTexts()
  const params = { companyId }
  const limit = mostOfKind
  const barId = barIdIn(text)
  const words = text.split(/[\s\-/.]+/).filter(Boolean)
  const q = words.slice(0, mostWords).join(' ').slice(0, mostOfSearch)
  const options = { enabled: q !== '' && barId === undefined, every: false } as const
  const certificates = useList('listCertificates', { params, query: { q, limit } }, options)
  const orders = useList('listOrders', { params, query: { q, limit } }, options)
  // The names of plans come with the verdicts.
  const barQuery = {
    ...(barId ? { barId } : { q, limit }),
    include: ['verdict' as const],
  }
  const bars = useList(
    'listProductionPlanBars',
    { params, query: barQuery },
    { ...options, enabled: q !== '' },
  )
  const notes = { deliveryNote: text.slice(0, mostOfNote), limit }
  const deliveries = useList('listDeliveries', { params, query: notes }, options)
  const lists = barId === undefined ? [certificates, orders, bars, deliveries] : [bars]
  // A list that is not asked for keeps the rows of the text before.
  const rowsOf = <Row,>(list: ListState<Row>) => {
    const isAsked = q !== '' && (lists as readonly unknown[]).includes(list)
    return isAsked ? (list.rows ?? []) : []
  }
  return {
    hits: hitsOf(text, {
      certificates: rowsOf(certificates),
      orders: rowsOf(orders),
      bars: rowsOf(bars),
      deliveries: rowsOf(deliveries).map((one) => ({ ...one, date: date(one.date) })),
    }),
    isAnswered: q === '' || lists.every(({ rows, isReadHere }) => rows !== undefined && isReadHere),
    error: lists.find((list) => list.error)?.error,
  }
}

/** Move the focus between the field and the hits. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, .lines a')]
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
