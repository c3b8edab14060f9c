import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Provider } from 'oidc-provider'
import { failedPage, type Language, loginPage, type Page } from './loginPages.ts'
import { loginPath, type People } from './oidcProvider.ts'

interface LoginOptions {
  provider: Provider
  people: People
  tenant: string
  portalUrl: () => string | undefined
  languageOf: (request: IncomingMessage) => Language
}

/** Show the login page, and finish the login that its cookie names when user name and password are right. */
export function createLogin({
  provider,
  people,
  tenant,
  portalUrl,
  languageOf,
}: LoginOptions): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const language = languageOf(request)
    const interaction = await provider.interactionDetails(request, response).catch(() => undefined)
    if (!interaction || request.url !== `${loginPath}/${interaction.uid}`)
      return show(response, 400, failedPage(language, portalUrl() ?? ''))
    const form = {
      action: `/${tenant}${loginPath}/${interaction.uid}`,
      portal: new URL(String(interaction.params.redirect_uri)).origin,
    }
    if (request.method !== 'POST') return show(response, 200, loginPage(language, form))
    const fields = new URLSearchParams(await text(request))
    const userName = fields.get('userName')?.trim() ?? ''
    const account = people.accounts.find((one) => one.userName === userName)
    if (!account || !isSame(fields.get('password') ?? '', people.password))
      return show(response, 401, loginPage(language, { ...form, wrong: { userName } }))
    await provider.interactionFinished(request, response, { login: { accountId: account.oid } })
  }
}

function isSame(given: string, password: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(password)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function show(response: ServerResponse, status: number, { html, headers }: Page): void {
  response.writeHead(status, headers)
  response.end(html)
}
