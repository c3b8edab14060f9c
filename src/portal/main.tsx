import '@fontsource-variable/inter/wght.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/kit.css'
import './styles/screens.css'
import './styles/saw.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'

/** After an update of the service, an open page may ask for a file of the old release. One reload brings the new one. */
addEventListener('vite:preloadError', () => {
  const reloaded = 'heatmark-reloaded'
  if (sessionStorage.getItem(reloaded)) return
  sessionStorage.setItem(reloaded, 'yes')
  location.reload()
})

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
