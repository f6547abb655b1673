import type { MailText } from '../contract/mail.ts'

export type Language = 'de' | 'en'

/** The content of a mail: a greeting, paragraphs, the link with its label, and notes for the reader. */
export type Letter = {
  readonly subject: string
  readonly greeting: string
  readonly paragraphs: readonly string[]
  readonly link: { readonly label: string; readonly url: string }
  readonly notes: readonly string[]
  /** The sender, and the software it was sent with. */
  readonly footer: string
}

/** The person and the school that a mail is about, in words: `until` is the end of its link. */
export type Circumstances = { readonly name: string; readonly school: string; readonly until: string }

/** The language of a school's mails: German where the school's is, else English. */
export function languageOf(locale: string): Language {
  return /^de\b/.test(locale) ? 'de' : 'en'
}

/** Returns the content of a mail in a language. */
export function letterFor(text: MailText, language: Language, circumstances: Circumstances): Letter {
  const { name, school } = circumstances
  const words = LETTERS[language]
  const frame = { greeting: words.greeting(name), footer: words.footer(school) }
  return { ...frame, ...bodyFor(text, words, circumstances) }
}

type Body = Omit<Letter, 'greeting' | 'footer'>
type Words = {
  readonly greeting: (name: string) => string
  readonly footer: (school: string) => string
  readonly invitation: (circumstances: Circumstances, inviter: string, url: string) => Body
  readonly password_reset: (circumstances: Circumstances, url: string) => Body
}

function bodyFor({ template, params }: MailText, words: Words, circumstances: Circumstances): Body {
  if (template === 'password_reset') return words.password_reset(circumstances, params.url)
  return words.invitation(circumstances, params.inviter, params.url)
}

const de: Words = {
  greeting: (name) => `Guten Tag ${name},`,
  footer: (school) => `${school} · gesendet von Fahrplan`,
  invitation: ({ school, until }, inviter, url) => ({
    subject: `${school}: Ihr Zugang zu Fahrplan`,
    paragraphs: [
      `${inviter} hat für Sie einen Zugang zum Terminplan von ${school} angelegt.`,
      'Bitte legen Sie Ihr Passwort fest. Danach sind Sie angemeldet.',
    ],
    link: { label: 'Passwort festlegen', url },
    notes: [
      `Der Link gilt einmal, bis zum ${until}.`,
      'Sie haben das nicht erwartet? Dann brauchen Sie nichts zu tun.',
    ],
  }),
  password_reset: ({ school, until }, url) => ({
    subject: `${school}: neues Passwort für Fahrplan`,
    paragraphs: [
      `Für Ihren Zugang bei ${school} wurde ein neues Passwort angefordert.`,
      'Wenn Sie es festlegen, werden Sie überall abgemeldet.',
    ],
    link: { label: 'Neues Passwort festlegen', url },
    notes: [
      `Der Link gilt einmal, bis zum ${until}.`,
      'Sie waren das nicht? Dann brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.',
    ],
  }),
}

const en: Words = {
  greeting: (name) => `Hello ${name},`,
  footer: (school) => `${school} · sent by Fahrplan`,
  invitation: ({ school, until }, inviter, url) => ({
    subject: `${school}: your access to Fahrplan`,
    paragraphs: [
      `${inviter} has given you access to the schedule of ${school}.`,
      'Please choose your password. You will be logged in then.',
    ],
    link: { label: 'Choose a password', url },
    notes: [
      `The link works once, until ${until}.`,
      'You did not expect this? Then there is nothing you need to do.',
    ],
  }),
  password_reset: ({ school, until }, url) => ({
    subject: `${school}: a new password for Fahrplan`,
    paragraphs: [
      `A new password has been asked for, for your access at ${school}.`,
      'Choosing it logs you out everywhere.',
    ],
    link: { label: 'Choose a new password', url },
    notes: [
      `The link works once, until ${until}.`,
      'This was not you? Then there is nothing you need to do: your password stays as it is.',
    ],
  }),
}

const LETTERS: Readonly<Record<Language, Words>> = { de, en }
