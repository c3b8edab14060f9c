import './styles/typeface.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/buttons.css'
import './styles/pages.css'
import './styles/marks.css'
import './styles/tables.css'
import './styles/dialogs.css'
import './styles/forms.css'
import './styles/lists.css'
import './styles/home.css'
import './styles/orders.css'
import './styles/diagram.css'
import './styles/bars.css'
import './styles/documents.css'
import './styles/company.css'
import './styles/figures.css'
import './styles/saw.css'
import './styles/print.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { loadTexts } from './texts/texts.ts'

/** A reload that brings the same fault again is not repeated before this many milliseconds have passed. */
const reloadAgainAfterMs = 60_000

/**
 * After an update of the service, an open page may ask for a file of the old release. One reload brings the new one. A
 * tab at a saw stays open for many releases.
 */
addEventListener('vite:preloadError', () => {
  const reloadedAt = 'heatmark-reloaded-at'
  if (Date.now() - Number(sessionStorage.getItem(reloadedAt)) < reloadAgainAfterMs) return
  sessionStorage.setItem(reloadedAt, String(Date.now()))
  location.reload()
})

// An "await" of this module would part the files that it shares with others into many small ones.
void loadTexts().then(() =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
