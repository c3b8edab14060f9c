/** The filters of a list as a person left them in this browser. The navigation leads back to them. */

const nameFor = (path: string) => `heatmark-filters ${path}`

export function keepFilters(path: string, search: URLSearchParams): void {
  const parameters = new URLSearchParams(search)
  // The time that the portal shows is not a filter.
  parameters.delete('asOf')
  if (parameters.size > 0) localStorage.setItem(nameFor(path), parameters.toString())
  else localStorage.removeItem(nameFor(path))
}

/** Return the path of a list with its kept filters. */
export function withKeptFilters(path: string): string {
  const search = localStorage.getItem(nameFor(path))
  return search === null ? path : `${path}?${search}`
}
