import type { Actor } from '../../contract/actor.ts'
import type { Database } from '../../db/schema/tables.ts'
import { requireTraining } from '../../db/students/progress.ts'
import { readCurrentPapers } from '../../db/students/ticks.ts'
import { type NextStep, nextStepOf } from '../../domain/next-step.ts'
import { type Progress, progressOf } from '../../domain/progress.ts'
import { readinessOf, withPapers } from '../../domain/readiness.ts'
import { arePapersKept, type Tick, ticksOf } from '../../domain/ticks.ts'
import { localToday } from '../../domain/time-zone.ts'
import { examRulesOf, tickRulesOf } from '../packs/packs.ts'

export type OwnTraining = {
  readonly progress: Progress
  readonly ticks: readonly Tick[]
  readonly next: NextStep | undefined
}

/** Reads a student's current training, without missing papers if the school records none here. Throws `not_found`. */
export async function readOwnTraining(
  db: Database,
  { tenant, now }: Pick<Actor, 'tenant' | 'now'>,
  student_id: string,
): Promise<OwnTraining> {
  const { id: tenantId, country, unit_minutes, timezone } = tenant
  const [training, byStudent] = await Promise.all([
    requireTraining(db, tenantId, { id: student_id }),
    readCurrentPapers(db, tenantId, [student_id]),
  ])
  const progress = progressOf(training, unit_minutes)
  const papers = byStudent.get(student_id)
  if (!papers) return { progress, ticks: [], next: undefined }
  const { results, license_class, template_code, theory_ended_on, practice_ended_on } = papers
  const today = localToday(now, timezone)
  const all = ticksOf({ ...papers, rules: tickRulesOf(country, license_class) }, today)
  const ticks = arePapersKept(all) ? all : all.filter(({ source }) => source !== null)
  const rules = examRulesOf(country)
  const exams = results.map((result) => ({ ...result, license_class }))
  const readiness = withPapers(
    readinessOf({ training, exams, template_code }, { ...rules, unit_minutes, today }),
    { ticks, theory_ended_on, practice_ended_on, training_years: rules.training_years },
    today,
  )
  return { progress, ticks, next: nextStepOf({ ticks, readiness }) }
}
