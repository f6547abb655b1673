import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** The key and certificate of `receiver.example`, 127.0.0.1 and ::1, valid until 2126. They protect nothing. */
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgglvnfnKG2IbXCVEX
Wh0zlgec0k0xMFiI4j7Flbzn6XahRANCAATA9Fc3faXKD73n3hW4H+sV0ChqjQGl
8s4h9j17hMTKmO4pZN+YyQ7MRc13TsYANb51ndz31KMjzUTHZJYtDNAe
-----END PRIVATE KEY-----`
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBwzCCAWqgAwIBAgIUcfedyriy2E+QVrAoIsCdznLZstswCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcmVjZWl2ZXIuZXhhbXBsZTAgFw0yNjExMjMyMTUwMjVaGA8y
MTI2MTAzMDIxNTAyNVowGzEZMBcGA1UEAwwQcmVjZWl2ZXIuZXhhbXBsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABMD0Vzd9pcoPvefeFbgf6xXQKGqNAaXyziH2
PXuExMqY7ilk35jJDsxFzXdOxgA1vnWd3PfUoyPNRMdkli0M0B6jgYkwgYYwHQYD
VR0OBBYEFBDM+n8C23vUjGTML9fvDTdy2Mr9MB8GA1UdIwQYMBaAFBDM+n8C23vU
jGTML9fvDTdy2Mr9MA8GA1UdEwEB/wQFMAMBAf8wMwYDVR0RBCwwKoIQcmVjZWl2
ZXIuZXhhbXBsZYcEfwAAAYcQAAAAAAAAAAAAAAAAAAAAATAKBggqhkjOPQQDAgNH
ADBEAiBtKC8QeTJKx+TCPROEn9SrXofdppXjzggk3Flo3qdKUAIgUVqGI5NVgpsf
NKf0s3ybO1YLQu19VXNy7NA5Ea6cGjY=
-----END CERTIFICATE-----`

/** Makes the process trust the tests' receivers in addition to its authorities. */
export function trustReceivers(): void {
  setDefaultCACertificates([...getCACertificates('default'), CERTIFICATE])
}

export type Received = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly bytes: Buffer
}

type Reply = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A function that decides on the reply to a message. */
type Judge = (message: Received) => Reply | undefined | Promise<Reply | undefined>

/** A real HTTPS server on a port of this machine. */
export type Receiver = {
  readonly url: string
  readonly port: number
  readonly received: readonly Received[]
  /** Resolves with the first `count` messages once they have arrived. */
  readonly receives: (count: number) => Promise<readonly Received[]>
  readonly close: () => Promise<void>
}

/** Starts a receiver. By default it accepts every message. */
export async function startReceiver(judge: Judge = () => undefined): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const server = createServer({ key: KEY, cert: CERTIFICATE }, async (request, response) => {
    const bytes = await buffer(request)
    const { url: path = '', headers: given } = request
    const message = { path, headers: given, body: bytes.toString(), bytes }
    received.push(message)
    for (const look of waiting) look()
    const { status, headers = {}, body = '' } = (await judge(message)) ?? { status: 204 }
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}/hook`,
    port,
    received,
    receives: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (received.length < count) return
          waiting.delete(look)
          resolve(received.slice(0, count))
        }
        waiting.add(look)
        look()
      }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
