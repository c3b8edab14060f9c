import { PageMark } from '../../kit/PageMark.tsx'
import { PdfPages } from '../../kit/PdfPages.tsx'
import { PicturePages } from '../../kit/PicturePages.tsx'
import { type PageSize, sharesOf } from '../../kit/pageSize.ts'
import { useTexts } from '../../texts/texts.ts'
import { typedText } from './decisions.ts'
import { useFieldName } from './fieldNames.ts'
import type { Pointing, ReadPlace } from './readPlaces.ts'

interface ReadPagesProps extends Pointing {
  readonly file: File
  readonly places: readonly ReadPlace[]
}

/** The pages of the file, with a mark around each text that a value was read from. */
export function ReadPages({ file, places, pointed, onPoint }: ReadPagesProps) {
  const { language } = useTexts()
  const fieldName = useFieldName()
  const overlay = (page: number, size: PageSize) =>
    places
      .filter((place) => place.page === page)
      .map(({ key, field, values, box }) => (
        <PageMark
          key={`${key} ${box.join(' ')}`}
          box={sharesOf(box, size)}
          isPointed={key === pointed}
          onPoint={() => onPoint(key)}
          text={`${fieldName(field)}: ${values.map((value) => typedText(value, language)).join(' / ')}`}
        />
      ))
  const pagesProps = { file, name: file.name, overlay }
  if (file.type === 'application/pdf') return <PdfPages {...pagesProps} />
  return <PicturePages {...pagesProps} pages={Math.max(...places.map(({ page }) => page))} />
}
