import { useTexts } from '../texts/texts.ts'

const kilobyte = 1_024
const megabyte = 1_048_576

/** Return a function that says how large a file is, in bytes, in KB or MB. */
export function useFileSize(): (bytes: number) => string {
  const { t, number } = useTexts()
  return (bytes) =>
    bytes < 10 * megabyte
      ? t('kilobytes', { n: number(Math.ceil(bytes / kilobyte)) })
      : t('megabytes', { n: number(Math.ceil(bytes / megabyte)) })
}
