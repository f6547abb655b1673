import { type Static, Type } from 'typebox'
import { CREDIT_MINUTES, MAX_CREDIT_TOPICS, MAX_OPENING_ENTRIES } from '../domain/ranges.ts'
import * as example from './examples-of-records.ts'
import * as field from './fields.ts'
import { type OpeningBalance, openingEntry } from './opening-balance.ts'

const { source: school, ...entry } = openingEntry

const details = {
  minutes: field.described(
    field.nullable(field.integer(CREDIT_MINUTES)),
    'The minutes that they took; null if unknown.',
  ),
  document: field.described(
    field.nullable(field.Title),
    'The document that confirms them; null if there is none.',
  ),
  topics: Type.Array(field.TopicName, {
    maxItems: MAX_CREDIT_TOPICS,
    description: 'The theory topics among them.',
  }),
}

const credit = {
  lesson_type_id: entry.lesson_type_id,
  units: entry.units,
  minutes: details.minutes,
  date: entry.date,
  school: field.described(school, 'The school or the record that they come from.'),
  document: details.document,
  topics: details.topics,
}

export const CreditSchema = field.closed(credit, {
  $id: 'Credit',
  description: 'Units of a training that a student had elsewhere. Progress counts them as done.',
  examples: example.credits,
})

/** The credits as they are stored with their enrolment. */
export const StoredCredits = Type.Array(field.closed(credit), { maxItems: 2 * MAX_OPENING_ENTRIES })

const ABOUT = 'The units of a training that a student had elsewhere.'

export const CreditsSchema = Type.Array(field.ref(CreditSchema), {
  $id: 'Credits',
  description: ABOUT,
  examples: [example.credits],
})
export type Credits = Static<typeof StoredCredits>

const newCredit = field.closed({
  ...credit,
  minutes: field.optional(credit.minutes),
  document: field.optional(credit.document),
  topics: field.optional(credit.topics),
})

/** A list, or the enrolment to copy from: keywords of the other type do not apply. */
export const NewCreditsSchema = Type.Unsafe<
  readonly Static<typeof newCredit>[] | { readonly from_enrolment_id: string }
>({
  $id: 'NewCredits',
  type: ['array', 'object'],
  items: newCredit,
  maxItems: MAX_OPENING_ENTRIES,
  properties: {
    from_enrolment_id: field.described(field.Id, 'Another enrolment of the student, whose sums are copied.'),
  },
  required: ['from_enrolment_id'],
  additionalProperties: false,
  description: `${ABOUT} Either all entries, or \`from_enrolment_id\`.`,
  examples: [example.credits],
})
export type NewCredits = Static<typeof NewCreditsSchema>

/** Returns a credit as it is stored. The log compares JSON texts, so the order of the fields matters. */
export function storedCredit(entry: Static<typeof newCredit>): Credits[number] {
  const { lesson_type_id, units, minutes = null, date, school, document = null, topics = [] } = entry
  return { lesson_type_id, units, minutes, date, school, document, topics }
}

/** Returns credits as an opening balance, which has fewer fields. */
export function balanceOf(credits: Credits): OpeningBalance {
  return credits.map(({ lesson_type_id, units, date, school: source }) => ({
    lesson_type_id,
    units,
    date,
    source,
  }))
}

/** Returns an opening balance as credits. An entry that is among the known credits keeps its other fields. */
export function creditsFor(balance: OpeningBalance, known: Credits = []): Credits {
  const left = [...known]
  return balance.map(({ source, ...entry }) => {
    const same = left.findIndex(
      ({ lesson_type_id, units, date, school }) =>
        lesson_type_id === entry.lesson_type_id &&
        units === entry.units &&
        date === entry.date &&
        school === source,
    )
    const [kept = storedCredit({ ...entry, school: source })] = same < 0 ? [] : left.splice(same, 1)
    return kept
  })
}
