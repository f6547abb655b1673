import type { LocalDate } from '../../domain/local-time.ts'
import type { RecordRules } from '../../domain/record-facts.ts'
import type { FormCodes } from '../../domain/record-lessons.ts'
import type { RecordSigner } from '../../domain/training-record.ts'
import type { PackFile } from './pack-schema.ts'
import { findPackFile } from './packs.ts'

export type RecordForm = {
  readonly form: string | null
  readonly signatures: readonly RecordSigner[]
  readonly codes: FormCodes
}

const NO_FORM: RecordForm = { form: null, signatures: [], codes: {} }

type Dated = { readonly valid_from?: LocalDate | null; readonly valid_to?: LocalDate | null }

/** Returns the form of training records that is the country's law on a day. */
export function recordFormOn(country: string, day: LocalDate): RecordForm {
  return lawOn(country, day) ?? NO_FORM
}

/** Returns the form for the record of a training: none and no signatures if the law asks for another paper, as for a moped certificate. */
export function trainingFormOn(country: string, day: LocalDate, template_code: string): RecordForm {
  const law = lawOn(country, day)
  if (!law) return NO_FORM
  return law.without?.includes(template_code) ? { ...NO_FORM, codes: law.codes } : law
}

function lawOn(country: string, day: LocalDate): PackFile['record'][number] | undefined {
  const isLaw = ({ valid_from, valid_to }: Dated) => (valid_from ?? day) <= day && day <= (valid_to ?? day)
  return findPackFile(country)?.record.find(isLaw)
}

/** Returns the signers whom the law of a day asks for, among those whom the school demands. */
export function lawfulSigners(
  country: string,
  { signatures }: RecordForm,
  demanded: readonly RecordSigner[],
): readonly RecordSigner[] {
  const forms = findPackFile(country)?.record ?? []
  const isOfAnotherDay = (one: RecordSigner) => forms.some((form) => form.signatures.includes(one))
  return demanded.filter((one) => signatures.includes(one) || !isOfAnotherDay(one))
}

type RecordLaw = Pick<RecordRules, 'theory_unit_minutes' | 'theory_day_units' | 'topic_types' | 'special'>

const NO_LAW: RecordLaw = { theory_unit_minutes: 1, theory_day_units: null, topic_types: [], special: null }

/** Returns the law by which the record of a training is judged; nothing for a country without a pack. */
export function recordLawOf(
  country: string,
  { template_code, license_class }: { readonly template_code: string; readonly license_class: string },
): RecordLaw {
  const pack = findPackFile(country)
  if (!pack) return NO_LAW
  const { special, special_after_units: after_units } =
    pack.templates.find(({ code }) => code === template_code) ?? {}
  const plans = pack.topics.plans.filter(
    ({ license_classes }) => license_classes.length === 0 || license_classes.includes(license_class),
  )
  return {
    theory_unit_minutes: pack.theory_unit_minutes,
    theory_day_units: pack.theory_day_units,
    topic_types: plans.map(({ lesson_type }) => lesson_type),
    special: special && after_units ? { after_units, must: special === 'must_after_basic' } : null,
  }
}
