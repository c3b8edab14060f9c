import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Failure } from './Notice.tsx'
import { pagePicture } from './pagePictures.ts'
import type { PageSize } from './pageSize.ts'

interface PicturePagesProps {
  readonly file: Blob
  readonly name: string
  readonly pages: number
  /** Return what lies over a page. */
  readonly overlay: (page: number, size: PageSize) => ReactNode
}

/** The pages of a picture, such as a scan in JPEG or TIFF, in a frame that scrolls. */
export function PicturePages({ file, name, pages, overlay }: PicturePagesProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable by keyboard
    <section className="documentPages" aria-label={name} tabIndex={0}>
      {Array.from({ length: pages }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place of a page is its identity
        <PicturePage key={index} {...{ file, pages, overlay }} page={index + 1} />
      ))}
    </section>
  )
}

function PicturePage({ file, page, pages, overlay }: Omit<PicturePagesProps, 'name'> & { page: number }) {
  const { t } = useTexts()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [size, setSize] = useState<PageSize>()
  const [error, setError] = useState<Error>()
  useEffect(() => {
    const draw = async () => {
      const { source, width, height, scale } = await pagePicture(file, page)
      const target = canvas.current
      if (!target) return
      target.width = width
      target.height = height
      target.getContext('2d')!.drawImage(source, 0, 0)
      target.dataset.drawn = 'yes'
      setSize({ width: width / scale, height: height / scale })
    }
    draw().catch(setError)
  }, [file, page])
  if (error) return <Failure error={error} />
  return (
    <div className="documentSheet">
      <canvas
        ref={canvas}
        className="documentPage"
        role="img"
        aria-label={t('pageOf', { n: page, all: pages })}
      />
      {size && overlay(page, size)}
    </div>
  )
}
