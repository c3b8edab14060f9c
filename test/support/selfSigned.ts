import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A certificate for localhost, valid for a hundred years, and its key. They are only for specs, so no secret. */

export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

/** Writes both as PEM files into a folder of their own; `remove` deletes it. */
export function writeTlsFiles(): { readonly tls: TlsFiles; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'heatmark-tls-'))
  const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  writeFileSync(tls.cert, certificate)
  writeFileSync(tls.key, privateKey)
  return { tls, remove: () => rmSync(folder, { recursive: true }) }
}

const certificate = `-----BEGIN CERTIFICATE-----
MIIBfjCCASWgAwIBAgIUUfZwfE8zRFOZehdygPqe6g2cMikwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAxNDMyOFoYDzIxMjYxMDI4
MDE0MzI4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASHOipSRrYojhzttXBVGfFWIwU6iHK92of1jNLiYZEjMYRSZT+mnMLc
FT/R4jMie40L022u2mvQOxShBHEJMyTvo1MwUTAdBgNVHQ4EFgQU8FkLkWSudWx1
PH9VRzlr2trkvUcwHwYDVR0jBBgwFoAU8FkLkWSudWx1PH9VRzlr2trkvUcwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAp8FwdzSxi6/83Qpg62eyi
01DuKVKeQYAeiZDudpTK4AIgFXY6p6gPcY5UtElqmHrPzbK5yVU8cKB1YQHO1GhI
Wdg=
-----END CERTIFICATE-----
`

const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsDRCe7ei7bW6Gnim
i3Ggld0ZK82SG8KccUHELQM9DomhRANCAASHOipSRrYojhzttXBVGfFWIwU6iHK9
2of1jNLiYZEjMYRSZT+mnMLcFT/R4jMie40L022u2mvQOxShBHEJMyTv
-----END PRIVATE KEY-----
`
