import type { NextFunction, Request, Response } from 'express'

/**
 * Links of the portal to files, `/portal/download/api/…`: the browser writes such a file to the disk while it arrives,
 * and no page has to hold it. A link sends the session cookie but no headers, so the address stands for the two that a
 * page would send: `Heatmark-Portal`, and `Accept` with the media type of the parameter `accept`. The route then checks
 * the request like any other. This includes `Sec-Fetch-Site`, which tells links of the portal from those of all other
 * pages. Only reads are accepted at such an address.
 */

const prefix = '/portal/download/api/'

export function takeLinks(req: Request, _res: Response, next: NextFunction): void {
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  if (isRead && req.url.startsWith(prefix)) asFromPage(req)
  next()
}

function asFromPage(req: Request): void {
  const [path = '', ...search] = req.url.slice(prefix.length - 1).split('?')
  const query = new URLSearchParams(search.join('?'))
  const accept = query.get('accept')
  query.delete('accept')
  req.url = query.size > 0 ? `${path}?${query}` : path
  const { headers } = req
  headers['heatmark-portal'] = '1'
  // The browser resumes an interrupted download by itself, not for a page. It then asks for a part with If-Range, which
  // no link and no typed address sends.
  if (headers['sec-fetch-site'] === 'none' && headers['if-range'] !== undefined)
    headers['sec-fetch-site'] = 'same-origin'
  if (accept !== null) headers.accept = accept
}
