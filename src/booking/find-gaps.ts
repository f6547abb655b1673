import { NIL } from 'uuid'
import type { Actor } from '../contract/actor.ts'
import type { Candidate } from '../contract/offer.ts'
import { notFound } from '../contract/problem.ts'
import { type Calendars, loadCalendars } from '../db/calendars/calendars.ts'
import { type GapCandidate, listGapCandidates } from '../db/gap-candidates.ts'
import { readTaughtLessonTypes } from '../db/hit-appointments.ts'
import { holidayCalendarOf } from '../db/holidays.ts'
import { requireInstructor } from '../db/instructors.ts'
import { readTrainings } from '../db/progress.ts'
import type { Database } from '../db/schema/tables.ts'
import { type Agenda, occupiedBy, timed } from '../domain/agenda.ts'
import { timedAgendaOf, verdictOnTimed } from '../domain/booking.ts'
import { darknessFor } from '../domain/daylight.ts'
import { type Gap, lessonIn, ranked, type StudentWithWishes, studentsFor } from '../domain/gaps.ts'
import { intervalOf, minutesOf } from '../domain/interval.ts'
import { dateOf, dayOf, daysLater, weekdayOf } from '../domain/local-time.ts'
import { APPOINTMENT_MINUTES } from '../domain/ranges.ts'
import { containsStretch, readUntilComplete, surroundingsOf } from '../domain/surroundings.ts'
import { localNow } from '../domain/time-zone.ts'
import { candidateFor, type Search } from './gap-candidate.ts'
import type { Pieces } from './pieces.ts'

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
  pieces: Pieces,
): Promise<readonly Candidate[]> {
  const { license_classes } = await requireInstructor(db, actor.tenant.id, gap.instructor_id)
  const now = localNow(actor.now, actor.tenant.timezone)
  if (gap.start_at <= now) return []
  const search = await openingOf(db, actor, gap)
  if (isClosed(search)) return []
  const asking = ranked(await candidatesFor(db, actor, gap, { license_classes, pieces }))
  const found: Candidate[] = []
  for (let at = 0; at < asking.length && found.length < MAX_CANDIDATES; at += CANDIDATES_A_PART) {
    const part = asking.slice(at, at + CANDIDATES_A_PART)
    const ids = part.map(({ student }) => student.student_id)
    const [{ of }, trainings] = await Promise.all([
      loadCalendars(db, actor.tenant.id, { ...search.request, ids, range: intervalOf(gap) }, (steps) =>
        pieces.run(steps),
      ),
      readTrainings(db, actor.tenant.id, ids),
    ])
    for (const one of part) {
      await pieces.rest()
      const id = one.student.student_id
      const candidate = candidateFor(one, search, { calendar: of.get(id), training: trainings.get(id) })
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
  'outside_availability',
])

function isClosed({ gap, agenda }: Search): boolean {
  const { start_at, end_at } = lessonIn(gap, APPOINTMENT_MINUTES.min)
  const { refusals } = verdictOnTimed(timed({ start_at, end_at, counts_toward_limits: true }), agenda)
  return refusals.some(({ code }) => WHATEVER_LENGTH.has(code))
}

async function openingOf(db: Database, actor: Actor, gap: Gap): Promise<Search> {
  const { tenant } = actor
  const now = localNow(actor.now, tenant.timezone)
  const request = { lesson_type_id: null, except: NIL, now }
  const [lessonTypes, holidayOn] = await Promise.all([
    readTaughtLessonTypes(db, tenant.id),
    holidayCalendarOf(tenant, 'refuse'),
  ])
  const agenda = await readUntilComplete(
    surroundingsOf(intervalOf(gap)),
    async (range) => {
      const calendars = await loadCalendars(db, tenant.id, { ...request, ids: [gap.instructor_id], range })
      return agendaOf(calendars, actor, gap, holidayOn)
    },
    (found, range) => containsStretch(found, gap, range),
  )
  return { gap, actor, agenda: timedAgendaOf(agenda), lessonTypes, sky: darknessFor(tenant), request }
}

function agendaOf(
  { of, closures }: Calendars,
  { tenant }: Actor,
  { instructor_id }: Gap,
  holidayOn: Awaited<ReturnType<typeof holidayCalendarOf>>,
): Agenda {
  const instructor = of.get(instructor_id)
  if (!instructor?.rules) throw notFound()
  return {
    unit_minutes: tenant.unit_minutes,
    instructor: instructor.rules,
    occupied: occupiedBy({ instructor: instructor.appointments, student: [] }),
    closed: { holidayOn, closures },
  }
}

type Asked = { readonly license_classes: readonly string[]; readonly pieces: Pieces }

async function candidatesFor(
  db: Database,
  { tenant, now: moment }: Actor,
  gap: Gap,
  { license_classes, pieces }: Asked,
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
    minutes: minutesOf(intervalOf(gap)),
    from: `${daysLater(day, -DAYS_WITHOUT_A_LESSON)} ${start_at.slice(11)}`,
    to: `${daysLater(day, DAYS_WITHOUT_A_LESSON)} ${start_at.slice(11)}`,
    classes: license_classes,
    limit: STUDENTS_A_PART,
    moment,
  }
  const all: StudentWithWishes<GapCandidate>[] = []
  for (let after: string = NIL; ; ) {
    await pieces.rest()
    const part = await listGapCandidates(db, { ...question, after })
    all.push(...studentsFor(gap, part))
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
