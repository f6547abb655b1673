import { NIL } from 'uuid'
import type { Actor } from '../../contract/actor.ts'
import type { Candidate } from '../../contract/offer.ts'
import { readTaughtLessonTypes } from '../../db/appointments/affected-appointments.ts'
import { readFleet } from '../../db/appointments/fleet.ts'
import { sourceOf } from '../../db/calendars/agendas.ts'
import { type Calendars, type CalendarsRequest, loadCalendars } from '../../db/calendars/calendars.ts'
import { type GapCandidate, listGapCandidates, listStudentsGone } from '../../db/offers/gap-candidates.ts'
import type { Database } from '../../db/schema/tables.ts'
import { holidayCalendarOf } from '../../db/school/holidays.ts'
import { requireInstructor } from '../../db/school/instructors.ts'
import { readTrainings } from '../../db/students/progress.ts'
import { verdictOn } from '../../domain/booking.ts'
import { darknessFor } from '../../domain/daylight.ts'
import { type Gap, lessonIn, ranked, type StudentWithWishes, studentsFor } from '../../domain/gaps.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import { dateOf, dayOf, daysLater, mondayOf, weekdayOf } from '../../domain/local-time.ts'
import { occupantsOf } from '../../domain/occupants.ts'
import { APPOINTMENT_MINUTES } from '../../domain/ranges.ts'
import { SchoolCalendar } from '../../domain/school-calendar.ts'
import { containsStretch, readUntilComplete, surroundingsOf } from '../../domain/surroundings.ts'
import { localNow } from '../../domain/time-zone.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { candidateFor, type Search } from './gap-candidate.ts'

/** Students with no lesson this many days before and after the gap are listed even without a wish. */
const DAYS_WITHOUT_A_LESSON = 14
const MAX_CANDIDATES = 200
const STUDENTS_A_PART = 250
const CANDIDATES_A_PART = 50

/**
 * Lists the students who could have a lesson in a free time, best first: with a fitting wish, or with open requirements and
 * neither wish nor lesson around that time. Writes nothing. Throws `not_found`.
 */
export async function findGapCandidates(
  db: Database,
  actor: Actor,
  gap: Gap,
  slicer: TimeSlicer,
): Promise<readonly Candidate[]> {
  const { license_classes } = await requireInstructor(db, actor.tenant.id, gap.instructor_id)
  const now = localNow(actor.now, actor.tenant.timezone)
  if (gap.start_at <= now) return []
  const search = await openingOf(db, actor, gap, slicer)
  if (isClosed(search)) return []
  const asking = ranked(await candidatesFor(db, actor, gap, { license_classes, slicer }))
  const found: Candidate[] = []
  for (let at = 0; at < asking.length && found.length < MAX_CANDIDATES; at += CANDIDATES_A_PART) {
    const part = asking.slice(at, at + CANDIDATES_A_PART)
    const ids = part.map(({ student }) => student.student_id)
    const fleet = await readFleet(db, actor.tenant.id, ids)
    const lessonOf = (student_id: string, lesson_type_id: string | null) => {
      return { instructor_id: gap.instructor_id, student_id, lesson_type_id }
    }
    const vehicle_ids = fleet.possibleFor(
      ids.map((id) => lessonOf(id, null)),
      [gap.instructor_id],
    )
    const occupants = [
      ...occupantsOf({ vehicle_ids }),
      ...ids.map((id) => ({ kind: 'student' as const, id })),
    ]
    const [{ of }, trainings] = await Promise.all([
      load(db, actor, { occupants, range: intervalOf(gap), slicer }),
      readTrainings(db, actor.tenant.id, ids),
    ])
    const calendar = search.calendarWith(of)
    for (const one of part) {
      await slicer.pause()
      const id = one.student.student_id
      const agendaFor = (type: string) => {
        const lesson = lessonOf(id, type)
        return calendar.timedAgendaFor({ ...lesson, vehicle_ids: fleet.vehiclesFor(lesson) })
      }
      const student = { training: of.has(id) ? trainings.get(id) : undefined, agendaFor }
      const candidate = candidateFor(one, search, student)
      if (candidate) found.push(candidate)
    }
  }
  return withLongestWait(found.slice(0, MAX_CANDIDATES))
}

