import { useState } from 'react'
import { useTexts } from '../texts/texts.ts'
import { Button } from './Button.tsx'

/** A text for another program, such as a key or a command, with a button that copies it. */
export function Copyable({ text }: { readonly text: string }) {
  const { t } = useTexts()
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setIsCopied(true)
  }
  return (
    <div className="copyable">
      <code>{text}</code>
      <Button onPress={() => void copy().catch(() => setIsCopied(false))}>
        {t(isCopied ? 'copied' : 'copy')}
      </Button>
    </div>
  )
}
