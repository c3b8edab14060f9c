import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Failure } from './Notice.tsx'
import { pagePicture } from './pagePictures.ts'

interface ClipProps {
  readonly file: Blob
  readonly page: number
  /** Left, bottom, right and top in points of the page. */
  readonly box: readonly number[]
  /** Degrees by which the page has to be turned clockwise. */
  readonly turned?: number | undefined
  readonly label: string
}

/** So much is shown around a box, as a share of the height of its text. */
const around = 0.5

/** The part of a page that a value was read from, drawn when it comes into view. */
export function Clip({ file, page, box, turned = 0, label }: ClipProps) {
  const { t } = useTexts()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [error, setError] = useState<Error>()
  const place = box.join(' ')
  useEffect(() => {
    const target = canvas.current!
    let isWanted = true
    const watcher = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      watcher.disconnect()
      const box = place.split(' ').map(Number)
      draw(target, { file, page, box, turned }, () => isWanted).catch(
        (cause: Error) => isWanted && setError(cause),
      )
    })
    watcher.observe(target)
    return () => {
      isWanted = false
      watcher.disconnect()
    }
  }, [file, page, place, turned])
  if (error) return <Failure error={error} />
  return <canvas ref={canvas} className="clip" role="img" aria-label={t('clipOf', { name: label })} />
}

async function draw(
  canvas: HTMLCanvasElement,
  { file, page, box, turned }: Required<Omit<ClipProps, 'label'>>,
  isWanted: () => boolean,
): Promise<void> {
  const { source, height, scale } = await pagePicture(file, page)
  if (!isWanted()) return
  const [left = 0, bottom = 0, right = 0, top = 0] = box.map((side) => side * scale)
  const edge = around * Math.min(right - left, top - bottom)
  const [width, high] = [right - left + 2 * edge, top - bottom + 2 * edge]
  const isSideways = Number(turned) % 180 !== 0
  canvas.width = isSideways ? high : width
  canvas.height = isSideways ? width : high
  const context = canvas.getContext('2d')!
  context.translate(canvas.width / 2, canvas.height / 2)
  context.rotate((Number(turned) * Math.PI) / 180)
  context.drawImage(source, left - edge, height - top - edge, width, high, -width / 2, -high / 2, width, high)
  canvas.dataset.drawn = 'yes'
}
