import type { Input, OperationId } from '../api/client.ts'
import { useCommand } from '../api/queries.ts'
import { useTexts } from '../texts/texts.ts'
import { failureIn } from './Notice.tsx'
import { tell } from './toast.tsx'

/** Return a function that takes an act back by a command, and tells the outcome. It works after its screen has gone. */
export function useUndo<Id extends OperationId>(id: Id): (input: Input<Id>, message: string) => void {
  const texts = useTexts()
  const { mutateAsync } = useCommand(id)
  return (input, message) => {
    mutateAsync(input).then(
      () => tell(message),
      (error: Error) => tell(failureIn(texts, error).text),
    )
  }
}
