import { parentPort, workerData } from 'node:worker_threads'
import type { MonthOfMinutes } from '../domain/minutes.ts'
import type { PrintedRecord } from '../domain/printed-record.ts'
import { drawMinutes, type MinutesDocument } from './minutes-sheet.ts'
import { Paper, type PaperInfo } from './paper.ts'
import { drawRecord, type RecordsDocument } from './record-sheet.ts'

/** The kinds of documents: the facts of each, and one of its sheets. */
export type Kinds = {
  readonly minutes: { readonly document: MinutesDocument; readonly sheet: MonthOfMinutes }
  readonly records: { readonly document: RecordsDocument; readonly sheet: PrintedRecord }
}

/** The document that a thread draws. */
export type Drawing<Kind extends keyof Kinds = keyof Kinds> = {
  readonly kind: Kind
  readonly info: PaperInfo
  readonly document: Kinds[Kind]['document']
}

/** A sheet to draw, none in a document without sheets, or the end of the document. */
export type Order<Kind extends keyof Kinds = keyof Kinds> =
  | { readonly sheet: Kinds[Kind]['sheet'] | undefined }
  | 'end'

type Draw<Kind extends keyof Kinds> = (
  paper: Paper,
  document: Kinds[Kind]['document'],
  sheet: Kinds[Kind]['sheet'] | undefined,
) => void

const DRAW: { readonly [Kind in keyof Kinds]: Draw<Kind> } = { minutes: drawMinutes, records: drawRecord }

const port = parentPort
if (!port) throw new Error('pdf/thread.ts is the entry of a worker')
const { kind, info, document }: Drawing = workerData
const draw = DRAW[kind] as Draw<keyof Kinds>

/** The end of a long document has thousands of small parts, and as many messages would hold the main thread. */
const PART_BYTES = 64 * 1024
let parts: Uint8Array[] = []
let size = 0

const paper = new Paper(info, (bytes) => {
  parts.push(bytes)
  size += bytes.length
  if (size >= PART_BYTES) send()
})

port.on('message', (order: Order) => {
  if (order === 'end') void paper.close().then(finish)
  else {
    draw(paper, document, order.sheet)
    port.postMessage('drawn')
  }
})

function send(): void {
  const bytes = Uint8Array.from(Buffer.concat(parts))
  parts = []
  size = 0
  port?.postMessage(bytes, [bytes.buffer])
}

function finish(): void {
  send()
  port?.postMessage('closed')
  port?.close()
}
