import { send } from './request.ts'

/** Records of a steel yard, for the company at an address of the measured service. */

/** Register a certificate of steel that suits the orders, and return its id. */
export async function registerCertificate(
  company: string,
  token: string,
  numbers: { readonly certificateNumber: string; readonly heatNumber: string },
): Promise<string> {
  const { millCertificationId } = await send(`${company}/millcert/certificates`, token, 'POST', {
    ...numbers,
    standard: 'EN 10025-2',
    grade: 'S355J2+N',
    inspectionDocument: '3.1',
    manufacturer: 'Ostwerk',
  })
  return millCertificationId!
}

/** Bars in one request, whose body is bounded. */
const atOnce = 100

/** Plan bars, in as many plans as their number needs. */
export async function planBars(company: string, token: string, bars: readonly object[]): Promise<void> {
  for (let first = 0; first < bars.length; first += atOnce)
    await send(`${company}/production-plans`, token, 'POST', {
      name: `Saw ${first}`,
      bars: bars.slice(first, first + atOnce),
    })
}
