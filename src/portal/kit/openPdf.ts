import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist'
import PdfWorker from 'pdfjs-dist/build/pdf.worker.mjs?worker'

GlobalWorkerOptions.workerPort = new PdfWorker()

export async function openPdf(file: Blob): Promise<PDFDocumentProxy> {
  const data = new Uint8Array(await file.arrayBuffer())
  // The page's policy allows neither evaluated scripts nor WebAssembly.
  return getDocument({ data, isEvalSupported: false, useWasm: false }).promise
}
