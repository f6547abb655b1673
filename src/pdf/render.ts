import { on } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import type { MonthOfMinutes } from '../domain/minutes.ts'
import type { PrintedRecord } from '../domain/printed-record.ts'
import type { MinutesDocument } from './minutes-sheet.ts'
import { minutesTextsFor } from './minutes-texts.ts'
import type { RecordsDocument } from './record-sheet.ts'
import { recordTextsFor } from './record-texts.ts'
import type { Drawing, Kinds, Order } from './thread.ts'

/** Keeps the garbage of a long document from growing. */
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 }

/** A thread needs some 60 MB, and two at once would compete with requests for a core. */
const inTurn = pLimit(1)
/** Long documents, which wait for their readers, have turns of their own. */
const longInTurn = pLimit(2)

/** Returns the minutes of a month as a PDF, a section per instructor. It is drawn in a thread of its own. */
export async function minutesPdf(
  document: MinutesDocument,
  months: AsyncIterable<MonthOfMinutes>,
): Promise<Buffer> {
  const { language } = new Intl.Locale(document.locale)
  const title = `${minutesTextsFor(language).title(document.month)}, ${document.school}`
  return wholePdf({ kind: 'minutes', info: { title, language }, document }, months)
}

/** Returns a record, or the confirmation of one of its parts, as a PDF. */
export async function recordPdf(document: RecordsDocument, record: PrintedRecord): Promise<Buffer> {
  const { language } = new Intl.Locale(document.locale)
  const { title, confirmations } = recordTextsFor(language)
  const { last_name, first_name } = record.student
  const shown = document.part ? confirmations[document.part] : title(record.license_class)
  const info = { title: `${shown}, ${last_name}, ${first_name}`, language }
  return wholePdf({ kind: 'records', info, document }, one(record))
}

/** Yields records as a PDF, each with its own page numbers. The memory that it takes does not grow with their number. */
export async function* recordsPdf(
  document: RecordsDocument,
  records: AsyncIterable<PrintedRecord>,
): AsyncGenerator<Buffer> {
  const { language } = new Intl.Locale(document.locale)
  const info = { title: recordTextsFor(language).all, language }
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  void longInTurn(() => {
    begun.resolve()
    return ended.promise
  })
  await begun.promise
  try {
    for await (const bytes of drawn({ kind: 'records', info, document }, records))
      yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  } finally {
    ended.resolve()
  }
}

async function* one<Sheet>(sheet: Sheet): AsyncGenerator<Sheet> {
  yield sheet
}

function wholePdf<Kind extends keyof Kinds>(
  drawing: Drawing<Kind>,
  sheets: AsyncIterable<Kinds[Kind]['sheet']>,
): Promise<Buffer> {
  return inTurn(() => buffer(drawn(drawing, sheets)))
}

/** Yields the bytes of a document. Each sheet is read after the one before it has been drawn. */
async function* drawn<Kind extends keyof Kinds>(
  drawing: Drawing<Kind>,
  sheets: AsyncIterable<Kinds[Kind]['sheet']>,
): AsyncGenerator<Uint8Array> {
  const worker = new Worker(new URL('thread.ts', import.meta.url), {
    workerData: drawing,
    resourceLimits: MEMORY,
  })
  const messages = on(worker, 'message')
  const tell = (order: Order<Kind>) => worker.postMessage(order)
  try {
    let isEmpty = true
    for await (const sheet of sheets) {
      isEmpty = false
      tell({ sheet })
      yield* bytesUntil('drawn', messages)
    }
    if (isEmpty) {
      tell({ sheet: undefined })
      yield* bytesUntil('drawn', messages)
    }
    tell('end')
    yield* bytesUntil('closed', messages)
  } finally {
    await worker.terminate()
  }
}

type Message = Uint8Array | 'drawn' | 'closed'

async function* bytesUntil(
  mark: 'drawn' | 'closed',
  messages: AsyncIterator<readonly Message[]>,
): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { value } = await messages.next()
    for (const message of value ?? []) {
      if (message === mark) return
      if (message instanceof Uint8Array) yield message
    }
  }
}
