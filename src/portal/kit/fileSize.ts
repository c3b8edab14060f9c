import { useTexts } from '../texts/texts.ts'

const kilobyte = 1_024
const megabyte = 1_048_576

/** Return a function that says in KB or MB how large a file of so many bytes is. */
export function useFileSize(): (bytes: number) => string {
  const { t, number } = useTexts()
  return (bytes) =>
    bytes < 10 * megabyte
      ? t('kilobytes', { n: number(Math.ceil(bytes / kilobyte)) })
      : t('megabytes', { n: number(Math.ceil(bytes / megabyte)) })
}
