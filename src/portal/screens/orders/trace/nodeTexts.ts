import { wordOf, wordsFromWorst } from '../../../../domain/verdict/verdictWord.ts'
import type { Traceability } from '../../../api/generated.ts'
import { barTexts, barTones } from '../../../kit/BarMark.tsx'
import { severityTexts, severityTones, type Tone } from '../../../kit/Chip.tsx'
import { verdictTones } from '../../../kit/Verdict.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { lineTexts, lineTones } from '../lineStatus.ts'
import type { TracedCut, TraceNode } from './graph.ts'

interface NodeText {
  readonly title: string
  readonly state: { readonly tone: Tone; readonly text: string }
}

/** Return a function that says what a node of the trace is, and in which state. */
export function useNodeTexts(traced: Traceability): (node: TraceNode) => NodeText {
  const { t, number } = useTexts()
  const stateOf = useCutStates()
  const lengthsOf = useLengths()
  return (node) => {
    switch (node.kind) {
      case 'order':
        return {
          title: traced.orderNumber,
          state: traced.cleared
            ? { tone: 'good', text: t('cleared') }
            : { tone: 'warn', text: t('notCleared') },
        }
      case 'line': {
        const { lineNumber, cancelled, cuts, status } = node.line
        const worst = stateOf(cuts)
        const state: NodeText['state'] = cancelled
          ? { tone: 'calm', text: t('cancelled') }
          : worst.tone === 'bad'
            ? worst
            : { tone: lineTones[status], text: t(lineTexts[status]) }
        return {
          title: t('line', { n: lineNumber }),
          // A narrow window cuts off the end.
          state: { ...state, text: `${state.text} · ${t('cutCount', { n: number(cuts.length) })}` },
        }
      }
      case 'group':
        return { title: lengthsOf(node.cuts), state: stateOf(node.cuts) }
      case 'piece':
        return {
          title: [`${number(node.cut.lengthMm)} mm`, node.cut.pieceMark].filter(Boolean).join(' · '),
          state: stateOf([node.cut]),
        }
      case 'bar': {
        const [{ planName, barOrdinal, barStatus }] = node.cuts
        return {
          // The end of a long title is cut off, and the number must stay.
          title: `${t('bar')} ${number(barOrdinal)} · ${planName}`,
          state: { tone: barTones[barStatus], text: t(barTexts[barStatus]) },
        }
      }
      case 'heat': {
        const text = t('barCount', { n: number(node.from.length) })
        return node.heatNumber === null
          ? { title: t('noHeat'), state: { tone: 'warn', text } }
          : { title: node.heatNumber, state: { tone: 'calm', text } }
      }
      case 'certificate': {
        const [worst] = (['Block', 'Flag', 'Audit'] as const).flatMap((severity) =>
          node.cut.tags.filter((tag) => tag.severity === severity),
        )
        return {
          title: node.cut.certificateNumber ?? '',
          state: worst?.severity
            ? {
                tone: severityTones[worst.severity],
                text: `${t(severityTexts[worst.severity])}: ${worst.name}`,
              }
            : { tone: 'calm', text: t('noTagThatCounts') },
        }
      }
      case 'more':
        return {
          title: t('more'),
          state: { tone: 'calm', text: t('notDrawnYet', { n: number(node.count) }) },
        }
    }
  }
}

/** Return a function that writes the lengths of cuts, such as 3 × 5,850 mm. */
export function useLengths(): (cuts: readonly TracedCut[]) => string {
  const { t, number } = useTexts()
  return (cuts) =>
    [...Map.groupBy(cuts, ({ lengthMm }) => lengthMm)]
      .map(([length, same]) => t('pieces', { n: number(same.length), length: number(length) }))
      .join(', ')
}

/** Return a function that tells the worst state of cuts: whether they may be cut, or have been cut. */
export function useCutStates(): (cuts: readonly TracedCut[]) => NodeText['state'] {
  const { t } = useTexts()
  return (cuts) => {
    const words = new Set(
      cuts.map(({ findings, millCertificationId, barStatus }) =>
        wordOf({
          findings,
          hasCertificate: millCertificationId !== null,
          isStarted: barStatus === 'Started',
        }),
      ),
    )
    const worst = wordsFromWorst.find((word) => words.has(word)) ?? 'mayBeCut'
    const areCut = cuts.every(({ barStatus }) => barStatus === 'Completed')
    return { tone: verdictTones[worst], text: t(areCut && worst === 'mayBeCut' ? 'pieceCut' : worst) }
  }
}