/** The rules that refuse every lesson at the start of a gap if they refuse the shortest one. */
const WHATEVER_LENGTH: ReadonlySet<string> = new Set([
  'instructor_inactive',
  'instructor_busy',
  'public_holiday',
  'school_closed',
  'instructor_on_vacation',
  'instructor_busy_elsewhere',
  'outside_availability',
])

function isClosed({ gap, calendarWith }: Opening): boolean {
  const { start_at, end_at } = lessonIn(gap, APPOINTMENT_MINUTES.min)
  const agenda = calendarWith(new Map()).agendaFor(gap)
  return verdictOn({ start_at, end_at, counts_toward_limits: true }, agenda).refusals.some(({ code }) =>
    WHATEVER_LENGTH.has(code),
  )
}

type Opening = Search & {
  readonly calendarWith: (of: Calendars['of']) => SchoolCalendar
}

async function openingOf(db: Database, actor: Actor, gap: Gap, slicer: TimeSlicer): Promise<Opening> {
  const { tenant } = actor
  const offering = { ...actor, isOffering: true as const }
  const [lessonTypes, holidayOn] = await Promise.all([
    readTaughtLessonTypes(db, tenant.id),
    holidayCalendarOf(tenant, 'refuse'),
  ])
  const occupants = occupantsOf({ instructor_id: gap.instructor_id })
  const calendarWith = await readUntilComplete(
    surroundingsOf(intervalOf(gap)),
    async (range) => {
      const { of: own, closures } = await load(db, actor, { occupants, range, slicer })
      return (of: Calendars['of']) =>
        new SchoolCalendar(sourceOf({ of: new Map([...own, ...of]), closures }, offering, { holidayOn }))
    },
    (read, range) => containsStretch(read(new Map()).agendaFor(gap), gap, range),
  )
  return { gap, actor, lessonTypes, darkness: darknessFor(tenant), calendarWith }
}

type Loading = Pick<CalendarsRequest, 'occupants' | 'range'> & { readonly slicer: TimeSlicer }

function load(db: Database, { tenant, now }: Actor, { slicer, ...asked }: Loading): Promise<Calendars> {
  const request = { ...asked, lesson_type_id: null, except: NIL, now: localNow(now, tenant.timezone) }
  return loadCalendars(db, tenant, request, (steps) => slicer.run(steps))
}

type CandidateRequest = { readonly license_classes: readonly string[]; readonly slicer: TimeSlicer }

async function candidatesFor(
  db: Database,
  { tenant, now: moment }: Actor,
  gap: Gap,
  { license_classes, slicer }: CandidateRequest,
): Promise<readonly StudentWithWishes<GapCandidate>[]> {
  const { instructor_id, start_at } = gap
  const now = localNow(moment, tenant.timezone)
  const day = dateOf(start_at)
  const question = {
    tenantId: tenant.id,
    now,
    zone: tenant.timezone,
    today: dateOf(now),
    instructor_id,
    day,
    weekday: weekdayOf(dayOf(start_at)),
    week_start: mondayOf(day),
    minutes: minutesOf(intervalOf(gap)),
    from: `${daysLater(day, -DAYS_WITHOUT_A_LESSON)} ${start_at.slice(11)}`,
    to: `${daysLater(day, DAYS_WITHOUT_A_LESSON)} ${start_at.slice(11)}`,
    classes: license_classes,
    limit: STUDENTS_A_PART,
    moment,
  }
  const gone = await listStudentsGone(db, tenant.id, gap)
  const all: StudentWithWishes<GapCandidate>[] = []
  for (let after: string = NIL; ; ) {
    await slicer.pause()
    const part = await listGapCandidates(db, { ...question, after })
    const free = part.filter(({ student_id }) => !gone.has(student_id))
    all.push(...studentsFor(gap, free))
    const last = part.at(-1)
    if (!last || part.length < STUDENTS_A_PART) return all
    after = last.student_id
  }
}

function withLongestWait(found: readonly Candidate[]): readonly Candidate[] {
  const sinceOf = ({ reasons }: Candidate) =>
    String(reasons.find(({ code }) => code === 'waiting')?.params.since ?? '')
  const longest = found.map(sinceOf).toSorted()[0]
  let isNamed = false
  return found.map((one) => {
    if (isNamed || sinceOf(one) !== longest) return one
    isNamed = true
    const reasons = one.reasons.map((reason) =>
      reason.code === 'waiting' ? { ...reason, code: 'waited_longest' as const } : reason,
    )
    return { ...one, reasons }
  })
}
