import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Appointment } from '../../src/contract/appointment.ts'
import type { Bootstrap } from '../../src/contract/bootstrap.ts'
import type { Slot } from '../../src/contract/slot.ts'
import { occupiedBy } from '../../src/domain/agenda-builder.test-support.ts'
import type { Script } from '../../src/domain/booking-script.test-support.ts'
import { proposalFor } from '../../src/domain/counted.ts'
import { darknessFor } from '../../src/domain/daylight.ts'
import type { SlotCriteria } from '../../src/domain/free-intervals.ts'
import { localDateTimeFor } from '../../src/domain/local-time.ts'
import { criteriaIn, isGranted, triedOn } from '../../src/domain/slots.test-support.ts'
import { useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { playFurtherSchools } from '../support/further-schools.ts'
import { playedIn, type ScriptedSchool, scriptsOfSchool } from '../support/scripted-school.ts'

const service = useService()
const SEED = Number(process.env.RACE_SEED ?? Date.now() % 1_000_000)
const SCHOOLS = 10
const SEARCHES = 4
/** The number of starts per search to book, and of refused starts to try. */
const SAMPLE = 4

const met = { listed: 0, booked: 0, refused: 0 }

type Search = { readonly criteria: SlotCriteria; readonly student_id: string | null; readonly order: string }

const searchesIn = ({ monday, students }: ScriptedSchool): fc.Arbitrary<Search> =>
  fc.record({
    criteria: criteriaIn({ monday }).map(byOwnDarkness),
    student_id: fc.constantFrom(null, ...students),
    order: fc.constantFrom('time', 'fit'),
  })

/** Sets the school's own darkness, but only for a type that counts toward limits, as night drives do. */
function byOwnDarkness({ darkness, ...criteria }: SlotCriteria): SlotCriteria {
  const own = darknessFor({ latitude: 52.5, longitude: 13.37, timezone: 'Europe/Berlin' })
  return { ...criteria, darkness: darkness && criteria.counts_toward_limits ? own : undefined }
}

function typeOf(
  { counts_toward_limits, darkness }: SlotCriteria,
  { lessonTypes }: ScriptedSchool['school'],
): string {
  return lessonTypes[darkness ? 'NIGHT' : counts_toward_limits ? 'PRACTICE' : 'CONSULTATION'] ?? ''
}

function addressOf({ criteria, student_id, order }: Search, school: ScriptedSchool['school']): string {
  const { minutes, range, weekdays, hours, step, with_overrides } = criteria
  const timeOf = (minute: number) => (minute === 1440 ? '24:00' : localDateTimeFor(minute).slice(11))
  const parameters = new URLSearchParams({
    minutes: String(minutes),
    lesson_type_id: typeOf(criteria, school),
    from: localDateTimeFor(range.start),
    to: localDateTimeFor(range.end),
    step: String(step),
    overrides: String(with_overrides),
    order,
    limit: '200',
    ...(weekdays && { weekdays: weekdays.join() }),
    ...(hours && { time_from: timeOf(hours.start), time_to: timeOf(hours.end) }),
    ...(student_id && { student_id }),
  })
  return `/slots?${parameters}`
}

/** Returns the slots of all pages. */
async function slotsOf({ client }: ScriptedSchool['school'], address: string): Promise<readonly Slot[]> {
  const slots: Slot[] = []
  for (let next: string | undefined = address; next; ) {
    const answer: Answer = await client.get(next)
    expect(answer.status, answer.text).toBe(200)
    slots.push(...answer.body)
    next = /<\/api\/v1([^>]*)>/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return slots
}

const worlds = fc.sample(scriptsOfSchool, { numRuns: SCHOOLS, seed: SEED })
const isCovered = () => met.listed > 100 && met.booked > 20 && met.refused > 20

async function expectAgreement(scripts: readonly Script[], index: number): Promise<void> {
  const world = await playedIn(service(), scripts)
  const { school, instructors } = world
  const known = await read(world)
  for (const search of fc.sample(searchesIn(world), { numRuns: SEARCHES, seed: SEED + index })) {
    const slots = await slotsOf(school, addressOf(search, school))
    const tried = instructors
      .filter((id) => known.bootstrap.instructors.find((one) => one.id === id)?.active)
      .flatMap((id) => triedBy(id, search, known))
    const { granted = [], refused = [] } = Object.groupBy(tried, ({ verdict }) =>
      isGranted(verdict, search.criteria) ? 'granted' : 'refused',
    )
    const named = (all: readonly { instructor_id: string; start_at: string; end_at: string }[]) =>
      all.map(({ instructor_id, start_at, end_at }) => `${start_at} ${end_at} ${instructor_id}`).sort()
    expect(named(slots)).toEqual(named(granted))
    met.listed += slots.length
    await expectBookingAgrees(world, search, { slots, refused })
  }
}

describe(`slot search and booking (RACE_SEED=${SEED})`, { timeout: 300_000 }, () => {
  it.each(worlds.map((scripts, index) => ({ scripts, index })))(
    'agree in school $index',
    async ({ scripts, index }) => await expectAgreement(scripts, index),
  )

  it('are compared for more than 100 slots, 20 bookings and 20 refusals', async () => {
    await playFurtherSchools({ beyond: SCHOOLS, until: isCovered }, async (index) => {
      const [scripts = []] = fc.sample(scriptsOfSchool, { numRuns: 1, seed: SEED + index })
      await expectAgreement(scripts, index)
    })
    expect(isCovered(), JSON.stringify(met)).toBe(true)
  })
})

type ReadData = { readonly bootstrap: Bootstrap; readonly appointments: readonly Appointment[] }

async function read({ school: { client } }: ScriptedSchool): Promise<ReadData> {
  const [bootstrap, appointments] = [await client.get('/bootstrap'), await client.get('/appointments')]
  return { bootstrap: bootstrap.body, appointments: appointments.body }
}

/** Tries every start of the instructor in the search, based on the data read. Returns each with its verdict. */
function triedBy(
  instructor_id: string,
  { criteria, student_id }: Search,
  { bootstrap, appointments }: ReadData,
) {
  const { tenant, lessonTypes, instructors } = bootstrap
  const instructor = instructors.find(({ id }) => id === instructor_id)
  if (!instructor) throw new Error('the bootstrap has all instructors')
  const ofStudent = appointments.filter((one) => student_id !== null && one.student_id === student_id)
  const ofInstructor = appointments.filter((one) => one.instructor_id === instructor_id)
  const types = new Map(lessonTypes.map((one) => [one.id, one]))
  const counted = (all: readonly Appointment[]) =>
    all.map((one) => ({ ...proposalFor(one, types), id: one.id }))
  const agenda = {
    unit_minutes: tenant.unit_minutes,
    instructor,
    occupied: occupiedBy(counted(ofInstructor), counted(ofStudent)),
  }
  const [first, last] = [criteria.range.start, criteria.range.end].map((minute) => Math.floor(minute / 1440))
  const days = Array.from({ length: (last ?? 0) - (first ?? 0) + 1 }, (_, index) => (first ?? 0) + index)
  return days
    .flatMap((day) => triedOn(day, agenda, criteria))
    .map(({ start, end, verdict }) => ({
      instructor_id,
      start_at: localDateTimeFor(start),
      end_at: localDateTimeFor(end),
      verdict,
    }))
}

type Outcome = {
  readonly slots: readonly Slot[]
  readonly refused: readonly ReturnType<typeof triedBy>[number][]
}

async function expectBookingAgrees(
  { school }: ScriptedSchool,
  { criteria, student_id }: Search,
  { slots, refused }: Outcome,
): Promise<void> {
  const lesson = { student_id, lesson_type_id: typeOf(criteria, school) }
  const sample = <T>(all: readonly T[]) =>
    all.length === 0 ? [] : fc.sample(fc.constantFrom(...all), { numRuns: SAMPLE, seed: SEED })
  for (const { instructor_id, start_at, end_at, overrides_used } of sample(slots)) {
    const answer = await school.book({ ...lesson, instructor_id, start_at, end_at })
    expect([answer.status, answer.body.overrides_used], answer.text).toEqual([201, overrides_used])
    met.booked += 1
    expect((await school.client.delete(`/appointments/${answer.body.id}`)).status).toBe(204)
  }
  for (const { instructor_id, start_at, end_at, verdict } of sample(refused)) {
    const body = { ...lesson, instructor_id, start_at, end_at }
    const check = await school.client.post('/appointments/check', body)
    expect(check.body.refusals.map(({ code }: { code: string }) => code)).toEqual(
      verdict.refusals.map(({ code }) => code),
    )
    // The search left it out because of an override that it would need.
    if (verdict.refusals.length === 0) continue
    const answer = await school.book(body)
    expect([answer.status, answer.body.code]).toEqual([409, verdict.refusals[0]?.code])
    met.refused += 1
  }
}
