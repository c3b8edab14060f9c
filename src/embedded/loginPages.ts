import { createHash } from 'node:crypto'
import { escapeHtml } from '../lib/html.ts'

/** The pages of the embedded identity provider, in English and German, without any file from elsewhere. */

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const texts = {
  en: {
    login: 'Log in',
    userName: 'User name',
    password: 'Password',
    wrong: 'The user name or the password is wrong.',
    advice:
      'npm start prints the user names and the password. They are also in dev.json of the data directory.',
    logout: 'Log out',
    askLogout: 'Do you want to log out?',
    loggedOut: 'You are logged out.',
    again: 'Log in again',
    failed: 'The login failed',
    expired: 'This login has expired or was already used.',
  },
  de: {
    login: 'Anmelden',
    userName: 'Benutzername',
    password: 'Passwort',
    wrong: 'Benutzername oder Passwort ist falsch.',
    advice:
      'npm start zeigt Benutzernamen und Passwort an. Sie stehen auch in dev.json des Datenverzeichnisses.',
    logout: 'Abmelden',
    askLogout: 'Möchten Sie sich abmelden?',
    loggedOut: 'Sie sind abgemeldet.',
    again: 'Neu anmelden',
    failed: 'Die Anmeldung ist fehlgeschlagen',
    expired: 'Diese Anmeldung ist abgelaufen oder wurde schon benutzt.',
  },
} as const satisfies Record<Language, Record<string, string>>

const style = `
:root { color-scheme: light dark; }
html { background: light-dark(#f4f5f7, #16181c); }
body { max-width: 20rem; margin: 15vh auto 0; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color: light-dark(#1c1f24, #e8eaed); }
h1 { font-size: 1.5rem; margin: 0 0 1rem; }
form { display: grid; gap: 1rem; }
label { display: grid; gap: .25rem; font-weight: 600; }
input { font: inherit; padding: .5rem .6rem; border: 1px solid light-dark(#737983, #8b919b); border-radius: .4rem; background: light-dark(#fff, #202329); color: inherit; }
button { font: inherit; font-weight: 600; padding: .6rem; border: 0; border-radius: .4rem; background: #1f5fbf; color: #fff; cursor: pointer; }
a { color: light-dark(#1a54ab, #8ab4f8); }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid light-dark(#1f5fbf, #8ab4f8); outline-offset: 2px; }
p { margin: 0; font-size: .9rem; }
[role=alert] { color: light-dark(#a8071a, #ff8f87); font-weight: 600; }
`
const submit = "document.getElementById('op.logoutForm').submit()"

export interface Page {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** @param portal the origin that the browser is sent to afterwards: a policy for forms also covers their redirects */
export function loginPage(
  language: Language,
  { action, portal, wrong }: { action: string; portal: string; wrong?: { userName: string } | undefined },
): Page {
  const say = texts[language]
  const failed = wrong ? `<p role="alert">${say.wrong}</p>\n` : ''
  const userName = escapeHtml(wrong?.userName ?? '')
  return page(
    language,
    say.login,
    `${failed}<form method="post" action="${escapeHtml(action)}">
<label>${say.userName}<input name="userName" value="${userName}" autocomplete="username" autocapitalize="none" spellcheck="false" required${wrong ? '' : ' autofocus'}></label>
<label>${say.password}<input name="password" type="password" autocomplete="current-password" required${wrong ? ' autofocus' : ''}></label>
<button>${say.login}</button>
</form>
<p>${say.advice}</p>`,
    { formsTo: portal },
  )
}

/** @param form the hidden form of oidc-provider; with `isAsked` it is sent at once, because the person has asked already */
export function logoutPage(
  language: Language,
  { form, portal, isAsked }: { form: string; portal: string; isAsked: boolean },
): Page {
  const say = texts[language]
  const script = isAsked ? `\n<script>${submit}</script>` : ''
  return page(
    language,
    say.logout,
    `${form.replace('</form>', `<input type="hidden" name="logout" value="yes"><p>${say.askLogout}</p><button>${say.logout}</button></form>`)}${script}`,
    { formsTo: portal, scripts: isAsked },
  )
}

export function loggedOutPage(language: Language, portal: string): Page {
  const say = texts[language]
  return page(language, say.loggedOut, linkTo(portal, say.again))
}

/** @param fault undefined for a login that has expired */
export function failedPage(language: Language, portal: string, fault?: string): Page {
  const say = texts[language]
  return page(
    language,
    say.failed,
    `<p>${fault === undefined ? say.expired : escapeHtml(fault)}</p>\n${linkTo(portal, say.again)}`,
  )
}

function linkTo(portal: string, text: string): string {
  return portal ? `<p><a href="${escapeHtml(portal)}/portal/login">${text}</a></p>` : ''
}

function page(
  language: Language,
  title: string,
  content: string,
  { formsTo, scripts = false }: { formsTo?: string; scripts?: boolean } = {},
): Page {
  const policy = [
    "default-src 'none'",
    `style-src '${digestOf(style)}'`,
    ...(scripts ? [`script-src '${digestOf(submit)}'`] : []),
    `form-action ${formsTo === undefined ? "'none'" : `'self' ${formsTo}`.trim()}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      'Cache-Control': 'no-store',
      // With no-referrer, the browser would send "Origin: null" with the form.
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    },
    html: `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Heatmark</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`,
  }
}

function digestOf(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}
