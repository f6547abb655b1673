import { createSocket } from 'node:dgram'

/** A function that returns a name's IPv4 addresses: none if it does not exist, undefined if the server must not respond. */
type Zone = (name: string) => readonly string[] | undefined

/** A real DNS server on a port of this machine, without IPv6 addresses. */
export type DnsServer = { readonly address: string; readonly close: () => Promise<void> }

const HEADER_BYTES = 12
const TYPE_A = 1
const NO_SUCH_NAME = 3

export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const addresses = zone(nameIn(query).name)
    if (addresses) socket.send(answerTo(query, addresses), port, address)
  })
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((closed) => socket.close(closed)),
  }
}

/** Returns a response (RFC 1035 §4): the query's id and question, and an answer for each address. */
function answerTo(query: Buffer, addresses: readonly string[]): Buffer {
  const { end } = nameIn(query)
  const question = query.subarray(HEADER_BYTES, end + 4)
  const answers = query.readUInt16BE(end) === TYPE_A ? addresses : []
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(query.readUInt16BE(0), 0)
  header.writeUInt16BE(0x8180 | (addresses.length > 0 ? 0 : NO_SUCH_NAME), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers.length, 6)
  const records = answers.map((address) =>
    Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  )
  return Buffer.concat([header, question, ...records])
}

function nameIn(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}
