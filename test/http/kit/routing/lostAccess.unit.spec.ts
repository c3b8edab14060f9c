import { Readable } from 'node:stream'
import type { Request, Response } from 'express'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Command, CommandContext } from '../../../../src/commands/executor/command.ts'
import { type CommandDeclaration, commandRoute } from '../../../../src/http/kit/routing/commandRoute.ts'
import type { Exchange } from '../../../../src/http/kit/routing/route.ts'
import { serve } from '../../../../src/http/kit/routing/serve.ts'
import type { Services } from '../../../../src/http/kit/services.ts'
import { alice, companyId } from '../../../support/given.ts'

const caller = { ...alice, platformRoles: [] }
const thing = z.strictObject({ name: z.string() })
const declaration: CommandDeclaration<string, z.ZodObject, typeof thing, undefined> = {
  method: 'post',
  path: '/api/company/{companyId}/things',
  operationId: 'postThing',
  tag: 'Documents',
  summary: 'Post a thing',
  access: { company: 'administer' },
  body: thing,
  command: () => ({}) as Command<undefined>,
}

it('answers 403 and no faults when the access is lost while the body comes', async () => {
  let time = 0
  let roles = ['Admin']
  const principal = { caller, rolesIn: async () => roles, verifyAgain: async () => principal }
  const services = {
    inFlight: { begin: () => ({ take: () => {}, chargeTo: () => {}, release: () => {} }) },
    firstBuild: { underWay: async () => undefined },
    authenticate: async () => principal,
    clock: () => time,
  }
  async function* content() {
    time += 1_000
    roles = []
    yield Buffer.from('{}')
  }
  const req = Object.assign(Readable.from(content()), {
    method: 'POST',
    url: '/',
    params: { companyId },
    id: 'a trace',
    headers: { 'content-type': 'application/json', 'content-length': '2' },
  })
  const served = serve(
    commandRoute(declaration),
    req as unknown as Request,
    { locals: {} } as Response,
    services as unknown as Services,
  )
  await expect(served).rejects.toMatchObject({ code: 'forbidden' })
})

it('carries out a revocation to its end, although it may end the access of its author', async () => {
  const contextFor = async (revokes?: 'memberships') => {
    const given = Promise.withResolvers<CommandContext>()
    const execute = async (_: unknown, context: CommandContext) => {
      given.resolve(context)
      throw new Error('seen')
    }
    const route = commandRoute({ ...declaration, ...(revokes && { revokes }) })
    const exchange = {
      route,
      caller,
      traceId: 'a trace',
      params: { companyId },
      query: {},
      headers: {},
      body: {},
      requireAccess: async () => {},
    }
    const services = { executor: { execute } } as unknown as Services
    await expect(route.answer(exchange as unknown as Exchange, services)).rejects.toThrow('seen')
    return given.promise
  }
  expect(await contextFor()).toHaveProperty('requireAccess')
  expect(await contextFor('memberships')).not.toHaveProperty('requireAccess')
})
