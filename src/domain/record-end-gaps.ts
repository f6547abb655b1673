import { dateOf, type LocalDate } from './local-time.ts'
import { trainingValidUntil } from './readiness.ts'
import type { FoundGap, GapFacts, PartEnds } from './record-facts.ts'
import type { ExamRow, GapCode, RecordTotal } from './training-record.ts'

type EndGap = FoundGap & { readonly code: GapCode }

type Part = ExamRow['kind']
const PARTS = ['theory', 'practical'] as const

/** Returns the gaps that only the end of a training or a part of it makes. */
export function endGapsOf(about: GapFacts): readonly EndGap[] {
  return [
    ...unitGaps(about),
    ...PARTS.flatMap((part) => [...tooOld(part, about), ...beforeTraining(part, about)]),
    ...signatureGaps(about),
  ]
}

/** Whether a part is over, by its own day or that of the training. */
function isOver(part: Part, { ends_on, ...ends }: PartEnds): boolean {
  return ends_on !== null || endOf(part, ends) !== null
}

function endOf(part: Part, ends: Pick<PartEnds, 'theory_ended_on' | 'practice_ended_on'>): LocalDate | null {
  return part === 'theory' ? ends.theory_ended_on : ends.practice_ended_on
}

function unitGaps({ record, facts, ends }: GapFacts): readonly EndGap[] {
  const severity = record.state === 'partial' ? 'note' : 'defect'
  return record.totals.flatMap((total) => {
    const isTheory = facts.requirements.find(({ code }) => code === total.requirement)?.is_theory ?? false
    if (!isOver(isTheory ? 'theory' : 'practical', ends)) return []
    const { requirement, required_units, done_units } = total
    return [
      ...(done_units < required_units
        ? [
            {
              code: 'units_missing' as const,
              severity,
              params: { requirement, required_units, done_units },
            } as const,
          ]
        : []),
      ...(lacksBlock(total)
        ? [{ code: 'block_missing' as const, severity, params: { requirement } } as const]
        : []),
    ]
  })
}

function lacksBlock({ block_done, required_units }: RecordTotal): boolean {
  return block_done === false && required_units > 0
}

/** Returns the end of a part: its own day, or else that of its last row. */
function lastDayOf(part: Part, { ends, record: { theory, practice } }: GapFacts): LocalDate | null {
  const rows = part === 'theory' ? theory : practice
  return endOf(part, ends) ?? rows.at(-1)?.date ?? null
}

/** Returns the tests after the years in which the law allows them; without a passed one, today counts as one. */
function tooOld(part: Part, about: GapFacts): readonly EndGap[] {
  const { record, ends, rules } = about
  const ended_on = lastDayOf(part, about)
  const valid_until = trainingValidUntil(ended_on, rules.training_years)
  if (valid_until === null || !isOver(part, ends)) return []
  const tests = record.exams.filter(({ kind }) => kind === part)
  const params = { part, ended_on, valid_until }
  const late = tests.filter(({ date }) => date > valid_until)
  const isDue = record.state !== 'partial' && !tests.some(({ passed }) => passed)
  if (late.length === 0 && isDue && dateOf(rules.now) > valid_until)
    return [{ code: 'training_too_old', params }]
  return late.map(({ appointment_id, date }) => ({
    code: 'training_too_old',
    appointment_id,
    params: { ...params, date },
  }))
}

/** Returns the passed tests before the end of their part. After a failed one, the training goes on. */
function beforeTraining(part: Part, about: GapFacts): readonly EndGap[] {
  const { record, ends } = about
  const ended_on = lastDayOf(part, about)
  if (ended_on === null || !isOver(part, ends)) return []
  return record.exams
    .filter(({ kind, passed, date }) => kind === part && passed === true && date < ended_on)
    .map(({ appointment_id, date }) => ({
      code: 'test_before_training',
      appointment_id,
      params: { part, date, ended_on },
    }))
}

function signatureGaps({ record, ends, rules }: GapFacts): readonly EndGap[] {
  if (ends.ends_on === null && ends.practice_ended_on === null) return []
  return rules.signers.flatMap((as) => {
    const own = record.signatures.filter((one) => one.as === as)
    if (own.some(({ state }) => state === 'valid')) return []
    return [{ code: own.length === 0 ? 'signature_missing' : 'signature_outdated', params: { as } } as const]
  })
}
