import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { requireProof } from '../../auth/proof.ts'
import type { Actor } from '../../contract/actor.ts'
import { Problem } from '../../contract/problem.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { localToday } from '../../domain/time-zone.ts'
import { writeTransferFile } from '../../transfer/write-file.ts'
import { operation } from '../operation.ts'
import { logAccess } from '../request-log.ts'
import { RequestCounter } from '../requests/request-counter.ts'
import { responses } from '../responses/responses.ts'
import type { App, Service } from '../service.ts'

const FILES_PER_HOUR = 6
/** The most files that this process writes at once. Each holds a connection, of which other schools need the rest. */
const MAX_AT_ONCE = 2
const RETRY_SECONDS = 30

/** The file of the whole school, for its owner. */
export function schoolFileRoutes(app: App, { db }: Service): void {
  const files = new Files()

  app.get(
    '/exports/school.ndjson.gz',
    operation('exports', {
      permission: 'run_the_school',
      operationId: 'exportSchool',
      summary: 'Export the whole school as one file, which `tenant import` reads; needs a recent proof',
      description:
        'Only for owners. It has everything that the school has stored, deleted students and the log of changes included, but no passwords, passkeys, authenticator apps, recovery codes or links: after an import, users set new passwords. 403 `proof_required` without a proof of the last five minutes (`POST /auth/proof`); 429 for a seventh file in an hour, or while one is written.',
      response: responses({ 200: gzip }, 401, 403, 429),
    }),
    async (request, reply) => {
      const { actor, session } = request
      await requireProof(db, session)
      const file = files.begin(actor.tenant.id, () => fileIn(reply, db, actor))
      logAccess(request, 'school_exported')
      return reply
        .type('application/gzip')
        .header('content-disposition', `attachment; filename="${nameFor(actor)}"`)
        .send(Readable.from(bytesOf(file), { objectMode: false }))
    },
  )
}

/** The files that this process writes, with their limits. */
class Files {
  readonly #written = new RequestCounter(FILES_PER_HOUR, 60)
  readonly #writing = new Set<string>()

  /** Begins a school's file. Throws `too_many_requests`. */
  begin(id: string, write: () => Promise<string>): Promise<string> {
    this.#written.requireBelowLimit(id)
    if (this.#writing.has(id) || this.#writing.size >= MAX_AT_ONCE) throw busy()
    this.#written.count(id)
    this.#writing.add(id)
    const file = write().finally(() => this.#writing.delete(id))
    // The response reports a failure, if anybody still reads it.
    file.catch(() => undefined)
    return file
  }
}

function busy(): Problem {
  return new Problem('too_many_requests', {
    params: { retry_after_seconds: RETRY_SECONDS },
    retryAfterSeconds: RETRY_SECONDS,
  })
}

/** Writes a temporary file, because a slow client must not hold the snapshot. It is removed when the response ends. */
async function fileIn(reply: FastifyReply, db: DatabasePool, { tenant, now }: Actor): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fahrplan-school-'))
  const remove = () => void rm(folder, { recursive: true, force: true }).catch(() => undefined)
  reply.raw.once('close', remove)
  const path = join(folder, 'school.ndjson.gz')
  const writing = { tenantId: tenant.id, path, now, isWithoutSecrets: true }
  await writeTransferFile(db, writing).finally(() => reply.raw.closed && remove())
  return path
}

function nameFor({ tenant, now }: Actor): string {
  return `school-${localToday(now, tenant.timezone)}.ndjson.gz`
}

async function* bytesOf(file: Promise<string>): AsyncGenerator<Buffer> {
  yield* createReadStream(await file) as AsyncIterable<Buffer>
}

const gzip = Type.Unsafe<unknown>({
  description: 'The file, as `docs/export-format.md` describes it, compressed with gzip.',
  content: { 'application/gzip': { schema: { type: 'string', format: 'binary' } } },
})
