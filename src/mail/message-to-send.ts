import { isOpenTo } from '../booking/offers/offer-states.ts'
import { lessonTypeNames } from '../booking/packs/packs.ts'
import type { Tenant } from '../contract/tenant.ts'
import {
  expectedIn,
  type MessageLessonRow,
  type MessageRecipient,
  readInstructorRecipients,
  readLessons,
  readLessonsOn,
  readStudentRecipients,
} from '../db/messages/message-facts.ts'
import type { ClaimedMessage } from '../db/messages/message-outbox.ts'
import { readSentNotices } from '../db/messages/messages.ts'
import { findOffer } from '../db/offers/offers.ts'
import type { MessageParams } from '../db/schema/message-tables.ts'
import type { Database } from '../db/schema/tables.ts'
import { type LessonTypeName, readLessonTypeNames } from '../db/school/lesson-types.ts'
import { readBranches } from '../db/school/locations.ts'
import { requireTenant } from '../db/school/tenants.ts'
import { readWishesOfStudents } from '../db/students/wishes.ts'
import type { ChannelMessage, ContactChannel, PushMessage } from '../domain/message-channels.ts'
import {
  type AnnouncedLesson,
  decideMessage,
  isActionKind,
  isNotice,
  type MessageDecision,
  type MessageLesson,
} from '../domain/messages.ts'
import { pageLanguageOf } from '../domain/page-languages.ts'
import { askedStudent, type StudentPages } from './availability-rounds.ts'
import { invitationsFor, type LessonInvitation } from './invitations.ts'
import { type LetterLesson, lessonLetter, wishLine } from './lesson-letters.ts'
import { staffLetters } from './letter-texts.ts'
import type { Letter } from './letters.ts'
import type { Sender } from './mail-config.ts'
import { messageWith, type OutgoingMail, shortTextOf } from './message.ts'

/** The milliseconds after which a process with a mail server may claim the message. */
const ELSEWHERE_MS = 60_000

/** A message to send on its channel. */
export type Sendable = Extract<Decided, { readonly action: 'send' }>

type Decided =
  | Exclude<MessageDecision, { readonly action: 'send' }>
  | { readonly action: 'send'; readonly to: string; readonly channel: 'mail'; readonly message: OutgoingMail }
  | {
      readonly action: 'send'
      readonly to: string
      readonly channel: 'webhook'
      readonly message: ChannelMessage
    }
  | {
      readonly action: 'send'
      readonly to: null
      readonly channel: 'push'
      readonly message: PushMessage
      /** The channel to use if the devices accept no message. */
      readonly chosen: ContactChannel
    }

type Sending = { readonly sender: Sender | undefined; readonly pages: StudentPages }

