import { isEmail } from '../contract/formats.ts'

export type MailConfig = {
  readonly host: string
  readonly port: number
  /** TLS from the first byte, required STARTTLS, or none: on this machine, or with `?tls=off`. */
  readonly tls: 'implicit' | 'starttls' | 'none'
  readonly user: string | undefined
  readonly password: string | undefined
  readonly from: Sender
}

/** The sender's address, and a name if it is not the school's. */
export type Sender = { readonly name: string | undefined; readonly address: string }

type Environment = Readonly<Record<string, string | undefined>>

const EXAMPLE = 'smtp://user:password@mail.example:587'
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const PORTS = { implicit: 465, starttls: 587, none: 25 }

/** Returns undefined without a valid `SMTP_URL` and `MAIL_FROM`. Adds each fault to `faults`, without values. */
export function readMailConfig(env: Environment, faults: string[]): MailConfig | undefined {
  if (!env.SMTP_URL) return undefined
  const from = senderIn(env.MAIL_FROM ?? '')
  if (!from) {
    faults.push(
      'MAIL_FROM must be an e-mail address such as noreply@school.example, or Name <noreply@school.example>, where SMTP_URL is set',
    )
  }
  if (!env.PUBLIC_URL) faults.push('PUBLIC_URL is required where SMTP_URL is set: mails have links')
  const server = serverOf(env.SMTP_URL)
  if (server) return from && { ...server, from }
  faults.push(
    `SMTP_URL must be an address such as ${EXAMPLE} or smtps://…; ?tls=off, without a password, for a server that knows no TLS`,
  )
  return undefined
}

function serverOf(text: string): Omit<MailConfig, 'from'> | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname || !/^\/?$/.test(url.pathname))
    return undefined
  const tls = tlsOf(url)
  const [user, password] = [decoded(url.username), decoded(url.password)]
  if (tls === undefined || user === undefined || password === undefined) return undefined
  // A password is sent only over TLS or to this machine.
  if ((user === '') !== (password === '') || (user !== '' && tls === 'none' && !LOOPBACK.has(url.hostname))) {
    return undefined
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: url.port ? Number(url.port) : PORTS[tls],
    tls,
    user: user || undefined,
    password: password || undefined,
  }
}

function tlsOf({ protocol, search, hostname }: URL): MailConfig['tls'] | undefined {
  if (search !== '' && (search !== '?tls=off' || protocol === 'smtps:')) return undefined
  if (protocol === 'smtps:') return 'implicit'
  return search === '?tls=off' || LOOPBACK.has(hostname) ? 'none' : 'starttls'
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Parses `address` or `Name <address>`. Returns undefined for anything else, such as several addresses. */
function senderIn(text: string): Sender | undefined {
  const [, before, address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  const [, quoted, plain = ''] = /^(?:"([^"]*)"|([^",]*))$/.exec((before ?? '').trim()) ?? []
  const name = quoted ?? plain
  if (!isPlainAddress(address) || /\p{Cc}/u.test(name) || (before?.trim() && !name)) return undefined
  return { name: name || undefined, address }
}

function isPlainAddress(text: string): boolean {
  return isEmail(text) && /^[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+$/.test(text)
}
