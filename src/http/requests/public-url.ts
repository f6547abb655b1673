import type { AddressInfo } from 'node:net'
import type { App, Service } from '../service.ts'

/** Returns the base of links that the service itself handles: `SERVICE_URL`, or else `publicUrl`. */
export function serviceUrl(app: App, service: Pick<Service, 'config'>): string {
  return service.config.serviceUrl ?? publicUrl(app, service)
}

/** Returns the base of links: `PUBLIC_URL` or the listening address, never `Host`, which any client can forge. */
export function publicUrl(app: App, { config }: Pick<Service, 'config'>): string {
  if (config.publicUrl) return config.publicUrl
  const address = app.server.address() as AddressInfo | null
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return `http://${host}:${address?.port ?? config.port}`
}
