import type { MailText } from '../contract/mail.ts'

export type MailLanguage = 'de' | 'en'

export type Letter = {
  readonly subject: string
  readonly greeting: string
  readonly paragraphs: readonly string[]
  readonly link: { readonly label: string; readonly url: string } | undefined
  readonly notes: readonly string[]
  readonly footer: string
}

export type Circumstances = { readonly name: string; readonly school: string; readonly until: string }

export function mailLanguageFor(locale: string): MailLanguage {
  return /^de\b/.test(locale) ? 'de' : 'en'
}

export function letterFor(text: MailText, language: MailLanguage, circumstances: Circumstances): Letter {
  const { name, school } = circumstances
  const texts = LETTERS[language]
  const frame = { greeting: texts.greeting(name), footer: texts.footer(school) }
  return { ...frame, ...bodyFor(text, texts, circumstances) }
}

type Body = Omit<Letter, 'greeting' | 'footer'>
type MailTexts = {
  readonly greeting: (name: string) => string
  readonly footer: (school: string) => string
  readonly invitation: (circumstances: Circumstances, inviter: string, url: string) => Body
  readonly password_reset: (circumstances: Circumstances, url: string) => Body
  readonly email_change: (circumstances: Circumstances, url: string) => Body
  readonly email_change_notice: (circumstances: Circumstances, email: string, url: string) => Body
  readonly student_code: (circumstances: Circumstances, code: string) => Body
}

function bodyFor({ template, params }: MailText, texts: MailTexts, circumstances: Circumstances): Body {
  if (template === 'student_code') return texts.student_code(circumstances, params.code)
  if (template === 'password_reset') return texts.password_reset(circumstances, params.url)
  if (template === 'email_change') return texts.email_change(circumstances, params.url)
  if (template === 'email_change_notice')
    return texts.email_change_notice(circumstances, params.email, params.url)
  return texts.invitation(circumstances, params.inviter, params.url)
}

const de: MailTexts = {
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
  email_change: ({ school, until }, url) => ({
    subject: `${school}: neue E-Mail-Adresse bestätigen`,
    paragraphs: [
      `Mit dieser Adresse sollen Sie sich künftig bei ${school} anmelden.`,
      'Bitte bestätigen Sie sie. Sie gilt, sobald auch die bisherige Adresse bestätigt hat; dann werden Sie überall abgemeldet.',
    ],
    link: { label: 'Neue Adresse bestätigen', url },
    notes: [
      `Der Link gilt bis zum ${until}.`,
      'Sie haben das nicht erwartet? Dann brauchen Sie nichts zu tun.',
    ],
  }),
  email_change_notice: ({ school, until }, email, url) => ({
    subject: `${school}: Ihre E-Mail-Adresse soll sich ändern`,
    paragraphs: [
      `Sie sollen sich bei ${school} künftig mit ${email} anmelden.`,
      'Bitte bestätigen Sie das auch von dieser Adresse aus, oder brechen Sie es ab. Bis dahin gilt Ihre bisherige Adresse.',
    ],
    link: { label: 'Bestätigen oder abbrechen', url },
    notes: [
      `Der Link gilt bis zum ${until}.`,
      'Sie waren das nicht? Dann brechen Sie die Änderung ab und ändern Sie Ihr Passwort.',
    ],
  }),
  student_code: ({ school, until }, code) => ({
    subject: `${school}: Ihr Code ${code}`,
    paragraphs: [`Ihr Code für Ihre Seite bei ${school}: ${code}`],
    link: undefined,
    notes: [
      `Der Code gilt einmal, bis zum ${until}.`,
      'Sie haben ihn nicht angefordert? Dann geben Sie ihn bitte niemandem.',
    ],
  }),
}

const en: MailTexts = {
  greeting: (name) => `Hello ${name},`,
  footer: (school) => `${school} · sent by Fahrplan`,
  invitation: ({ school, until }, inviter, url) => ({
    subject: `${school}: your access to Fahrplan`,
    paragraphs: [
      `${inviter} has given you access to the schedule of ${school}.`,
      'Please choose a password. You will then be logged in.',
    ],
    link: { label: 'Choose a password', url },
    notes: [`The link works once, until ${until}.`, 'If you did not expect this, you can ignore this mail.'],
  }),
  password_reset: ({ school, until }, url) => ({
    subject: `${school}: a new password for Fahrplan`,
    paragraphs: [
      `Somebody has requested a new password for your account at ${school}.`,
      'When you choose it, you will be logged out everywhere.',
    ],
    link: { label: 'Choose a new password', url },
    notes: [
      `The link works once, until ${until}.`,
      'If this was not you, you can ignore this mail: your password stays as it is.',
    ],
  }),
  email_change: ({ school, until }, url) => ({
    subject: `${school}: confirm your new e-mail address`,
    paragraphs: [
      `This address is about to become your login at ${school}.`,
      'Please confirm it. It is valid once the old address has confirmed, too; you will then be logged out everywhere.',
    ],
    link: { label: 'Confirm the new address', url },
    notes: [`The link works until ${until}.`, 'If you did not expect this, you can ignore this mail.'],
  }),
  email_change_notice: ({ school, until }, email, url) => ({
    subject: `${school}: your e-mail address is about to change`,
    paragraphs: [
      `Your login at ${school} is about to change to ${email}.`,
      'Please confirm this from your old address, too, or cancel the change. Until then your old address stays valid.',
    ],
    link: { label: 'Confirm or cancel', url },
    notes: [
      `The link works until ${until}.`,
      'If this was not you, cancel the change and change your password.',
    ],
  }),
  student_code: ({ school, until }, code) => ({
    subject: `${school}: your code ${code}`,
    paragraphs: [`Your code for your page at ${school}: ${code}`],
    link: undefined,
    notes: [`The code works once, until ${until}.`, 'If you did not request it, please give it to nobody.'],
  }),
}

const LETTERS: Readonly<Record<MailLanguage, MailTexts>> = { de, en }
