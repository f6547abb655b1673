import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { claimMail, finishMail, postponeMail, putMail } from '../../src/db/mails.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { writeTransferFile } from '../../src/transfer/write-file.ts'
import { useService } from '../support/app.ts'
import { liveBesideTwins } from '../support/beside-twins.ts'
import { aSchool } from '../support/factory.ts'
import { addStudents } from '../support/long-list.ts'
import { enrich } from '../support/rich-school.ts'
import { aLife, WORD } from '../support/school-life.ts'
import { rowsIn } from '../support/transfer-file.ts'
import { everythingOf, plantTwin } from '../support/twin.ts'

const service = useService()
/** Some 300 requests to each school. */
const PATIENCE = 120_000

it(
  'between two schools with the same ids in all rows, a school works as if it were alone and touches neither',
  () => liveBesideTwins(service()),
  PATIENCE,
)

it('changes in the twin school do not change an entity tag', async () => {
  const { school } = await aLife(service())
  const twin = await plantTwin(service(), school.tenantId, WORD)
  await addStudents(service(), school, 1001)
  const paths = ['/students', '/students?with=progress', '/appointments', '/bootstrap']
  const read = paths.map(async (path) => (await school.client.get(path)).headers.get('etag') ?? '')
  const tags = await Promise.all(read)
  for (const table of ['calendars', 'students', 'instructors', 'appointments']) {
    await sql`update ${sql.table(table)} set version = version + 1 where tenant_id = ${twin}`.execute(
      service().db,
    )
  }
  for (const [at, path] of paths.entries()) {
    const { status } = await school.client.get(path, { 'if-none-match': tags[at] ?? '' })
    expect([path, status]).toEqual([path, 304])
  }
})

it("a mail that is sent or delayed is not the twin's, and is sent in the name of its own school", async () => {
  const { db } = service()
  await db.deleteFrom('mails').execute()
  const { tenantId } = await aSchool(service(), { name: WORD })
  for (const template of ['password_reset', 'password_reset'] as const) {
    const to = { address: 'ida@reader.example', name: WORD }
    const worth_until = new Date(Date.now() + 3_600_000)
    await inTransaction(db, (within) =>
      putMail(within, tenantId, { to, template, params: { url: `https://${WORD}.example` }, worth_until }),
    )
  }
  const twin = await plantTwin(service(), tenantId, WORD)
  const later = { next_attempt_at: new Date(Date.now() + 86_400_000), attempts: 1 }
  await db.updateTable('mails').set(later).where('tenant_id', '=', twin).execute()
  const before = await everythingOf(service(), twin)
  const [sent, delayed] = [await claimMail(db, 60), await claimMail(db, 60)]
  for (const mail of [sent, delayed])
    expect(mail).toMatchObject({ tenant_id: tenantId, school: WORD, to_name: WORD })
  if (!sent || !delayed) throw new Error('nothing was claimed')
  await finishMail(db, sent, { state: 'sent', last_error: null })
  await postponeMail(db, delayed, { last_error: 'away', seconds: 60 })
  expect(await everythingOf(service(), twin)).toEqual(before)
})

it('the file of a school has nothing of a twin, nor of the users of others', async () => {
  const { school } = await aLife(service())
  const folder = await mkdtemp(join(tmpdir(), 'fahrplan-twins-'))
  const path = join(folder, 'school.gz')
  const rows = async () => {
    await writeTransferFile(service().db, { tenantId: school.tenantId, path, now: new Date() })
    return rowsIn(path)
  }
  const before = await rows()
  await plantTwin(service(), school.tenantId, WORD)
  await enrich(service(), await aSchool(service()))
  expect(await rows()).toEqual(before)
  await rm(folder, { recursive: true })
})
