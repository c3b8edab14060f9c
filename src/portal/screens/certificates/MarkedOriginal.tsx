import { useQuery } from '@tanstack/react-query'
import { useFile } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { PageMark } from '../../kit/PageMark.tsx'
import { PdfPages } from '../../kit/PdfPages.tsx'
import { placesOf, type Wanted } from '../../kit/pdfPlaces.ts'
import { textsOfPdf } from '../../kit/pdfTexts.ts'

interface MarkedOriginalProps {
  readonly documentId: string
  readonly name: string
  readonly wanted: readonly Wanted[]
  /** The value whose places stand out. */
  readonly pointed: string | undefined
  /** The person points at the place of a value. */
  readonly onPoint: (path: string) => void
}

/** The original of a certificate, with a mark where it states each value. */
export function MarkedOriginal({ documentId, name, wanted, pointed, onPoint }: MarkedOriginalProps) {
  const params = { companyId: useCompanyId(), documentId }
  const { data: file, error } = useFile('getDocumentContent', { params })
  const { data: texts = [] } = useQuery({
    queryKey: ['textsOfPdf', documentId],
    queryFn: () => textsOfPdf(file!),
    enabled: file !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error) return <Failure error={error} />
  if (!file) return <Loading lines={4} />
  const places = [...placesOf(texts, wanted)].flatMap(([path, placesOfValue]) =>
    placesOfValue.map((place) => ({ path, ...place })),
  )
  return (
    <PdfPages
      file={file}
      name={name}
      overlay={(page) =>
        places
          .filter((place) => place.page === page)
          .map(({ path, box }) => (
            <PageMark
              key={`${path} ${box.join(' ')}`}
              box={box}
              isPointed={path === pointed}
              onPoint={() => onPoint(path)}
            />
          ))
      }
    />
  )
}
