import { NIL } from 'uuid'
import { makePage } from '../booking/users/share-link.ts'
import type { Actor } from '../contract/actor.ts'
import { newId } from '../contract/new-id.ts'
import type { Tenant } from '../contract/tenant.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { listStudentsToAsk, readAskedStudent, type StudentToAsk } from '../db/messages/asked-students.ts'
import {
  addAsked,
  addNextRound,
  finishRound,
  lockDueRound,
  type OpenRound,
  tenantsWithDueRounds,
} from '../db/messages/availability-rounds.ts'
import { readStudentRecipients } from '../db/messages/message-facts.ts'
import { contactFields, type NewMessage, queueMessages } from '../db/messages/messages.ts'
import { type Clock, readTime } from '../db/now.ts'
import type { Database, Transaction } from '../db/schema/tables.ts'
import { lockTenant } from '../db/school/tenants.ts'
import { findOwnPage, listStudentsWithPage, storeMessageToken } from '../db/students/links.ts'
import { readTrainings } from '../db/students/progress.ts'
import { beginOfWeek, isRoundOver, roundOf } from '../domain/availability-round.ts'
import { afterQuiet } from '../domain/message-times.ts'
import type { AskedStudent } from '../domain/messages.ts'
import { progressOf } from '../domain/progress.ts'
import type { UnsubscribingRecipient } from '../domain/student-contacts.ts'
import { forEachSchool, type SchoolLog } from './each-school.ts'

/** The students considered in one transaction. */
const AT_ONCE = 25

type RoundLog = SchoolLog & { readonly warn: (facts: object, text: string) => void }

/** Asks the students of all schools whose weekly round is due, each student once. */
export async function askAllDueRounds(db: DatabasePool, log: RoundLog, clock: Clock): Promise<void> {
  await forEachSchool(await tenantsWithDueRounds(db, clock), log, async (id) => {
    let after: string | undefined = NIL
    while (after !== undefined) after = await askPiece(db, id, { after, clock, log })
  })
}

type Piece = { readonly after: string; readonly clock: Clock; readonly log: RoundLog }

/** Asks the next students of a school's due round. Returns the last one considered; undefined once the round is over. */
async function askPiece(
  database: DatabasePool,
  tenantId: string,
  { after, clock, log }: Piece,
): Promise<string | undefined> {
  return inTransaction(database, async (db) => {
    const tenant = await lockTenant(db, tenantId)
    const now = await readTime(db, clock)
    const round = await lockDueRound(db, tenantId, now)
    if (!round) return undefined
    const isOver = isRoundOver(round, now, tenant.timezone) || roundOf(tenant) === null
    const { week_start, student_ids: asked } = round
    const students = isOver
      ? []
      : await listStudentsToAsk(db, { tenantId, week_start, asked, after, limit: AT_ONCE })
    const last = students.at(-1)?.id
    if (last !== undefined) await ask(db, { tenant, round, now }, students)
    else {
      const state = isOver && asked.length === 0 ? 'skipped' : 'asked'
      await finishRound(db, tenantId, round, { state, now })
      await addNextRound(db, tenant, now)
      if (isOver)
        log.warn(
          { event: 'availability_round_skipped', tenant_id: tenantId, week_start, asked: asked.length },
          'a weekly round of questions is over before all students were asked',
        )
    }
    return last
  })
}

type Asking = { readonly tenant: Tenant; readonly round: OpenRound; readonly now: Date }

async function ask(
  db: Transaction,
  { tenant, round, now }: Asking,
  students: readonly StudentToAsk[],
): Promise<void> {
  const ids = await withoutFinished(db, tenant, students)
  const recipients = await readStudentRecipients(db, tenant.id, ids)
  await makePages(db, tenant, { ids, now })
  const { week_start } = round
  const worth_until = beginOfWeek(week_start, tenant.timezone)
  const until = afterQuiet(now, tenant.messages.quiet, tenant.timezone)
  const send_at = until < worth_until ? until : now
  const messages = ids.map((student_id): NewMessage => {
    return {
      kind: 'availability',
      student_id,
      params: { date: week_start },
      occasion: `availability ${student_id} ${week_start}`,
      ...contactFields(recipients.get(student_id)),
      send_at,
      worth_until,
    }
  })
  await queueMessages(db, tenant.id, now, messages)
  await addAsked(db, tenant.id, round, ids)
}

/** Returns the ids of students with a wish or an open requirement. */
async function withoutFinished(
  db: Transaction,
  { id: tenantId, unit_minutes }: Tenant,
  students: readonly StudentToAsk[],
): Promise<readonly string[]> {
  const unsure = students.filter(({ has_wish }) => !has_wish).map(({ id }) => id)
  const trainings = unsure.length > 0 ? await readTrainings(db, tenantId, unsure) : new Map()
  return students
    .filter(({ id, has_wish }) => {
      const training = trainings.get(id)
      if (has_wish || !training) return has_wish
      return progressOf(training, unit_minutes).requirements.some(({ open_units }) => open_units > 0)
    })
    .map(({ id }) => id)
}

/** Gives a link to students without one, or whose link shows nothing any more. */
async function makePages(
  db: Transaction,
  tenant: Tenant,
  { ids, now }: { readonly ids: readonly string[]; readonly now: Date },
): Promise<void> {
  const withPage = await listStudentsWithPage(db, tenant.id, ids)
  const actor: Actor = {
    kind: 'system',
    id: null,
    name: 'messages',
    role: 'operator',
    instructor_id: null,
    tenant,
    now,
    set_id: newId(),
  }
  for (const id of ids) if (!withPage.has(id)) await makePage(db, actor, id)
}

/** The secrets of students' pages in messages, and the address of the service. */
export type StudentPages = {
  readonly tokenFor: (
    tenantId: string,
    linkId: string,
  ) => { readonly token: string; readonly token_hash: Buffer }
  readonly unsubscribeTokenFor: (recipient: UnsubscribingRecipient) => string
  readonly base: () => string
}

type AskedWeek = { readonly tenant: Tenant; readonly student_id: string; readonly week_start: string }

/** Returns the present state of a student who is asked for a week, and the address at which they answer, if any. */
export async function askedStudent(
  db: Database,
  { tenant, student_id, week_start }: AskedWeek,
  { tokenFor, base }: StudentPages,
): Promise<AskedStudent & { readonly url: string | undefined }> {
  const [state, page] = await Promise.all([
    readAskedStudent(db, { tenantId: tenant.id, student_id, week_start }),
    tenant.student_actions.wish ? findOwnPage(db, tenant.id, student_id) : undefined,
  ])
  if (!page) return { ...state, has_page: false, url: undefined }
  const { token, token_hash } = tokenFor(tenant.id, page.id)
  if (!page.message_token_hash?.equals(token_hash))
    await storeMessageToken(db, tenant.id, { id: page.id, token_hash })
  return { ...state, has_page: true, url: `${base()}/s/${token}/weeks` }
}
