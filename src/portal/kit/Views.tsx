import { useSearchParams } from 'wouter'
import { withParameters } from './filters.tsx'

interface ViewsProps {
  readonly label: string
  readonly views: readonly { readonly value: string; readonly text: string }[]
  /** The parameter of the address that holds the view. */
  readonly parameter?: string
}

/** Switch between views of one list. The address holds the choice, so that links and the back button keep it. */
export function Views({ label, views, parameter = 'view' }: ViewsProps) {
  const [search, setSearch] = useSearchParams()
  const chosen = search.get(parameter) ?? ''
  const choose = (value: string) => setSearch((old) => withParameters(old, { [parameter]: value }))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form, and this changes what is shown
    <div className="views" role="group" aria-label={label}>
      {views.map(({ value, text }) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => choose(value)}>
          {text}
        </button>
      ))}
    </div>
  )
}
