import { Button } from '../../kit/Button.tsx'
import { useBarName } from '../../kit/barName.ts'
import { Choices } from '../../kit/Form.tsx'
import { useTexts } from '../../texts/texts.ts'
import type { Piece } from './pieces.ts'

interface PieceChoicesProps {
  readonly pieces: readonly Piece[]
  /** The ids of their cuts. */
  readonly chosen: readonly string[]
  readonly onChange: (chosen: string[]) => void
  readonly fault: string | undefined
}

/** Some of the pieces of an order. */
export function PieceChoices({ pieces, chosen, onChange, fault }: PieceChoicesProps) {
  const { t, number } = useTexts()
  const nameOf = useBarName()
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
      <Choices
        label={t('choosePieces')}
        {...{ chosen, onChange, fault }}
        options={pieces.map(
          ({ cutId, lineNumber, lengthMm, pieceMark, planName, barOrdinal, cutOrdinal, heatNumber }) => ({
            value: cutId,
            text: [
              t('line', { n: lineNumber }),
              pieceMark,
              `${number(lengthMm)} mm`,
              nameOf({ planName, ordinal: barOrdinal }),
              t('pieceNumber', { n: number(cutOrdinal) }),
              heatNumber === null ? t('noHeat') : `${t('heat')} ${heatNumber}`,
            ]
              .filter(Boolean)
              .join(' · '),
          }),
        )}
      />
    </>
  )
}