/** Decides on a claimed message by the present state, and composes it if it is to be sent. */
export async function messageToSend(
  db: Database,
  claimed: ClaimedMessage,
  { sender, pages }: Sending,
): Promise<Decided> {
  const { tenant_id: tenantId, kind, student_id, instructor_id, params, worth_until } = claimed
  const now = claimed.claimed_at
  const ids = claimed.lessons.map(({ appointment_id }) => appointment_id)
  const [tenant, lessons, found] = await Promise.all([
    requireTenant(db, tenantId),
    instructor_id && params?.date
      ? readLessonsOn(db, tenantId, { date: params.date, instructor_id })
      : [...(await readLessons(db, tenantId, ids)).values()],
    recipientOf(db, claimed),
  ])
  // A message that the devices did not accept has another channel and is not sent to them again.
  const recipient = found && claimed.channel !== 'push' ? { ...found, ...found.chosen } : found
  const present = lessons.filter(({ deleted }) => !deleted)
  const asked =
    kind === 'availability' && student_id && params?.date
      ? await askedStudent(db, { tenant, student_id, week_start: params.date }, pages)
      : undefined
  const isAction = isActionKind(kind)
  const reader = instructor_id ? 'instructor' : 'office'
  const { isCorrection, isBack } = await cancelledBefore(db, tenantId, claimed)
  const decision = decideMessage(
    { kind, student_id, lessons: claimed.lessons, hours: params?.hours ?? null, reader, isCorrection },
    {
      settings: tenant.messages,
      timezone: tenant.timezone,
      now,
      worth_until,
      recipient,
      expected: new Map(present.map((lesson) => [lesson.id, expectedIn(lesson)])),
      asked,
    },
  )
  if (decision.action !== 'send' || !recipient) return decision as Exclude<Decided, { action: 'send' }>
  const offered =
    params?.offer_id && student_id
      ? await offeredLesson(db, { tenant, now }, { offer_id: params.offer_id, student_id })
      : undefined
  if (kind === 'offer' && !offered) return { action: 'drop', reason: 'withdrawn' }
  if (kind === 'day_plan' && present.length === 0) return { action: 'drop', reason: 'cancelled' }
  const shown = offered ? [offered] : lessons
  const isWhole = kind === 'day_plan' || kind === 'offer'
  const told = isWhole ? shown.map((lesson) => ({ ...expectedIn(lesson), was: null })) : decision.lessons
  const wished = isAction ? await wishesIn(db, tenantId, params?.wishes ?? []) : []
  if (kind === 'student_wish' && wished.length === 0) return { action: 'drop', reason: 'withdrawn' }
  const language =
    instructor_id || isAction
      ? staffLetters(tenant.locale).language
      : (recipient.language ?? pageLanguageOf(tenant.locale))
  const letterOf = await letterLessons(db, tenant, {
    told,
    rows: new Map(shown.map((one) => [one.id, one])),
    isOfSchool: instructor_id !== null || isAction,
    isToOffice: isAction && instructor_id === null,
    language,
    isAtBranch: !isWhole && !isAction,
  })
  const lines = wished.map((wish) => wishLine(wish, { language, country: tenant.country }))
  const letter = lessonLetter({
    kind,
    isBack,
    name: recipient.first_name,
    school: tenant.name,
    phone: tenant.phone,
    language,
    country: tenant.country,
    lessons: letterOf,
    lines,
    who: letterOf[0]?.by ?? wished[0]?.student ?? '',
    url: asked?.url ?? params?.url,
    date: params?.date,
  })
  const invitations =
    decision.channel === 'mail' && isNotice(kind)
      ? await invitationsFor(db, tenant, {
          kind,
          lessons: told,
          language,
          attendee: { name: fullNameOf(recipient), address: decision.to },
          now,
        })
      : []
  return addressed(letter, { claimed, decision, recipient, tenant, sender, pages, now, invitations })
}

type OfferedTo = { readonly offer_id: string; readonly student_id: string }

/** Returns the time of an offer as a lesson without a student; undefined if the student can no longer accept it. */
async function offeredLesson(
  db: Database,
  moment: { readonly tenant: Tenant; readonly now: Date },
  { offer_id, student_id }: OfferedTo,
): Promise<MessageLessonRow | undefined> {
  const offer = await findOffer(db, moment.tenant.id, offer_id)
  if (!offer || !(await isOpenTo(db, moment, offer, student_id))) return undefined
  const { id, instructor_id, lesson_type_id, start_at, end_at } = offer
  const time = { id, instructor_id, lesson_type_id, start_at, end_at }
  const empty = {
    student_id: null,
    status: 'planned',
    series_id: null,
    pickup_place: null,
    location_id: null,
    cancellation: null,
  } as const
  return { ...time, ...empty, attendees: [], deleted: false }
}

type Addressing = {
  readonly claimed: ClaimedMessage
  readonly decision: Extract<MessageDecision, { readonly action: 'send' }>
  readonly recipient: MessageRecipient
  readonly tenant: Tenant
  readonly sender: Sender | undefined
  readonly pages: StudentPages
  readonly now: Date
  readonly invitations: readonly LessonInvitation[]
}

