import type { CDPSession, Page } from 'playwright-core'

export type Traffic = {
  readonly requests: number
  readonly receivedBytes: number
  readonly sentBytes: number
  /** The requests by method and address, without the values of the query. */
  readonly byAddress: Readonly<Record<string, number>>
}

type Exchange = {
  line?: string
  sentHeaders?: Readonly<Record<string, string>>
  receivedBytes: number
}

/** Counts what a page sends and receives during some work, by the DevTools protocol. */
export async function trafficOf(page: Page, work: () => Promise<void>): Promise<Traffic> {
  const exchanges = new Map<string, Exchange>()
  const session = await page.context().newCDPSession(page)
  listen(session, (id) => {
    const known = exchanges.get(id) ?? { receivedBytes: 0 }
    exchanges.set(id, known)
    return known
  })
  await session.send('Network.enable')
  await work()
  await session.detach()
  return sumOf([...exchanges.values()])
}

/** Records each exchange. A response that has not ended counts its bytes so far, so that an endless one is not free. */
function listen(session: CDPSession, exchange: (id: string) => Exchange): void {
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { pathname, search } = new URL(request.url)
    exchange(requestId).line = `${request.method} ${pathname}${search}`
  })
  session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
    exchange(requestId).sentHeaders = headers
  })
  session.on('Network.responseReceived', ({ requestId, response }) => {
    exchange(requestId).receivedBytes = response.encodedDataLength
  })
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    exchange(requestId).receivedBytes += encodedDataLength
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    exchange(requestId).receivedBytes = encodedDataLength
  })
}

function sumOf(exchanges: readonly Exchange[]): Traffic {
  const sent = exchanges.filter(({ line }) => line !== undefined)
  const byAddress: Record<string, number> = {}
  for (const { line = '' } of sent) {
    const address = line.replace(/=[^&]*/g, '=…')
    byAddress[address] = (byAddress[address] ?? 0) + 1
  }
  return {
    requests: sent.length,
    receivedBytes: exchanges.reduce((sum, { receivedBytes }) => sum + receivedBytes, 0),
    sentBytes: sent.reduce((sum, one) => sum + headBytes(one), 0),
    byAddress,
  }
}

/** Returns the size of a request's head in HTTP/1.1: the line, the headers and an empty line. */
function headBytes({ line = '', sentHeaders = {} }: Exchange): number {
  const headers = Object.entries(sentHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.byteLength(`${line} HTTP/1.1\r\n${headers.join('')}\r\n`)
}
