import { useId, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { useBarName } from '../../kit/barName.ts'
import { Choices, TextField } from '../../kit/Form.tsx'
import { useTexts } from '../../texts/texts.ts'
import { useReason } from '../bars/Reason.tsx'
import { isCleared, objectionsTo, type Piece, withCount } from './pieces.ts'

interface PieceChoicesProps {
  readonly pieces: readonly Piece[]
  /** The ids of their cuts. */
  readonly chosen: readonly string[]
  readonly onChange: (chosen: string[]) => void
  readonly fault: string | undefined
}

/** Some of the pieces of an order: a number of them for each line, or single ones. */
export function PieceChoices({ pieces, chosen, onChange, fault }: PieceChoicesProps) {
  const { t, number } = useTexts()
  return (
    <>
      <div>
        <Button
          isPending={chosen.length === pieces.length}
          onPress={() => onChange(pieces.map(({ cutId }) => cutId))}
        >
          {t('selectAll', { n: number(pieces.length) })}
        </Button>
      </div>
      {[...Map.groupBy(pieces, ({ lineNumber }) => lineNumber).values()].map((ofLine) => (
        <OfLine key={ofLine[0]!.lineNumber} pieces={ofLine} {...{ chosen, onChange }} />
      ))}
      {fault !== undefined && <span className="fault">{fault}</span>}
    </>
  )
}

/** Pieces of a line that are shown without being asked for. */
const shownAtOnce = 5

function OfLine({ pieces, chosen, onChange }: Omit<PieceChoicesProps, 'fault'>) {
  const { t, number } = useTexts()
  const nameOf = useBarName()
  const reasonOf = useReason()
  const id = useId()
  const [{ lineNumber, about }] = pieces as [Piece]
  const ids = pieces.map(({ cutId }) => cutId)
  const chosenOfLine = chosen.filter((cutId) => ids.includes(cutId))
  const others = chosen.filter((cutId) => !ids.includes(cutId))
  const heldPieces = pieces.filter((piece) => !isCleared(piece))
  const [typed, setTyped] = useState<string>()
  const take = (text: string) => {
    setTyped(text)
    onChange([...others, ...withCount(pieces, Number(text) || 0)])
  }
  const choose = (some: string[]) => {
    setTyped(undefined)
    onChange([...others, ...some])
  }
  const text = (piece: Piece) => {
    const { pieceMark, lengthMm, planName, barOrdinal, cutOrdinal, heatNumber } = piece
    const [objection] = objectionsTo(piece)
    return [
      pieceMark,
      `${number(lengthMm)} mm`,
      nameOf({ planName, ordinal: barOrdinal }),
      t('pieceNumber', { n: number(cutOrdinal) }),
      heatNumber === null ? t('noHeat') : `${t('heat')} ${heatNumber}`,
      objection && reasonOf(objection),
    ]
      .filter(Boolean)
      .join(' · ')
  }
  return (
    <fieldset className="fieldGroup" aria-describedby={heldPieces.length > 0 ? id : undefined}>
      <legend>{[t('line', { n: lineNumber }), about].filter(Boolean).join(' · ')}</legend>
      <TextField
        label={t('ofPieces', { n: number(pieces.length) })}
        value={typed ?? String(chosenOfLine.length)}
        onChange={take}
        inputMode="numeric"
      />
      {heldPieces.length > 0 && (
        <p id={id} className="fault">
          {t('piecesNotCleared', { n: number(heldPieces.length) })}
        </p>
      )}
      <details open={pieces.length <= shownAtOnce || heldPieces.length > 0}>
        <summary>{t('whichPieces')}</summary>
        <Choices
          label={t('choosePieces')}
          chosen={chosenOfLine}
          onChange={choose}
          options={pieces.map((piece) => ({ value: piece.cutId, text: text(piece) }))}
        />
      </details>
    </fieldset>
  )
}