/** Returns a letter as a message for its channel. */
function addressed(
  letter: Letter,
  { claimed, decision, recipient, tenant, sender, pages, now, invitations }: Addressing,
): Decided {
  const { id, send_at, kind, student_id, worth_until } = claimed
  const name = fullNameOf(recipient)
  const { language, subject } = letter
  if (decision.channel === 'push') {
    const lifetime = worth_until.getTime() - now.getTime()
    // Without the link, because the page that a device opens has it.
    const text = shortTextOf({ ...letter, link: undefined })
    const page = kind === 'availability' ? 'weeks' : null
    const message = { id, student_id: student_id ?? '', language, subject, text, page, lifetime } as const
    return { action: 'send', to: null, channel: 'push', message, chosen: recipient.chosen }
  }
  const { to: address, channel } = decision
  if (channel === 'webhook') {
    const text = shortTextOf(letter)
    const message = { id, send_at, kind, to: address, name, language, subject, text }
    return { action: 'send', to: address, channel, message }
  }
  // A process without a mail server claims no mails, so the channel has changed since.
  if (!sender) return { action: 'wait', until: new Date(now.getTime() + ELSEWHERE_MS) }
  const { name: school, email } = tenant
  // A contact ends the contact's own messages: the consent is the student's.
  const contact = claimed.contact_name === null ? undefined : { name: claimed.contact_name, email: address }
  const unsubscribe = student_id
    ? `${pages.base()}/u/${pages.unsubscribeTokenFor({ tenantId: tenant.id, student_id, contact })}`
    : undefined
  const frame = { id, date: now, school, email, to: { name, address }, sender, unsubscribe, invitations }
  return { action: 'send', to: address, channel, message: messageWith(letter, frame) }
}

function fullNameOf({ first_name, last_name }: MessageRecipient): string {
  return `${first_name} ${last_name}`.trim()
}

/** Returns whether the last notice about each lesson of a booking cancelled it, and whether each has the same start (`isBack`). */
export async function cancelledBefore(
  db: Database,
  tenantId: string,
  { kind, student_id, lessons }: Pick<ClaimedMessage, 'kind' | 'student_id' | 'lessons'>,
): Promise<{ readonly isCorrection: boolean; readonly isBack: boolean }> {
  if (kind !== 'booked') return { isCorrection: false, isBack: false }
  const ids = lessons.map(({ appointment_id }) => appointment_id)
  const sent = (await readSentNotices(db, tenantId, ids)).filter((one) => one.student_id === student_id)
  const cancelled = lessons.map((lesson) => {
    const isSame = (one: MessageLesson) => one.appointment_id === lesson.appointment_id
    const last = sent.find((one) => isNotice(one.kind) && one.lessons.some(isSame))
    return last?.kind === 'cancelled' ? last.lessons.find(isSame) : undefined
  })
  return {
    isCorrection: cancelled.every((one) => one !== undefined),
    isBack: cancelled.every((one, at) => one?.start_at === lessons[at]?.start_at),
  }
}

async function recipientOf(
  db: Database,
  { tenant_id: tenantId, student_id, instructor_id, ...claimed }: ClaimedMessage,
): Promise<MessageRecipient | undefined> {
  if (student_id) {
    const student = (await readStudentRecipients(db, tenantId, [student_id])).get(student_id)
    return claimed.contact_name === null ? student : student && contactOf(student, claimed)
  }
  if (!instructor_id) return officeOf(await requireTenant(db, tenantId))
  return (await readInstructorRecipients(db, tenantId, [instructor_id])).get(instructor_id)
}

function officeOf({ id, name, office_email }: Tenant): MessageRecipient {
  const chosen = { channel: 'mail', address: office_email } as const
  return {
    id,
    first_name: name,
    last_name: '',
    agrees: true,
    language: null,
    contacts: [],
    chosen,
    ...chosen,
  }
}

/** Returns a message's contact, with the student's consent; undefined if the student no longer has that contact. */
function contactOf(
  student: MessageRecipient,
  { contact_name, to_address }: Pick<ClaimedMessage, 'contact_name' | 'to_address'>,
): MessageRecipient | undefined {
  const contact = student.contacts.find((one) => one.name === contact_name && one.address === to_address)
  if (!contact) return undefined
  const { name: first_name, channel, address } = contact
  return { ...student, first_name, last_name: '', channel, address, chosen: { channel, address } }
}

