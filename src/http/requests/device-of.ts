import type { FastifyRequest } from 'fastify'
import type { Device } from '../../contract/own-session.ts'

/** The longest header to parse, in characters. Browsers send shorter ones, but a client may send anything. */
const LONGEST_HEADER = 512
const NAME = /^[\p{L}\d][\p{L}\d .+-]{0,39}$/u

/** Returns the client's browser and system, without versions or details that could identify a device. */
export async function deviceOf({ headers }: FastifyRequest): Promise<Device> {
  const userAgent = headers['user-agent']?.slice(0, LONGEST_HEADER)
  if (!userAgent) return { browser: null, system: null }
  const { default: bowser } = await import('bowser')
  const { browser, os } = bowser.parse(userAgent)
  return { browser: nameIn(browser.name), system: nameIn(os.name) }
}

function nameIn(name = ''): string | null {
  return NAME.test(name) ? name : null
}
