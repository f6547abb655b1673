import { html } from 'ghtml'
import type { Tenant } from '../../contract/tenant.ts'
import { filled, messagesFor, type PageMessages } from '../responses/messages.ts'
import { callLink, document } from './student-html.ts'

export type ProofStep =
  | { readonly kind: 'birth_date' | 'mail' | 'missing' | 'locked' }
  | { readonly kind: 'code'; readonly challenge: string }

export type Hint = { readonly kind: 'wrong'; readonly left: number } | { readonly kind: keyof typeof HINTS }

export type PageContext = { readonly tenant: Tenant; readonly address: string; readonly language: string }

export type PageLanguage = {
  readonly texts: PageMessages
  readonly locale: string
  readonly language: string
}

export function pageLanguageFor({ tenant, language }: PageContext): PageLanguage {
  const texts = messagesFor(language)
  return { texts, language, locale: `${texts.tag}-${tenant.country}-u-nu-latn` }
}

/** Returns a page below the student's page, with a link back to it. */
export function formPage(
  title: string,
  main: string,
  { tenant, address, language }: PageContext,
  head = '',
): string {
  const { back } = messagesFor(language)
  return document(
    language,
    title,
    html`<header><p>${tenant.name}</p><h1>${title}</h1></header>
<main>!${main}
<p><a href="${address}?lang=${language}">${back}</a></p></main>
<footer><p>${tenant.name}!${callLink(tenant)}</p></footer>`,
    head,
  )
}

export function hintPart(hint: Hint | undefined, { texts }: PageLanguage): string {
  if (!hint) return ''
  const text =
    hint.kind === 'wrong' ? filled(texts.prove_wrong, { left: hint.left }) : texts[HINTS[hint.kind]]
  return html`<p class="hint" role="alert">${text}</p>`
}

const HINTS = {
  wait: 'prove_wait',
  changed: 'changed',
  foreign: 'later_why',
  times: 'wish_wrong',
  full: 'wish_full',
  busy: 'offer_busy',
  many: 'offer_full',
} as const

export function proofPart(step: ProofStep, pageLanguage: PageLanguage): string {
  const { texts } = pageLanguage
  switch (step.kind) {
    case 'locked':
      return html`<p class="hint" role="alert">${texts.prove_locked}</p>`
    case 'missing':
      return html`<p>${texts.prove_missing}</p>`
    case 'birth_date':
      return proofForm(
        'prove',
        html`<label>${texts.prove_birth_date}
<input type="date" name="birth_date" autocomplete="bday" required></label><button>${texts.prove_go}</button>`,
        pageLanguage,
      )
    case 'mail':
      return proofForm(
        'send',
        html`<p>${texts.prove_mail}</p><button>${texts.prove_send}</button>`,
        pageLanguage,
      )
    case 'code':
      return codePart(step.challenge, pageLanguage)
  }
}

function proofForm(act: string, fields: string, pageLanguage: PageLanguage): string {
  return html`<section><h2>${pageLanguage.texts.prove}</h2>!${form(act, fields, pageLanguage)}</section>`
}

function codePart(challenge: string, pageLanguage: PageLanguage): string {
  const { texts } = pageLanguage
  const fields = html`<input type="hidden" name="challenge" value="${challenge}">
<label>${texts.prove_code}
<input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required></label>
<button>${texts.prove_go}</button>`
  const again = form('send', html`<button class="second">${texts.prove_send}</button>`, pageLanguage)
  return `${proofForm('prove', fields, pageLanguage)}${again}`
}

export function form(act: string, fields: string, { language }: PageLanguage): string {
  return html`<form method="post" action="?lang=${language}"><input type="hidden" name="act" value="${act}">!${fields}</form>`
}
