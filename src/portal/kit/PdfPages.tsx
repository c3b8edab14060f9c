import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist'
import PdfWorker from 'pdfjs-dist/build/pdf.worker.mjs?worker'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Failure, Loading } from './Notice.tsx'

GlobalWorkerOptions.workerPort = new PdfWorker()

interface PdfPagesProps {
  readonly file: File
  readonly name: string
}

/** The pages of a PDF in a frame that scrolls. A page is drawn when it comes into view. */
export function PdfPages({ file, name }: PdfPagesProps) {
  const { document, error } = usePdf(file)
  if (error) return <Failure error={error} />
  if (!document) return <Loading lines={4} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable by keyboard
    <section className="documentPages" aria-label={name} tabIndex={0}>
      {Array.from({ length: document.numPages }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place of a page is its identity
        <PdfPage key={index} document={document} page={index + 1} />
      ))}
    </section>
  )
}

function usePdf(file: File): { document: PDFDocumentProxy | undefined; error: Error | undefined } {
  const [document, setDocument] = useState<PDFDocumentProxy>()
  const [error, setError] = useState<Error>()
  useEffect(() => {
    let isWanted = true
    const open = async () => {
      const data = new Uint8Array(await file.arrayBuffer())
      // The page's policy allows neither evaluated scripts nor WebAssembly.
      const opened = await getDocument({ data, isEvalSupported: false, useWasm: false }).promise
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

function PdfPage({ document, page }: PdfPageProps) {
  const { t } = useTexts()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [text, setText] = useState('')
  useEffect(() => {
    const place = canvas.current!
    let stop = () => {}
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        watcher.disconnect()
        stop = draw(document, page, place, setText)
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
    </>
  )
}

/** Draw a page as wide as its place, and hand on its text for screen readers. Return a function that stops it. */
function draw(
  document: PDFDocumentProxy,
  page: number,
  canvas: HTMLCanvasElement,
  onText: (text: string) => void,
): () => void {
  let cancel = () => {}
  let isStopped = false
  const work = async () => {
    const opened = await document.getPage(page)
    if (isStopped) return
    const { width } = opened.getViewport({ scale: 1 })
    const viewport = opened.getViewport({ scale: (canvas.clientWidth / width) * devicePixelRatio })
    canvas.width = viewport.width
    canvas.height = viewport.height
    const task = opened.render({ canvas, viewport })
    cancel = () => task.cancel()
    await task.promise
    canvas.dataset.drawn = 'yes'
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
