import type { Actor } from '../../contract/actor.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { readCandidates, type TestCandidate } from '../../db/numbers/students.ts'
import type { Database } from '../../db/schema/tables.ts'
import { readCurrentPapers, type StoredPapers } from '../../db/students/ticks.ts'
import { type LocalDate, monthsLater } from '../../domain/local-time.ts'
import { progressOf } from '../../domain/progress.ts'
import { type ExamRules, readinessOf, withPapers } from '../../domain/readiness.ts'
import type { Steps } from '../../domain/steps.ts'
import { arePapersKept, type Tick, ticksOf } from '../../domain/ticks.ts'
import { localToday } from '../../domain/time-zone.ts'
import { examRulesOf, tickRulesOf } from '../packs/packs.ts'
import type { TimeSlicer } from '../time-slicer.ts'

type ListedStudent = Pick<TestCandidate, 'student_id' | 'student' | 'enrolment_id' | 'license_class'>

export type OwedStudent = ListedStudent & {
  /** The open units by code of the lesson type. */
  readonly units: Readonly<Record<string, number>>
  readonly exam_on: LocalDate | null
}

export type ReadyStudent = ListedStudent & { readonly since: LocalDate }

type ExamCandidates = {
  readonly special_owed: readonly OwedStudent[]
  readonly ready: readonly Ready[]
}

type Reading = { readonly db: Database; readonly slicer: TimeSlicer }

/** Returns the students who owe special drives before the practical test, and those who could take it. */
export async function candidatesOf(
  { db, slicer }: Reading,
  { tenant, now }: Actor,
  dated?: true,
): Promise<ExamCandidates> {
  const rules = examRulesOf(tenant.country)
  const { without_theory_test } = rules
  const candidates = await readCandidates(db, { tenantId: tenant.id, without_theory_test, dated })
  const papers = await readCurrentPapers(
    db,
    tenant.id,
    candidates.map(({ student_id }) => student_id),
  )
  const today = localToday(now, tenant.timezone)
  return slicer.run(judged({ candidates, papers, tenant, rules, today }))
}

/** Returns the students who could take the practical test, the longest waiting first. */
export async function readyStudents(reading: Reading, actor: Actor): Promise<readonly ReadyStudent[]> {
  const { ready } = await candidatesOf(reading, actor, true)
  return reading.slicer.run(datedBy(ready))
}

function* datedBy(ready: readonly Ready[]): Steps<readonly ReadyStudent[]> {
  const students: ReadyStudent[] = []
  for (const one of ready) {
    students.push({ ...listed(one.candidate), since: readySince(one) })
    yield
  }
  return students.toSorted((a, b) => a.since.localeCompare(b.since))
}

function listed({ student_id, student, enrolment_id, license_class }: TestCandidate): ListedStudent {
  return { student_id, student, enrolment_id, license_class }
}

type CandidateList = {
  readonly candidates: readonly TestCandidate[]
  readonly papers: ReadonlyMap<string, StoredPapers>
  readonly tenant: Pick<Tenant, 'country' | 'unit_minutes'>
  readonly rules: ExamRules
  readonly today: LocalDate
}

function* judged({ candidates, papers, ...rules }: CandidateList): Steps<ExamCandidates> {
  const [special_owed, ready]: [OwedStudent[], Ready[]] = [[], []]
  for (const candidate of candidates) {
    const own = papers.get(candidate.student_id)
    if (!own) continue
    const { exam_on } = candidate
    const { readiness, ticks } = readinessIn(candidate, own, rules)
    if (exam_on !== null || readiness.theory_test === true) {
      const units = specialUnitsOf(candidate, rules.tenant.unit_minutes)
      if (Object.keys(units).length > 0) special_owed.push({ ...listed(candidate), units, exam_on })
    }
    if (readiness.ready && exam_on === null) ready.push({ candidate, own, ticks, ...rules })
    yield
  }
  return {
    special_owed: special_owed.toSorted((a, b) => (a.exam_on ?? '9').localeCompare(b.exam_on ?? '9')),
    ready,
  }
}

type Rules = Omit<CandidateList, 'candidates' | 'papers'>

function readinessIn(
  { training }: Pick<TestCandidate, 'training'>,
  own: StoredPapers,
  { tenant, rules, today }: Rules,
) {
  const { results, license_class, template_code, theory_ended_on, practice_ended_on } = own
  const ticks = ticksOf({ ...own, rules: tickRulesOf(tenant.country, license_class) }, today)
  const learnt = readinessOf(
    { training, exams: results, template_code },
    { ...rules, unit_minutes: tenant.unit_minutes, today },
  )
  const { training_years } = rules
  const readiness = withPapers(learnt, { ticks, theory_ended_on, practice_ended_on, training_years }, today)
  return { readiness, ticks }
}

function specialUnitsOf({ training }: TestCandidate, unitMinutes: number): OwedStudent['units'] {
  const open = progressOf(training, unitMinutes).requirements.map(({ open_units }, index) => ({
    ...training.requirements[index],
    open_units,
  }))
  const special = open.filter(({ category, open_units }) => category === 'special' && open_units > 0)
  return Object.fromEntries(special.map(({ code, open_units }) => [code, open_units]))
}

type Ready = Rules & {
  readonly candidate: TestCandidate
  readonly own: StoredPapers
  readonly ticks: readonly Tick[]
}

/** Returns the day on which the last missing thing of a student who is ready was met. Their lessons must have their days. */
function readySince({ candidate, own, ticks, ...rules }: Ready): LocalDate {
  const { training, begins_on } = candidate
  const { theory_test_months } = rules.rules
  const isValid = (date: LocalDate) =>
    theory_test_months === null || rules.today <= monthsLater(date, theory_test_months)
  const passes = own.results.filter(
    ({ category, passed, date }) => category === 'theory_exam' && passed && isValid(date),
  )
  const papers = arePapersKept(ticks)
    ? ticks.flatMap(({ date, needed_for, kind }) =>
        date !== null && kind !== 'theory_test' && needed_for.includes('practical_test') ? [date] : [],
      )
    : []
  const lessonDays = training.lessons.flatMap(({ date }) => date ?? [])
  const isLearnt = (day: LocalDate) => {
    const lessons = training.lessons.filter(({ date = '' }) => date <= day)
    const { missing } = readinessIn({ training: { ...training, lessons } }, own, rules).readiness
    return !missing.includes('requirements') && !missing.includes('theory')
  }
  const learnt = firstWhere([begins_on, ...lessonDays].toSorted(), isLearnt)
  const [pass] = passes.map(({ date }) => date).toSorted()
  return [learnt, ...(pass ? [pass] : []), ...papers].toSorted().at(-1) ?? begins_on
}

/** Returns the first of the ascending days from which on it holds; expects that it holds on the last. */
function firstWhere(days: readonly LocalDate[], isTrue: (day: LocalDate) => boolean): LocalDate {
  let [low, high] = [0, days.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isTrue(days[middle] ?? '')) high = middle
    else low = middle + 1
  }
  return days[low] ?? ''
}
