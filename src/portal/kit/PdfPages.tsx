import type { PDFDocumentProxy } from 'pdfjs-dist'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Failure, Loading } from './Notice.tsx'
import { openPdf } from './openPdf.ts'
import type { PageSize } from './pageSize.ts'

/** A file may have millions of pages, which no browser could lay out. */
const mostPages = 500
/** The most pixels of a drawn page. A page may be a thousand times as high as it is wide. */
const mostPixels = 16_000_000

interface PdfPagesProps {
  readonly file: Blob
  readonly name: string
  /** Return what lies over a drawn page, in a frame of its size. */
  readonly overlay?: (page: number, size: PageSize) => ReactNode
}

/** Pages that are drawn at once, so that paper has them, too. */
const drawnAtOnce = 8

/** The pages of a PDF in a frame that scrolls. After the first ones, a page is drawn when it comes into view. */
export function PdfPages({ file, name, overlay }: PdfPagesProps) {
  const { t } = useTexts()
  const { document, error } = usePdf(file)
  if (error) return <Failure error={error} />
  if (!document) return <Loading lines={4} />
  const pageCount = Math.min(document.numPages, mostPages)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable by keyboard
    <section className="documentPages" aria-label={name} tabIndex={0}>
      {Array.from({ length: pageCount }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place of a page is its identity
        <div key={index} className="documentSheet">
          <PdfPage {...{ document, overlay }} page={index + 1} />
        </div>
      ))}
      {pageCount < document.numPages && (
        <p className="muted">{t('pagesShown', { n: pageCount, all: document.numPages })}</p>
      )}
    </section>
  )
}

function usePdf(file: Blob): { document: PDFDocumentProxy | undefined; error: Error | undefined } {
  const [document, setDocument] = useState<PDFDocumentProxy>()
  const [error, setError] = useState<Error>()
  useEffect(() => {
    let isWanted = true
    const open = async () => {
      const opened = await openPdf(file)
      if (isWanted) setDocument(opened)
      else await opened.destroy()
    }
    open().catch((cause: Error) => isWanted && setError(cause))
    return () => {
      isWanted = false
    }
  }, [file])
  useEffect(() => () => void document?.destroy(), [document])
  return { document, error }
}

interface PdfPageProps {
  readonly document: PDFDocumentProxy
  /** From 1. */
  readonly page: number
}

function PdfPage({ document, page, overlay }: PdfPageProps & Pick<PdfPagesProps, 'overlay'>) {
  const { t } = useTexts()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [text, setText] = useState('')
  const [size, setSize] = useState<PageSize>()
  useEffect(() => {
    const place = canvas.current!
    let stop = () => {}
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (page > drawnAtOnce && !entry?.isIntersecting) return
        watcher.disconnect()
        stop = draw(place, { document, page }, setSize, setText)
      },
      { rootMargin: '400px' },
    )
    watcher.observe(place)
    return () => {
      watcher.disconnect()
      stop()
    }
  }, [document, page])
  return (
    <>
      <canvas
        ref={canvas}
        className="documentPage"
        role="img"
        aria-label={t('pageOf', { n: page, all: document.numPages })}
      />
      <p className="visuallyHidden">{text}</p>
      {size && overlay?.(page, size)}
    </>
  )
}

/** Draw a page as wide as its place, and hand on its size and its text for screen readers. Return a function that stops it. */
function draw(
  canvas: HTMLCanvasElement,
  { document, page }: PdfPageProps,
  onSize: (size: PageSize) => void,
  onText: (text: string) => void,
): () => void {
  let cancel = () => {}
  let isStopped = false
  const work = async () => {
    const opened = await document.getPage(page)
    if (isStopped) return
    const { width, height } = opened.getViewport({ scale: 1 })
    const wantedWidth = (canvas.clientWidth / width) * devicePixelRatio
    const viewport = opened.getViewport({
      scale: Math.min(wantedWidth, Math.sqrt(mostPixels / (width * height))),
    })
    canvas.width = viewport.width
    canvas.height = viewport.height
    const task = opened.render({ canvas, viewport })
    cancel = () => task.cancel()
    await task.promise
    canvas.dataset.drawn = 'yes'
    if (!isStopped) onSize({ width, height })
    const { items } = await opened.getTextContent()
    if (!isStopped) onText(items.map((item) => ('str' in item ? item.str : '')).join(' '))
  }
  // A page that is left while it is drawn needs no drawing.
  work().catch((error: Error) => {
    if (!isStopped) throw error
  })
  return () => {
    isStopped = true
    cancel()
  }
}
