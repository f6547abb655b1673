/** The settings of the form by which people who are no students yet write to a school. */
export type EnquirySettings = {
  readonly enabled: boolean
  /** The licence classes to choose from; none for those that the school's forms offer. */
  readonly classes: readonly string[]
  /** The text above the form. */
  readonly text: string | null
  /** The name of the school in the address of the form. */
  readonly slug: string | null
  /** The websites that may embed the form. */
  readonly origins: readonly string[]
}

export const NO_ENQUIRIES: EnquirySettings = {
  enabled: false,
  classes: [],
  text: null,
  slug: null,
  origins: [],
}

export const ENQUIRY_STATES = ['new', 'enrolled', 'closed'] as const
export type EnquiryState = (typeof ENQUIRY_STATES)[number]

/** The days after which an enquiry is deleted, counted from its last change. */
export const ENQUIRY_DAYS = 90

/** The most enquiries of a school that wait for an answer. */
export const MAX_NEW_ENQUIRIES = 500

export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
export const ORIGIN = /^https?:\/\/[a-z0-9]+(?:[.-][a-z0-9]+)*(?::[1-9][0-9]{0,4})?$/

/** Returns the path of a school's form. */
export function enquiryPath(slug: string): string {
  return `/e/${slug}`
}
