import { useEffect, useRef } from 'react'

interface PageMarkProps {
  /** Left, top, width and height as shares of the page, from 0 to 1. */
  readonly box: readonly [number, number, number, number]
  readonly isPointed: boolean
  readonly onPoint: () => void
  /** The text beside the mark while the person points at it. */
  readonly text?: string
}

/** A mark over a place on a page. The frame of the pages scrolls to it when the person points at its value elsewhere. */
export function PageMark({ box: [left, top, width, height], isPointed, onPoint, text }: PageMarkProps) {
  const mark = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const frame = mark.current!.closest('.documentPages')
    if (!isPointed || !frame) return
    const [at, frameBox] = [mark.current!.getBoundingClientRect(), frame.getBoundingClientRect()]
    if (at.top < frameBox.top || at.bottom > frameBox.bottom)
      frame.scrollTop += at.top - frameBox.top - frameBox.height / 3
  }, [isPointed])
  const share = (part: number) => `${100 * part}%`
  return (
    <span
      ref={mark}
      aria-hidden="true"
      className={`pageMark ${text === undefined ? '' : 'framed'} ${isPointed ? 'pointed' : ''}`}
      style={{ left: share(left), top: share(top), width: share(width), height: share(height) }}
      onPointerEnter={onPoint}
    >
      {isPointed && text !== undefined && <span className={left < 0.5 ? '' : 'fromRight'}>{text}</span>}
    </span>
  )
}
