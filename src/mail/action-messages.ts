import type { Tenant } from '../contract/tenant.ts'
import {
  type Cause,
  readInstructorRecipients,
  readPreferredInstructors,
} from '../db/messages/message-facts.ts'
import { contactFields, type NewMessage, queueMessages } from '../db/messages/messages.ts'
import { changeLessons, changeParams, lockWaitingActions } from '../db/messages/waiting-messages.ts'
import type { Transaction } from '../db/schema/tables.ts'
import { actionOf } from '../domain/message-causes.ts'
import { BY_OFFICE, type ContactChannel } from '../domain/message-channels.ts'
import {
  type ActionKind,
  type ActionReader,
  actionReaders,
  type MessageLesson,
  newsUntil,
  outsideQuiet,
} from '../domain/messages.ts'
import type { LessonChange } from './notices.ts'

/** The wait in which further actions join a message. */
const BUNDLE_MS = 60_000

type Action = {
  readonly kind: ActionKind
  readonly at: Date
  readonly instructor_id: string | null
  readonly lessons: readonly MessageLesson[]
  readonly wishes: readonly { readonly student_id: string; readonly wish_id: string }[]
}

/** A message that waits, stored (`id`) or new. */
type Draft = Omit<Action, 'at'> & {
  readonly id: string | undefined
  readonly send_at: Date
  readonly worth_until: Date
  readonly isChanged: boolean
}

type Deriving = {
  readonly tenant: Tenant
  readonly now: Date
  readonly causes: readonly Cause[]
  readonly changes: ReadonlyMap<string, readonly LessonChange[]>
}

/** Queues messages to instructors and the office about what students did, or adds to those that wait. */
export async function deriveActionMessages(
  db: Transaction,
  { tenant, now, causes, changes }: Deriving,
): Promise<void> {
  const readers = actionReaders(tenant.messages)
  if (readers.length === 0) return
  const actions = [...lessonActions(changes), ...(await wishActions(db, tenant.id, causes))]
  if (actions.length === 0) return
  const ids = actions.flatMap(({ instructor_id }) => instructor_id ?? [])
  const instructors = await readInstructorRecipients(db, tenant.id, ids)
  const contactOf = (instructor_id: string | null): ContactChannel | undefined => {
    if (instructor_id === null) return tenant.office_email ? BY_OFFICE(tenant.office_email) : undefined
    const instructor = instructors.get(instructor_id)
    return instructor?.agrees && instructor.address ? instructor : undefined
  }
  const stored = await lockWaitingActions(db, tenant.id)
  const drafts: Draft[] = stored.map(
    ({ id, kind, instructor_id, lessons, params, send_at, worth_until }) => ({
      id,
      kind: kind as ActionKind,
      instructor_id,
      lessons,
      wishes: params?.wishes ?? [],
      send_at,
      worth_until,
      isChanged: false,
    }),
  )
  for (const action of actions.toSorted((a, b) => a.at.getTime() - b.at.getTime()))
    for (const own of addressed(action, readers))
      if (contactOf(own.instructor_id)) add(drafts, own, { tenant, now })
  await store(db, { tenant, now }, { drafts, contactOf })
}

function addressed(action: Action, readers: readonly ActionReader[]): readonly Action[] {
  return readers.flatMap((reader) => {
    if (reader === 'office') return [{ ...action, instructor_id: null }]
    return action.instructor_id === null ? [] : [action]
  })
}

/** Adds an action to a draft that leaves no later, and not in quiet hours in which it would wait; or as a new one. */
function add(drafts: Draft[], action: Action, { tenant, now }: Pick<Deriving, 'tenant' | 'now'>): void {
  const { kind, at, instructor_id, lessons, wishes } = action
  const { messages, timezone } = tenant
  const soonest = new Date(at.getTime() + BUNDLE_MS)
  const send_at = outsideQuiet({ kind, lessons }, soonest, { quiet: messages.quiet, timezone })
  const isQuiet = send_at > soonest
  const index = drafts.findIndex((one) => {
    if (one.kind !== kind || one.instructor_id !== instructor_id || one.send_at <= now) return false
    return isQuiet ? one.send_at.getTime() === send_at.getTime() : one.send_at <= send_at
  })
  const known = drafts[index]
  if (!known) {
    const worth_until = newsUntil(send_at)
    drafts.push({
      id: undefined,
      kind,
      instructor_id,
      lessons,
      wishes,
      send_at,
      worth_until,
      isChanged: true,
    })
  } else
    drafts[index] = {
      ...known,
      lessons: [...known.lessons, ...lessons],
      wishes: [...known.wishes, ...wishes],
      isChanged: true,
    }
}

type Storing = {
  readonly drafts: readonly Draft[]
  readonly contactOf: (instructor_id: string | null) => ContactChannel | undefined
}

async function store(
  db: Transaction,
  { tenant, now }: Pick<Deriving, 'tenant' | 'now'>,
  { drafts, contactOf }: Storing,
): Promise<void> {
  const made: NewMessage[] = []
  for (const { id, isChanged, wishes, instructor_id, ...draft } of drafts) {
    const params = wishes.length > 0 ? { wishes } : undefined
    if (!id) {
      const whose = instructor_id === null ? {} : { instructor_id }
      made.push({ ...draft, ...whose, ...(params && { params }), ...contactFields(contactOf(instructor_id)) })
    } else if (isChanged) {
      await changeLessons(db, tenant.id, { ...draft, lessons: [...draft.lessons], id, send_at: null })
      if (params) await changeParams(db, tenant.id, { id, params })
    }
  }
  await queueMessages(db, tenant.id, now, made)
}

function lessonActions(changes: ReadonlyMap<string, readonly LessonChange[]>): readonly Action[] {
  return [...changes.values()].flat().flatMap(({ at, actor, before, after }) => {
    const lesson = after ?? before
    if (actor?.actor_kind !== 'student' || !actor.actor_id || !actor.did || !lesson) return []
    const { appointment_id, start_at, end_at, instructor_id } = lesson
    const was = actor.did === 'student_moved' && before ? before : null
    const told: MessageLesson = {
      appointment_id,
      start_at,
      end_at,
      instructor_id,
      was: was && { start_at: was.start_at, end_at: was.end_at, instructor_id: was.instructor_id },
      by: actor.actor_id,
    }
    return [{ kind: actor.did, at, instructor_id, lessons: [told], wishes: [] }]
  })
}

/** Returns the wishes that students made. The wish's instructor is told, or the preferred one of the student. */
async function wishActions(
  db: Transaction,
  tenantId: string,
  causes: readonly Cause[],
): Promise<readonly Action[]> {
  const made = causes.filter((one) => one.actor_kind === 'student' && actionOf(one) === 'student_wish')
  if (made.length === 0) return []
  const students = made.flatMap(({ actor_id }) => actor_id ?? [])
  const preferred = await readPreferredInstructors(db, tenantId, students)
  return made.map(({ at, actor_id, resource_id, after }) => {
    const student_id = actor_id ?? ''
    const wished = typeof after?.instructor_id === 'string' ? after.instructor_id : undefined
    return {
      kind: 'student_wish',
      at,
      instructor_id: wished ?? preferred.get(student_id) ?? null,
      lessons: [],
      wishes: [{ student_id, wish_id: resource_id }],
    }
  })
}
