import type { FastifyRequest } from 'fastify'
import type { Ceremony } from '../../auth/ceremony.ts'
import type { LoginRequest } from '../../auth/login.ts'
import { Problem } from '../../contract/problem.ts'
import type { App, Service } from '../service.ts'
import { clientNetwork } from './client-network.ts'
import { deviceOf } from './device-of.ts'
import { relyingPartyOf } from './relying-party.ts'

export function ceremonyOf(app: App, service: Service): Ceremony {
  return { rp: relyingPartyOf(app, service), challenges: service.challenges, now: service.now() }
}

export async function loginRequestFor(
  request: FastifyRequest,
  app: App,
  service: Service,
): Promise<LoginRequest> {
  return {
    network: clientNetwork(request),
    limits: service.config.loginLimits,
    device: await deviceOf(request),
    ceremony: ceremonyOf(app, service),
    secrets: service.refreshSecrets,
    totpSecrets: service.totpSecrets,
  }
}

type Facts = Readonly<Record<string, string>> | undefined

/** Runs work and logs its problems, such as rejected credentials, with the account concerned. */
export async function logRefusals<T>(
  request: FastifyRequest,
  who: Facts,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) {
      const { reason } = error.params ?? {}
      const facts = { event: error.code, ip: request.ip, ...(reason !== undefined && { reason }), ...who }
      request.log.warn(facts, 'refused')
    }
    throw error
  }
}
