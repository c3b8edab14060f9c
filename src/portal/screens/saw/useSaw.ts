import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { heatOfSteel } from '../../../domain/bars/heatOfSteel.ts'
import { useCompanyId } from '../../app/company.tsx'
import { useMay } from '../../app/session.tsx'
import { useBarName } from '../../kit/barName.ts'
import type { Act } from '../../taps/taps.ts'
import { useTap } from '../../taps/useTaps.ts'
import { type Texts, useTexts } from '../../texts/texts.ts'
import { readScan, type Scan } from './scan.ts'
import { type SawnBar, useSawBars } from './useSawBars.ts'

/** The state of the saw: the open bar, what the last scan brought, and what people do to the bar. */
export function useSaw() {
  const { t } = useTexts()
  const nameOf = useBarName()
  const companyId = useCompanyId()
  const maySet = useMay(companyId)('setBarCertificate')
  const tap = useTap()
  const [search, setSearch] = useSearchParams()
  const barId = search.get('bar') ?? undefined
  /** The plan that is sawn here. A scan finds the bars of all plans. */
  const planId = search.get('plan') ?? undefined
  const sawn = useSawBars(barId)
  const { bars, open } = sawn
  const [asksHeat, setAsksHeat] = useState(false)
  /** The ids of the bars that the last scan has found. */
  const [found, setFound] = useState<readonly string[]>()
  const [answer, setAnswer] = useState<ScanAnswer>()
  /** The code that was scanned before the bars were read. */
  const [early, setEarly] = useState<string>()

  const show = (nextBarId?: string) => {
    setSearch({
      ...(planId !== undefined && { plan: planId }),
      ...(nextBarId !== undefined && { bar: nextBarId }),
    })
    setAsksHeat(false)
    setFound(undefined)
    setAnswer(undefined)
    setEarly(undefined)
    // Show the verdict, which is at the top.
    scrollTo(0, 0)
  }
  const act = ({ bar }: SawnBar, action: Act) => {
    const { barId, revision } = bar
    tap({ companyId, barId, revision, barName: nameOf(bar) }, action)
    setAsksHeat(false)
    setAnswer(undefined)
  }
  const scan = (text: string) => {
    const allBars = bars.map(({ bar }) => bar)
    const meant = readScan(text, allBars, open?.bar, { maySet, isAsked: asksHeat })
    if (meant.kind === 'bar') return show(meant.barId)
    // Without an open bar, wait until all bars are read: another of them may have this heat.
    if (!open && !sawn.isComplete) return setEarly(text)
    if (meant.kind === 'bars' || meant.kind === 'nearBars') {
      const only = meant.kind === 'bars' && meant.barIds.length === 1 ? meant.barIds[0] : undefined
      show(only)
      if (only === undefined) setFound(meant.barIds)
    }
    const heatNumber = heatToSet(meant, text, maySet ? open : undefined)
    if (heatNumber !== undefined) act(open!, { kind: 'heat', heatNumber })
    setAnswer(answerTo(meant, text, { heatNumber, open, t }))
  }
  useEffect(() => {
    if (early === undefined || !sawn.isComplete) return
    setEarly(undefined)
    scan(early)
  })
  return { barId, planId, sawn, asksHeat, setAsksHeat, found, answer, show, act, scan }
}

/** The saw's answer to the last scan. */
interface ScanAnswer {
  readonly tone: 'good' | 'bad'
  readonly text: string
  readonly isWrongHeat?: boolean
  /** The heat of the open bar, if it looks like the scanned one. */
  readonly near?: string
}

/**
 * Return the heat that the scan sets. It may be the heat of the bar's own certificate, if the bar may not start before
 * somebody has read the heat off the steel.
 */
function heatToSet(scan: Scan, text: string, settable: SawnBar | undefined): string | undefined {
  if (scan.kind === 'setHeat') return scan.heatNumber
  return scan.kind === 'sameHeat' && settable && isHeatUnread(settable.bar) ? text.trim() : undefined
}

function isHeatUnread({ verdict }: SawnBar['bar']): boolean {
  return verdict?.findings.some(({ code }) => code === 'heat-unread') ?? false
}

interface Scanned {
  /** The heat that the scan has set. */
  readonly heatNumber: string | undefined
  readonly open: SawnBar | undefined
  readonly t: Texts['t']
}

function answerTo(scan: Scan, text: string, { heatNumber, open, t }: Scanned): ScanAnswer | undefined {
  if (heatNumber !== undefined) return { tone: 'good', text: t('heatRead', { heat: heatNumber }) }
  switch (scan.kind) {
    case 'bar':
    case 'bars':
      return undefined
    case 'nearBars':
      return { tone: 'bad', text: t('heatNear', { text }) }
    case 'nearHeat': {
      const { heatNumber: near } = scan
      return { tone: 'bad', text: t('heatNearOfBar', { heat: near, text }), isWrongHeat: true, near }
    }
    case 'sameHeat':
      return { tone: 'good', text: t('heatMatches', { heat: text }) }
    default: {
      const heat = open && heatOfSteel(open.bar)
      if (!heat) return { tone: 'bad', text: t('scanUnknown', { text }) }
      return { tone: 'bad', text: t('heatDiffers', { heat, text }), isWrongHeat: true }
    }
  }
}
