import { parentPort, workerData } from 'node:worker_threads'
import { Addresses, type AddressSettings } from '../webhooks/addresses.ts'
import { type Download, download, type Validators } from './download.ts'

export type DownloaderSettings = {
  readonly addresses: AddressSettings
  readonly authorities: readonly string[] | undefined
}

export type DownloadOrder = {
  readonly url: string
  readonly validators: Validators
  readonly milliseconds: number
}
export type DownloadMessage = { readonly id: number; readonly order: DownloadOrder | undefined }
export type DownloadResult = { readonly id: number; readonly got: Download }

const port = parentPort
if (!port) throw new Error('busy/download-thread.ts is the entry of a worker')

const settings = workerData as DownloaderSettings
const addresses = new Addresses(settings.addresses.allowed, settings.addresses.dns)
const running = new Map<number, AbortController>()

port.on('message', async ({ id, order }: DownloadMessage) => {
  if (!order) return running.get(id)?.abort()
  const aborted = new AbortController()
  running.set(id, aborted)
  const { url, validators, milliseconds } = order
  const end = AbortSignal.any([AbortSignal.timeout(milliseconds), aborted.signal])
  const got = await download(url, validators, { addresses, authorities: settings.authorities, end })
  running.delete(id)
  const bytes = typeof got === 'object' && 'bytes' in got ? [got.bytes.buffer as ArrayBuffer] : []
  port.postMessage({ id, got } satisfies DownloadResult, bytes)
})
