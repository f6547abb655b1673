import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type AnnouncedLesson,
  decideMessage,
  type ExpectedLesson,
  type MessageLesson,
  NO_MESSAGES,
} from '../domain/messages.ts'
import { booksAgain, type EarlierNotice, type LessonChange, noticeAfter } from './notices.ts'
import { noticeKey, noticesByLesson, type Revision, reviseMessages } from './revise-messages.ts'

const STUDENT = 'student'
const NOW = new Date('2099-03-01T12:00:00Z')
const AGREES = { channel: 'mail', address: 'lena@reader.example', agrees: true } as const

const lessons = fc.constantFrom('one', 'other')
const places = fc.constantFrom(undefined, '2099-03-09', '2099-03-10', '2099-03-11')

const spots = fc.constantFrom(null, 'station')

/** A change that moves a lesson to a day or deletes it, in a new set of changes or the last one. */
const changes = fc.record({ lesson: lessons, day: places, spot: spots, isNewSet: fc.boolean() })
const steps = fc.array(
  fc.oneof({ weight: 3, arbitrary: changes }, fc.constantFrom('derive' as const, 'send' as const)),
  { maxLength: 14 },
)

type Change = {
  readonly lesson: string
  readonly day: string | undefined
  readonly spot: string | null
  readonly isNewSet: boolean
}

type Message = Omit<Revision, 'send_at' | 'isRevised' | 'isEmpty'>

/** A school with two lessons, its waiting messages, and the lessons as last announced to the student. */
class Correspondence {
  readonly told = new Map<string, AnnouncedLesson | undefined>()
  readonly #settings
  readonly #planned = new Map<string, ExpectedLesson>()
  readonly #existed = new Set<string>()
  readonly #sent = new Map<string, EarlierNotice>()
  #changes: (LessonChange & { readonly lesson: string })[] = []
  #waiting: readonly Message[] = []
  #sets = 0

  constructor(moved: boolean) {
    this.#settings = { ...NO_MESSAGES, booked: true, cancelled: true, moved }
  }

  planned(lesson: string): ExpectedLesson | undefined {
    return this.#planned.get(lesson)
  }

  change({ lesson, day, spot, isNewSet }: Change): void {
    if (isNewSet) this.#sets += 1
    const before = this.#planned.get(lesson)
    const after = day === undefined ? undefined : lessonOn(lesson, day, spot)
    if (before?.start_at === after?.start_at && before?.pickup_place === after?.pickup_place) return
    const action = before
      ? after
        ? 'changed'
        : 'deleted'
      : this.#existed.has(lesson)
        ? 'restored'
        : 'created'
    this.#changes.push({
      lesson,
      at: NOW,
      set_id: `${this.#sets}`,
      action,
      before,
      after,
      isSeries: false,
    })
    this.#existed.add(lesson)
    if (after) this.#planned.set(lesson, after)
    else this.#planned.delete(lesson)
  }

  derive(): void {
    const pending = noticesByLesson(this.#waiting)
    const tenant = { messages: this.#settings, timezone: 'Europe/Berlin' }
    const byLesson = Map.groupBy(this.#changes, ({ lesson }) => lesson)
    const notices = new Map(
      [...byLesson].map(([lesson, own]) => {
        const key = noticeKey(STUDENT, lesson)
        const known = {
          waiting: pending.get(key),
          sent: booksAgain(own) ? this.#sent.get(lesson) : undefined,
        }
        const school = { sends: this.#settings, timezone: tenant.timezone, now: NOW }
        return [key, noticeAfter(STUDENT, own, { ...known, ...school })] as const
      }),
    )
    const { revisions, bundles } = reviseMessages(this.#waiting, notices, tenant)
    const kept = revisions.filter((one) => !one.isEmpty && this.#decide(one).action !== 'drop')
    const made = bundles.map(({ isCall: _, ...bundle }) => ({
      ...bundle,
      channel: 'mail' as const,
      id: '',
      instructor_id: null,
      params: null,
      lessons: [...bundle.lessons],
    }))
    this.#waiting = [...kept, ...made]
    this.#changes = []
  }

  /** Sends waiting messages as a dispatcher does, after deriving all changes. Throws if one contradicts the last announcement. */
  send(): void {
    if (this.#changes.length > 0) this.derive()
    for (const message of this.#waiting) {
      const decision = this.#decide(message)
      const { kind } = message
      if (decision.action !== 'send' || kind === 'reminder') continue
      for (const lesson of decision.lessons) {
        const { appointment_id: id, was, ...facts } = lesson
        const known = this.told.get(id)
        expect(known === undefined, kind).toBe(kind === 'booked')
        const { appointment_id: _, ...before } = known ?? lesson
        if (kind === 'moved' && this.#settings.moved) expect(was).toEqual(before)
        this.told.set(id, kind === 'cancelled' ? undefined : { appointment_id: id, ...facts })
        this.#sent.set(id, { kind: kind as EarlierNotice['kind'], lesson })
      }
    }
    this.#waiting = []
  }

  #decide(message: { readonly kind: Message['kind']; readonly lessons: readonly MessageLesson[] }) {
    return decideMessage(
      { ...message, student_id: STUDENT, hours: null },
      {
        settings: this.#settings,
        timezone: 'Europe/Berlin',
        now: NOW,
        worth_until: new Date('2099-03-04T00:00:00Z'),
        recipient: AGREES,
        expected: this.#planned,
      },
    )
  }
}

function lessonOn(appointment_id: string, day: string, pickup_place: string | null): ExpectedLesson {
  const times = { start_at: `${day} 08:00`, end_at: `${day} 09:30` }
  const place = { pickup_place, location_id: null }
  return { appointment_id, ...times, instructor_id: 'instructor', ...place, students: new Set([STUDENT]) }
}

it('after any sequence of changes and sent messages, the student knows the final lessons', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (all, moved) => {
      const correspondence = new Correspondence(moved)
      for (const step of [...all, 'derive' as const, 'send' as const]) {
        if (step === 'derive') correspondence.derive()
        else if (step === 'send') correspondence.send()
        else correspondence.change(step)
      }
      for (const lesson of ['one', 'other']) {
        const [told, planned] = [correspondence.told.get(lesson), correspondence.planned(lesson)]
        expect(told === undefined).toBe(planned === undefined)
        if (!moved) continue
        expect(told?.start_at).toBe(planned?.start_at)
        expect(told?.pickup_place).toBe(planned?.pickup_place)
      }
    }),
    { numRuns: 2000 },
  )
})
