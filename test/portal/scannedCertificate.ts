import { newContext } from './visits.ts'

/** Return a picture of a certificate on paper, as a scanner makes it. Its numbers are for the reader of scans to read. */
export async function scannedCertificate(facts: Readonly<Record<string, string>>): Promise<Buffer> {
  const context = await newContext('en-GB')
  try {
    const page = await context.newPage()
    await page.setViewportSize({ width: 1_240, height: 1_000 })
    const rows = Object.entries(facts).map(([name, value]) => `<tr><td>${name}<td><b>${value}</b>`)
    await page.setContent(
      `<body style="font: 28px sans-serif; padding: 80px"><h2>Inspection certificate 3.1 to EN 10204</h2>
      <table cellpadding=14 width=900>${rows.join('')}</table>`,
    )
    return await page.screenshot()
  } finally {
    await context.close()
  }
}
