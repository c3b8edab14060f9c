import type { AddressInfo } from 'node:net'
import express from 'express'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import pg from 'pg'
import { z } from 'zod'

/**
 * Answers the same list in the simplest way: it verifies the token on every request, reads rows from PostgreSQL,
 * validates every record that it sends, and uses Express's own ETag.
 */
const { DATABASE_URL, JWKS_URL, ISSUER, COMPANY, TAGS } = process.env as Record<string, string>

const record = z.object({
  tagId: z.uuid(),
  companyId: z.uuid(),
  name: z.string(),
  color: z.string(),
  description: z.string().nullable(),
  active: z.boolean(),
  lastModifiedBy: z.string(),
  isSystemTag: z.boolean(),
  severity: z.enum(['Block', 'Flag', 'Audit']).nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
  usageCount: z.int(),
})

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
await pool.query(`
  CREATE SCHEMA naive;
  CREATE TABLE naive.tag (
    "tagId" uuid PRIMARY KEY, "companyId" uuid, name text, color text, description text, active boolean,
    "lastModifiedBy" text, "isSystemTag" boolean, severity text, "createdAt" timestamptz, "updatedAt" timestamptz
  );
  CREATE TABLE naive.assignment ("certificateId" uuid, "tagId" uuid, PRIMARY KEY ("tagId", "certificateId"));`)
await pool.query(
  `INSERT INTO naive.tag SELECT r.* FROM jsonb_populate_recordset(NULL::naive.tag, $1::jsonb) r`,
  [TAGS],
)

const keys = createRemoteJWKSet(new URL(JWKS_URL!))
const app = express()
app.get('/tags', async (req, res) => {
  await jwtVerify(req.headers.authorization!.slice('Bearer '.length), keys, { issuer: ISSUER! })
  const { rows } = await pool.query(
    `SELECT t.*, (SELECT count(*)::int FROM naive.assignment a WHERE a."tagId" = t."tagId") AS "usageCount"
     FROM naive.tag t WHERE "companyId" = $1 AND active ORDER BY name`,
    [COMPANY],
  )
  res.json(z.array(record).parse(rows))
})

const server = app.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/tags`)
})
process.on('SIGTERM', () => process.exit())
