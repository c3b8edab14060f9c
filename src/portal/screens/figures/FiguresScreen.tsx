import { useState } from 'react'
import { useList, useWhole } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { barTexts } from '../../kit/BarMark.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { Page } from '../../kit/Page.tsx'
import { StackedBars } from '../../kit/StackedBars.tsx'
import { useTexts } from '../../texts/texts.ts'
import { barSteps } from '../bars/barSteps.ts'
import { ages, lastWeeks, statesOfWeek, stockOfWeek, waitingByAge } from './figures.ts'

const weekCount = 12

/** Pictures of the company's work: its stock, its bars, and the certificates that wait. */
export function FiguresScreen() {
  const { t, number, date } = useTexts()
  const params = { companyId: useCompanyId() }
  const [nowMs] = useState(Date.now)
  const bars = useWhole(
    useList('listProductionPlanBars', { params, query: { status: [...barSteps] } }, { every: false }),
  )
  const waiting = useWhole(
    useList('listCertificates', { params, query: { status: ['Received'] } }, { every: false }),
  )
  const weeks = lastWeeks(nowMs, weekCount).map((week) => ({
    week,
    name: t('weekFrom', { day: date(new Date(week).toISOString()) }),
  }))
  const inMetres = (mm: number) => `${number(Math.round(mm / 100) / 10)} m`
  const error = bars.error ?? waiting.error
  const ageText = (index: number) => {
    const [from, to] = [ages[index]!, ages[index + 1]]
    if (to === undefined) return t('daysAndMore', { from: number(from) })
    return from === 0 ? t('daysUnder', { n: to }) : t('daysFromTo', { from: number(from), to: number(to) })
  }
  return (
    <Page title={t('figures')} lead={t('figuresText', { n: number(weekCount) })}>
      {error && <Failure error={error} />}
      {!error && (!bars.isWhole || !waiting.isWhole) && <Loading />}
      {bars.isWhole && waiting.isWhole && (
        <>
          <StackedBars
            title={`${t('stockByWeek')} · ${t('utilisation')}`}
            parts={[t('stockUsed'), t('pieceIsScrap'), t('remnants')]}
            bars={weeks.map(({ week, name }) => {
              const { usedMm, scrapMm, remnantMm } = stockOfWeek(bars.rows ?? [], week)
              return { name, values: [usedMm, scrapMm, remnantMm] }
            })}
            format={inMetres}
            about={([usedMm = 0, scrapMm = 0, remnantMm = 0]) => {
              const stockMm = usedMm + scrapMm + remnantMm
              return stockMm === 0
                ? '–'
                : `${inMetres(stockMm)} · ${number(Math.round((100 * usedMm) / stockMm))} %`
            }}
          />
          <StackedBars
            title={t('barsByWeek')}
            parts={barSteps.map((step) => t(barTexts[step]))}
            bars={weeks.map(({ week, name }) => {
              const counts = statesOfWeek(bars.rows ?? [], week)
              return { name, values: barSteps.map((step) => counts[step]) }
            })}
            format={number}
          />
          <StackedBars
            title={t('waitingByAge')}
            parts={[t('certificates')]}
            bars={waitingByAge(
              (waiting.rows ?? []).map(({ registeredAt }) => registeredAt),
              nowMs,
            ).map((count, index) => ({
              name: ageText(index),
              values: [count],
            }))}
            format={number}
          />
        </>
      )}
    </Page>
  )
}
