import type { ClaimedMail, MailSchool } from '../db/messages/mails.ts'
import type { LessonInvitation } from './invitations.ts'
import { letterHtml } from './letter-html.ts'
import { type Letter, letterFor } from './letters.ts'
import type { Sender } from './mail-config.ts'

/** A mail with plain text and HTML; it loads no remote content. */
export type OutgoingMail = {
  readonly from: { readonly name: string; readonly address: string }
  readonly to: { readonly name: string; readonly address: string }
  readonly replyTo?: { readonly name: string; readonly address: string }
  readonly envelope: { readonly from: string; readonly to: string[] }
  readonly subject: string
  readonly text: string
  readonly html: string
  /** An id that is the same for each attempt, so that receivers recognize a duplicate. */
  readonly messageId: string
  readonly date: Date
  readonly headers: Readonly<Record<string, string>>
  readonly icalEvent?: LessonInvitation
  readonly attachments?: CalendarAttachment[]
}

type CalendarAttachment = {
  readonly filename: string
  readonly contentType: string
  readonly content: string
}

/** Returns a queued mail, in the school's name if the sender has none. */
export function messageFor(mail: ClaimedMail, { email, ...about }: MailSchool, sender: Sender): OutgoingMail {
  const school = oneLine(about.name)
  const name = oneLine(mail.to_name)
  const { worth_until } = mail
  const letter = letterFor(mail, { ...about, name, school, worth_until })
  const to = { name, address: mail.to_address }
  return messageWith(letter, { id: mail.id, date: mail.claimed_at, school, email, to, sender })
}

type Frame = {
  readonly id: string
  /** The moment of sending: filters refuse mails that seem weeks old. */
  readonly date: Date
  readonly school: string
  /** The address that gets answers; null for the sender's. */
  readonly email: string | null
  readonly to: { readonly name: string; readonly address: string }
  readonly sender: Sender
  /** The address by which the recipient, or their mail program, ends messages. */
  readonly unsubscribe?: string | undefined
  readonly invitations?: readonly LessonInvitation[]
}

/** Returns the mail of a letter, in the school's name if the sender has none. */
export function messageWith(
  letter: Letter,
  { id, date, school, email, to, sender, unsubscribe, invitations = [] }: Frame,
): OutgoingMail {
  const from = sender.address
  const domain = from.slice(from.indexOf('@') + 1)
  return {
    from: { name: sender.name ?? oneLine(school), address: from },
    to: { name: oneLine(to.name), address: to.address },
    ...(email !== null && { replyTo: { name: oneLine(school), address: email } }),
    envelope: { from, to: [to.address] },
    subject: oneLine(letter.subject),
    text: textOf(letter),
    html: letterHtml(letter),
    messageId: `<${id}@${domain}>`,
    date,
    ...calendarsOf(invitations),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'Content-Language': letter.language,
      ...(unsubscribe !== undefined && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

/** One event makes the whole mail an invitation. Of several in that place readers would show one and hide the others. */
function calendarsOf(
  invitations: readonly LessonInvitation[],
): Pick<OutgoingMail, 'icalEvent' | 'attachments'> {
  const [first] = invitations
  if (!first) return {}
  if (invitations.length === 1) return { icalEvent: first }
  return {
    attachments: invitations.map(({ method, filename, content }) => {
      return { filename, content, contentType: `text/calendar; charset=utf-8; method=${method}` }
    }),
  }
}

/** Replaces line breaks, which could begin a header. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}

function textOf({ language, greeting, paragraphs, lessons, link, notes, footer }: Letter): string {
  const colon = language === 'fr' ? '\u00a0:' : ':'
  const address = link ? [`${link.label}${colon}\n${link.url}`] : []
  const parts = [greeting, ...paragraphs, ...lessons, ...address, ...notes, `-- \n${footer}`]
  return `${parts.join('\n\n')}\n`
}

/** Returns a letter in few lines, one for each lesson. */
export function shortTextOf({ paragraphs, lessons, link }: Letter): string {
  const lines = lessons.map((lesson) => lesson.replaceAll('\n', ' · '))
  return [...paragraphs, ...lines, ...(link ? [link.url] : [])].join('\n')
}
