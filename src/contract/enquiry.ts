import { type Static, Type } from 'typebox'
import { ENQUIRY_STATES, type EnquirySettings, ORIGIN, SLUG } from '../domain/enquiries.ts'
import { PAGE_LANGUAGES } from '../domain/page-languages.ts'
import * as range from '../domain/ranges.ts'
import * as example from './examples-of-enquiries.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'
import { NewWishSchema, timeFaultsFor } from './wish.ts'

const settings = {
  enabled: Type.Boolean({ description: 'Whether the form can be opened; it needs a `slug`.' }),
  classes: field.described(
    field.LicenseClasses,
    'The licence classes to choose from; an empty list for those of the current templates that are not hidden.',
  ),
  text: field.described(field.nullable(field.Notes), 'The text above the form; null for none.'),
  slug: field.nullable(
    Type.String({
      pattern: SLUG.source,
      minLength: range.SLUG_LENGTH.min,
      maxLength: range.SLUG_LENGTH.max,
      examples: ['fahrschule-nord'],
      description:
        'The last part of the address of the form, `/e/{slug}`: small letters, digits and hyphens between them. No other school of this service has the same: 409 `slug_taken`. Null for none.',
    }),
  ),
  origins: Type.Array(
    Type.String({
      pattern: ORIGIN.source,
      maxLength: range.ORIGIN_LENGTH.max,
      examples: ['https://www.fahrschule-nord.example'],
    }),
    {
      maxItems: range.MAX_ORIGINS,
      uniqueItems: true,
      description:
        'The origins whose pages may embed the form in a frame, in small letters and without a path; an empty list for none.',
    },
  ),
}

const ABOUT_SETTINGS = 'The form by which people who are no students yet write to the school.'

/** The setting as a field of the school. */
export const enquirySettings = {
  enquiries: Type.Unsafe<EnquirySettings>(field.closed(settings, { description: ABOUT_SETTINGS })),
}

/** The setting as a field of a change of the school. */
export const changedEnquirySettings = {
  enquiries: Type.Unsafe<Partial<EnquirySettings>>(
    field.closed(field.optionals(settings), {
      description: `${ABOUT_SETTINGS} Omitted settings keep their values.`,
    }),
  ),
}

/** Returns the faults of the merged settings. */
export function enquirySettingFaultsFor({ enabled, slug }: EnquirySettings): readonly Fault[] {
  if (!enabled || slug !== null) return []
  const detail = 'slug is required while the form is enabled: it is part of its address.'
  return [{ pointer: '/enquiries/slug', code: 'required', detail }]
}

const { weekdays, time_from, time_to } = NewWishSchema.properties
const told = {
  first_name: field.described(field.Name, 'The first name.'),
  last_name: field.described(field.Name, 'The last name.'),
  license_class: field.described(field.LicenseClass, 'The licence class, one of those of the form.'),
}
const ways = {
  phone: field.described(field.nullable(field.Phone), 'A phone number; null for none.'),
  email: field.described(field.nullable(field.Email), 'An e-mail address; null for none.'),
}
const message = field.described(
  field.nullable(field.text(range.ENQUIRY_LENGTH)),
  'A message to the school; null for none.',
)
const times = {
  weekdays: Type.Unsafe<number[] | null>({
    ...weekdays,
    description: 'The days of the week that suit, Monday is 1; null for any.',
  }),
  time_from: Type.Unsafe<string | null>({
    ...time_from,
    description: 'The time of day from which lessons suit; null for any.',
  }),
  time_to: Type.Unsafe<string | null>({
    ...time_to,
    description: 'The time of day until which lessons suit; null for any.',
  }),
}

const stored = {
  ...told,
  ...ways,
  ...times,
  message,
  language: Type.Enum([...PAGE_LANGUAGES], { description: 'The language of the page on which it was sent.' }),
  state: Type.Enum([...ENQUIRY_STATES], {
    description:
      'Whether it waits for an answer, has become a student, or was closed. It is deleted 90 days after it was sent, enrolled or closed.',
  }),
  student_id: field.described(field.nullable(field.Id), 'The student whom it became; null for none.'),
}

/** An enquiry as stored, with the columns of its table. */
export const StoredEnquirySchema = field.resource(
  { ...stored, version: field.Version },
  { description: 'An enquiry as stored.' },
)
export type StoredEnquiry = Static<typeof StoredEnquirySchema>

export const EnquirySchema = field.resource(
  {
    ...stored,
    same_as: Type.Array(field.Id, {
      description:
        'The students who are possibly the same person, by name, number or address; none once it is enrolled.',
    }),
    version: field.Version,
  },
  {
    $id: 'Enquiry',
    description: 'A message of somebody who is no student yet, by the form on a website.',
    examples: [example.enquiry],
  },
)
export type Enquiry = Static<typeof EnquirySchema>

/** The body of a form, or of a request in its place. */
export const NewEnquirySchema = field.closed(
  {
    ...told,
    ...field.optionals({ ...ways, ...times, message }),
    consent: Type.Boolean({
      description: 'Whether the person agrees that the school stores the enquiry: true.',
    }),
  },
  {
    description: 'The enquiry: a name, a phone number or an e-mail address, and the class.',
  },
)
export type NewEnquiry = Static<typeof NewEnquirySchema>

/** Returns the faults that no schema can express: no way to answer, no consent, and hours that end before they begin. */
export function enquiryFaultsFor(enquiry: NewEnquiry): readonly Fault[] {
  const { phone, email, consent } = enquiry
  const NOWHERE = {
    pointer: '/phone',
    code: 'required',
    detail: 'phone or email is required, for an answer.',
  }
  const NO_CONSENT = { pointer: '/consent', code: 'required', detail: 'consent must be true.' }
  return [...(phone || email ? [] : [NOWHERE]), ...(consent ? [] : [NO_CONSENT]), ...timeFaultsFor(enquiry)]
}
