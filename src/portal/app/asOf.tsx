import { type ReactNode, useCallback, useContext, useState } from 'react'
import { type AroundNavHandler, Router, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { AsOfContext, useAsOf } from '../api/asOf.ts'
import { serviceTime } from '../api/client.ts'
import { useRecord } from '../api/queries.ts'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Form, TextField } from '../kit/Form.tsx'
import { useFailure } from '../kit/Notice.tsx'
import { Page } from '../kit/Page.tsx'
import { type TextName, useTexts } from '../texts/texts.ts'
import { CompanyContext, useCompanyId } from './company.tsx'

/**
 * The time or position as of which the portal shows everything. The address holds it as `asOf`, a time (RFC 3339) or a position,
 * and every link and navigation keeps it. In the past nothing can be changed.
 */

const parameter = 'asOf'

/** The addresses of the portal. */
export function AsOfRouter({ children }: { readonly children: ReactNode }) {
  const asOf = new URLSearchParams(useSearch()).get(parameter) ?? undefined
  const keep = useCallback((path: string) => withAsOf(path, asOf), [asOf])
  const aroundNav = useCallback<AroundNavHandler>((go, to, options) => go(keep(to), options), [keep])
  return (
    <AsOfContext value={asOf}>
      <Router base="/portal" hrefs={keep} aroundNav={aroundNav}>
        {children}
      </Router>
    </AsOfContext>
  )
}

function withAsOf(path: string, asOf: string | undefined): string {
  if (asOf === undefined) return path
  const [place, query] = path.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set(parameter, asOf)
  return `${place}?${parameters}`
}

/** Show everything as of another time, or as it is now, in the same place and with the same filters. */
export function showAsOf(asOf: string | undefined): void {
  const parameters = new URLSearchParams(location.search)
  parameters.delete(parameter)
  const query = parameters.size > 0 ? `?${parameters}` : ''
  navigate(withAsOf(`${location.pathname}${query}`, asOf))
}

/** Tell on every screen that it shows the past, and lead back. */
export function PastBanner() {
  const asOf = useAsOf()
  return asOf === undefined ? null : <Banner asOf={asOf} />
}

function Banner({ asOf }: { readonly asOf: string }) {
  const { t } = useTexts()
  const companyId = useContext(CompanyContext)
  const [isChoosing, setIsChoosing] = useState(false)
  const shownAsOf = useAsOfText(asOf)
  return (
    <section className="past" aria-label={t('pastBanner')}>
      <div>
        <strong>{t('asOfText', { asOf: shownAsOf })}</strong>{' '}
        {companyId !== undefined && <LastEvent companyId={companyId} />}
        <p>{t('pastText')}</p>
      </div>
      <div className="actions">
        <Button onPress={() => setIsChoosing(true)}>{t('otherTime')}</Button>
        <Button onPress={() => showAsOf(undefined)}>{t('backToNow')}</Button>
      </div>
      {isChoosing && <AsOfDialog onClose={() => setIsChoosing(false)} />}
    </section>
  )
}

const isPosition = (text: string) => /^\d+$/.test(text)

/** Say a time or position in words. One that the service will refuse stays as it is. */
function useAsOfText(asOf: string): string {
  const { t, number, exactTime } = useTexts()
  if (isPosition(asOf)) return t('atPosition', { position: number(Number(asOf)) })
  return Number.isNaN(Date.parse(asOf)) ? asOf : exactTime(asOf)
}

/** Read which event of the company is the last one at that time. Every list names it, so one row is enough. */
function useLastEvent(companyId: string) {
  const isPast = useAsOf() !== undefined
  const input = { params: { companyId }, query: { limit: 1 } }
  return useRecord('listProductionPlans', input, { enabled: isPast })
}

/** Return the position up to which events are shown. It is undefined until the service has named it. */
export function useShownPosition(): number | undefined {
  const { data } = useLastEvent(useCompanyId())
  return useAsOf() === undefined ? Number.POSITIVE_INFINITY : data?.asOf?.position
}

/** Name the last event of the company at that time. */
function LastEvent({ companyId }: { readonly companyId: string }) {
  const { data, error } = useLastEvent(companyId)
  if (error) return <Refusal error={error} />
  return data?.asOf ? <EventText {...data.asOf} /> : null
}

function EventText({ position, time }: { readonly position: number; readonly time: string | undefined }) {
  const { t, number, exactTime } = useTexts()
  if (time === undefined) return <span>{t('beforeFirstEvent')}</span>
  return <span>{t('lastEvent', { position: number(position), time: exactTime(time) })}</span>
}

function Refusal({ error }: { readonly error: Error }) {
  const { title, text } = useFailure(error)
  return (
    <span role="alert">
      {title}: {text}
    </span>
  )
}

/** Offer to show an earlier time. */
export function ShowThePast() {
  const { t } = useTexts()
  const companyId = useContext(CompanyContext)
  const isPast = useAsOf() !== undefined
  const [isOpen, setIsOpen] = useState(false)
  if (companyId === undefined || isPast) return null
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>{t('showPast')}</Button>
      {isOpen && <AsOfDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}

/** Choose a time, or a position. */
function AsOfDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTexts()
  const present = useAsOf() ?? serviceTime()
  const [time, setTime] = useState(isPosition(present) ? '' : localTime(present))
  const [position, setPosition] = useState(isPosition(present) ? present : '')
  const [isTried, setIsTried] = useState(false)
  const chosen = position || (time && new Date(time).toISOString())
  const fault = faultOf(chosen, position !== '')
  const show = () => {
    setIsTried(true)
    if (fault) return
    onClose()
    showAsOf(chosen)
  }
  return (
    <Dialog title={t('showPast')} onClose={onClose}>
      <p className="dialogBody">{t('showPastText')}</p>
      <Form onSubmit={show} onCancel={onClose} submit={t('show')} isPending={false} error={null}>
        <TextField
          label={t('dateAndTime')}
          value={time}
          onChange={setTime}
          type="datetime-local"
          fault={isTried && fault?.of === 'time' ? t(fault.text) : undefined}
        />
        <TextField
          label={t('positionInstead')}
          value={position}
          onChange={(typed) => setPosition(typed.trim())}
          help={t('positionHelp')}
          fault={isTried && fault?.of === 'position' ? t(fault.text) : undefined}
        />
      </Form>
    </Dialog>
  )
}

function faultOf(chosen: string, byPosition: boolean) {
  if (byPosition) return isPosition(chosen) ? undefined : ({ of: 'position', text: 'positionFault' } as const)
  if (chosen === '') return { of: 'time', text: 'timeMissing' } as const
  return chosen > serviceTime() ? ({ of: 'time', text: 'timeInFuture' } as const) : undefined
}

/** Return a time as the browser's field for it takes it, by the clock of this device. */
function localTime(time: string): string {
  const at = new Date(time)
  if (Number.isNaN(at.valueOf())) return ''
  return new Date(at.valueOf() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

interface PresentScreenProps {
  readonly title: TextName
  readonly children: ReactNode
}

/** A screen that shows the present alone. In the past it says so. */
export function PresentScreen({ title, children }: PresentScreenProps) {
  const { t } = useTexts()
  if (useAsOf() === undefined) return children
  return (
    <Page title={t(title)}>
      <div className="empty">
        <p className="emptyTitle">{t('presentOnly')}</p>
        <p>{t('presentOnlyText')}</p>
        <Button onPress={() => showAsOf(undefined)}>{t('backToNow')}</Button>
      </div>
    </Page>
  )
}
