import type { Enrolment, EnrolmentChange, NewEnrolment } from '../../../contract/enrolment.ts'
import type { EnrolmentOutcome } from '../../../domain/enrolments.ts'
import type { LocalDate } from '../../../domain/local-time.ts'
import type { PriorClasses } from '../../student-form/prior-classes-field.tsx'

type Role = NonNullable<Enrolment['cooperation']>['role']

export type EnrolmentForm = {
  readonly template_id: string
  readonly begins_on: LocalDate
  readonly ends_on: LocalDate
  readonly outcome: EnrolmentOutcome | null
  readonly prior_classes: PriorClasses
  readonly is_current: boolean
  readonly role: Role | null
  readonly school: string
  readonly address: string
  readonly note: string
}

export function formOf({ cooperation, ends_on, note, ...enrolment }: Enrolment): EnrolmentForm {
  const { template_id, begins_on, outcome, prior_classes, is_current } = enrolment
  return {
    ...{ template_id, begins_on, outcome, prior_classes, is_current },
    ends_on: ends_on ?? '',
    role: cooperation?.role ?? null,
    school: cooperation?.school ?? '',
    address: cooperation?.address ?? '',
    note: note ?? '',
  }
}

/** Returns the form of another training. Classes that were passed are held since, beside those held before. */
export function newFormAfter(
  enrolments: readonly Enrolment[],
  today: LocalDate,
  template_id = '',
): EnrolmentForm {
  const passed = enrolments
    .filter(({ outcome }) => outcome === 'passed')
    .map(({ license_class, ends_on }) => ({ license_class, since: ends_on }))
  const known = enrolments.find(({ prior_classes }) => prior_classes !== null)?.prior_classes ?? null
  const isNew = (one: (typeof passed)[number]) =>
    !known?.some(({ license_class }) => license_class === one.license_class)
  const held = [...(known ?? []), ...passed.filter(isNew)]
  return {
    template_id,
    begins_on: today,
    ends_on: '',
    outcome: null,
    prior_classes: known === null && held.length === 0 ? null : held,
    is_current: true,
    role: null,
    school: '',
    address: '',
    note: '',
  }
}

/** Returns a form for the wire. */
export function enrolmentOf({ role, school, address, ...form }: EnrolmentForm): NewEnrolment {
  const { template_id, begins_on, prior_classes, outcome, is_current } = form
  return {
    ...{ template_id, begins_on, outcome, is_current },
    prior_classes: prior_classes && [...prior_classes],
    ends_on: outcome === null ? null : form.ends_on,
    cooperation: role && { role, school: school.trim() || null, address: address.trim() || null },
    note: form.note.trim() || null,
  }
}

/** Returns the fields in which a form differs from the stored enrolment. */
export function changeOf(form: EnrolmentForm, stored: Enrolment): EnrolmentChange {
  const [wanted, known] = [enrolmentOf(form), enrolmentOf(formOf(stored))]
  const differs = (name: keyof NewEnrolment) => JSON.stringify(wanted[name]) !== JSON.stringify(known[name])
  const names = (Object.keys(wanted) as (keyof NewEnrolment)[]).filter(differs)
  const isEnding = names.includes('outcome') || names.includes('ends_on')
  const fields = isEnding ? ([...new Set([...names, 'outcome', 'ends_on'])] as typeof names) : names
  return Object.fromEntries(fields.map((name) => [name, wanted[name]]))
}
