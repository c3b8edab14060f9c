import { useEffect, useRef } from 'react'
import type { ListState } from '../api/queries.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from './Button.tsx'

type MoreProps = Pick<ListState<unknown>, 'readMore' | 'isReadingMore'>

/** Read the next page when the end of the list comes into view, or on request. */
export function More({ readMore, isReadingMore }: MoreProps) {
  const { t } = useTexts()
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const watcher = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && !isReadingMore && readMore(),
      { rootMargin: '800px' },
    )
    watcher.observe(end.current!)
    return () => watcher.disconnect()
  }, [readMore, isReadingMore])
  return (
    <div ref={end} className="more">
      <Button onPress={readMore} isPending={isReadingMore}>
        {t('more')}
      </Button>
    </div>
  )
}