type MessageContent = {
  readonly told: readonly MessageLesson[]
  readonly rows: ReadonlyMap<string, MessageLessonRow>
  /** Whether the message names students, and for the office also the instructor. */
  readonly isOfSchool: boolean
  readonly isToOffice: boolean
  readonly language: string
  readonly isAtBranch: boolean
}

async function letterLessons(
  db: Database,
  tenant: Tenant,
  { told, rows, isOfSchool, isToOffice, language, isAtBranch }: MessageContent,
): Promise<readonly (LetterLesson & { readonly by: string })[]> {
  if (told.length === 0) return []
  const students = [...rows.values()].flatMap((lesson) => [...expectedIn(lesson).students])
  const acting = told.flatMap(({ by }) => by ?? [])
  const facts = told.flatMap((one) => [one, ...(one.was ? [one.was] : [])])
  const teachers = facts.map((one) => one.instructor_id)
  const [types, branches, learners, instructors] = await Promise.all([
    readLessonTypeNames(db, tenant.id),
    readBranches(db, tenant.id, facts),
    isOfSchool ? readStudentRecipients(db, tenant.id, [...students, ...acting]) : undefined,
    isOfSchool && !isToOffice ? undefined : readInstructorRecipients(db, tenant.id, teachers),
  ])
  // The school may have renamed types, in its own language.
  const translated =
    language === pageLanguageOf(tenant.locale) ? undefined : lessonTypeNames(tenant.country, language)
  const typeName = (type: LessonTypeName | undefined) =>
    type ? (translated?.get(type.code) ?? type.name) : ''
  const nameOf = (id: string) => {
    const person = learners?.get(id) ?? instructors?.get(id)
    if (!person) return ''
    return isOfSchool ? fullNameOf(person) : person.first_name
  }
  const placeOf = (lesson: Omit<AnnouncedLesson, 'appointment_id'>) => {
    const branch = branches.get(lesson.location_id ?? '')
    return lesson.pickup_place ?? branch ?? (isAtBranch ? branches.get(lesson.instructor_id) : null) ?? null
  }
  return told.map((lesson) => {
    const { appointment_id, start_at, end_at, was, instructor_id: teacher } = lesson
    const row = rows.get(appointment_id)
    const place = placeOf(
      row ? { ...lesson, pickup_place: row.pickup_place, location_id: row.location_id } : lesson,
    )
    const placeBefore = was && was.pickup_place !== undefined ? placeOf(was) : place
    const named = lesson.by ? [lesson.by] : isOfSchool && row ? [...expectedIn(row).students] : [teacher]
    const names = [...named, ...(isToOffice ? [teacher] : [])].map(nameOf)
    return {
      start_at,
      end_at,
      was: was?.start_at ?? null,
      type: typeName(types.get(row?.lesson_type_id ?? '')),
      with: names.filter((name) => name !== '').join(', '),
      withBefore: was && was.instructor_id !== teacher ? nameOf(was.instructor_id) || null : null,
      place,
      placeBefore: placeBefore === place ? null : placeBefore,
      cancellation: row?.status === 'cancelled' && !isOfSchool ? row.cancellation : null,
      by: lesson.by ? nameOf(lesson.by) : '',
    }
  })
}

type NamedWish = { readonly student: string } & Parameters<typeof wishLine>[0]

/** Returns the wishes that still exist, with the names of their students. */
async function wishesIn(
  db: Database,
  tenantId: string,
  wishes: NonNullable<MessageParams['wishes']>,
): Promise<readonly NamedWish[]> {
  if (wishes.length === 0) return []
  const [found, people] = await Promise.all([
    readWishesOfStudents(
      db,
      tenantId,
      wishes.map(({ wish_id }) => wish_id),
    ),
    readStudentRecipients(
      db,
      tenantId,
      wishes.map(({ student_id }) => student_id),
    ),
  ])
  return found.flatMap((wish) => {
    const person = people.get(wish.student_id)
    return person ? [{ ...wish, student: fullNameOf(person) }] : []
  })
}
