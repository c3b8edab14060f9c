import { useEffect } from 'react'

/** Let the service worker keep the files of the portal. A browser without workers does without. */
export function useOfflineFiles(): void {
  useEffect(() => {
    navigator.serviceWorker?.register(`${import.meta.env.BASE_URL}worker.js`).catch(() => {})
  }, [])
}
