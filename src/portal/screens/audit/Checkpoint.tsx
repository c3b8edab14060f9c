import { useEffect, useState } from 'react'
import { useFile } from '../../api/queries.ts'
import { useCompanyId } from '../../app/company.tsx'
import { Button } from '../../kit/Button.tsx'
import { Failure, Loading } from '../../kit/Notice.tsx'
import { useTexts } from '../../texts/texts.ts'

/** The signed checkpoint of the log in words: what it covers, and what to do with it. */
export function Checkpoint() {
  const { t, number } = useTexts()
  const params = { companyId: useCompanyId() }
  const { data, error } = useFile('getLogCheckpoint', { params }, { every: 60_000 })
  const note = useTextOf(data)
  const [isCopied, setIsCopied] = useState(false)
  if (error) return <Failure error={error} />
  if (note === undefined) return <Loading lines={2} />
  // A checkpoint of C2SP tlog-checkpoint: its name, the number of entries and their hash are its first lines.
  const [, size = '0', hash = ''] = note.split('\n')
  const copy = async () => {
    await navigator.clipboard.writeText(note)
    setIsCopied(true)
  }
  return (
    <section className="card checkpoint" aria-labelledby="checkpoint">
      <h2 id="checkpoint">{t('checkpoint')}</h2>
      <p>{t('checkpointText', { n: number(Number(size)) })}</p>
      <p className="muted small">
        {t('checkpointHash')} <code>{hash}</code>
      </p>
      <div>
        <Button onPress={() => void copy().catch(() => setIsCopied(false))}>
          {t(isCopied ? 'copied' : 'copyCheckpoint')}
        </Button>
      </div>
    </section>
  )
}

function useTextOf(file: Blob | undefined): string | undefined {
  const [text, setText] = useState<string>()
  useEffect(() => {
    let isWanted = true
    void file?.text().then((content) => isWanted && setText(content))
    return () => {
      isWanted = false
    }
  }, [file])
  return text
}
