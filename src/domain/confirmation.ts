import type {
  GapCode,
  PracticeRow,
  RecordGap,
  RecordTotal,
  TheoryRow,
  TrainingRecord,
} from './training-record.ts'

/** The parts of a training that a school confirms to a test centre. */
export const CONFIRMED_PARTS = ['theory', 'practice', 'gearbox'] as const
export type ConfirmedPart = (typeof CONFIRMED_PARTS)[number]

/** A requirement of the template, by the code of its lesson type. */
export type PartRequirement = {
  readonly code: string
  readonly is_theory: boolean
  readonly is_gearbox: boolean
}

type Judged = Pick<TrainingRecord, 'gaps' | 'totals' | 'theory' | 'practice' | 'instructors'>

const EVERY: readonly ConfirmedPart[] = CONFIRMED_PARTS
const DRIVES: readonly ConfirmedPart[] = ['practice', 'gearbox']

/** The parts that gaps concern by their code; others concern the part of their lesson or requirement, or all. */
const PARTS: { readonly [Code in GapCode]?: readonly ConfirmedPart[] } = {
  attendance_open: ['theory'],
  topic_missing: ['theory'],
  topic_repeated: ['theory'],
  theory_day_exceeded: ['theory'],
  check_drive_by_trainee: DRIVES,
  check_drive_too_short: DRIVES,
  special_too_early: ['practice'],
  signature_missing: [],
  signature_outdated: [],
}

/** Whether a template has requirements of the part. */
export function hasPart(part: ConfirmedPart, requirements: readonly PartRequirement[]): boolean {
  return requirements.some((one) => partsOfRequirement(one).includes(part))
}

/** Returns the totals of the part's requirements. */
export function totalsOfPart(
  part: ConfirmedPart,
  totals: readonly RecordTotal[],
  requirements: readonly PartRequirement[],
): readonly RecordTotal[] {
  const codes = new Set(
    requirements.filter((one) => partsOfRequirement(one).includes(part)).map(({ code }) => code),
  )
  return totals.filter(({ requirement }) => codes.has(requirement))
}

/** Returns the defects that forbid to confirm the part. Units that it lacks are among them before the part has ended, too. */
export function gapsOfPart(
  part: ConfirmedPart,
  record: Judged,
  requirements: readonly PartRequirement[],
): readonly RecordGap[] {
  const known = record.gaps.filter(
    (gap) =>
      gap.severity === 'defect' && !isShortfall(gap) && partsOfGap(gap, record, requirements).includes(part),
  )
  return [...known, ...totalsOfPart(part, record.totals, requirements).flatMap(shortfallsIn)]
}

function partsOfRequirement({ is_theory, is_gearbox }: PartRequirement): readonly ConfirmedPart[] {
  if (is_theory) return ['theory']
  return is_gearbox ? DRIVES : ['practice']
}

function partsOfGap(
  { code, params, appointment_id }: RecordGap,
  { theory, practice, instructors }: Judged,
  requirements: readonly PartRequirement[],
): readonly ConfirmedPart[] {
  const byCode = PARTS[code]
  if (byCode) return byCode
  if (params.part === 'theory') return ['theory']
  if (params.part === 'practice') return DRIVES
  const requirement = requirements.find((one) => one.code === params.requirement)
  if (requirement) return partsOfRequirement(requirement)
  const no = instructors.find(({ instructor_id }) => instructor_id === params.instructor_id)?.no
  const isMeant = (row: TheoryRow | PracticeRow) =>
    appointment_id === null ? row.instructor_no === no : row.appointment_id === appointment_id
  const drives = practice.filter(isMeant)
  const parts: readonly ConfirmedPart[] = [
    ...(theory.some(isMeant) ? (['theory'] as const) : []),
    ...(drives.length > 0 ? (['practice'] as const) : []),
    ...(drives.some(({ gearbox }) => gearbox === 'manual') ? (['gearbox'] as const) : []),
  ]
  return parts.length > 0 ? parts : EVERY
}

function isShortfall({ code }: RecordGap): boolean {
  return code === 'units_missing' || code === 'block_missing'
}

function shortfallsIn({ requirement, required_units, done_units, block_done }: RecordTotal): RecordGap[] {
  const gap = { severity: 'defect', appointment_id: null } as const
  const units = { requirement, required_units, done_units }
  return [
    ...(done_units < required_units ? [{ ...gap, code: 'units_missing' as const, params: units }] : []),
    ...(block_done === false ? [{ ...gap, code: 'block_missing' as const, params: { requirement } }] : []),
  ]
}
