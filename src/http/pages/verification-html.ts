import { html } from 'ghtml'
import { filled, messagesFor } from '../../booking/packs/page-messages.ts'
import { type PageContext, type PageLanguage, schoolPage } from './page-html.ts'

export type VerificationStep =
  | { readonly kind: 'birth_date' | 'mail' | 'missing' | 'locked' }
  | { readonly kind: 'code'; readonly challenge: string }

export type Hint = { readonly kind: 'wrong'; readonly left: number } | { readonly kind: keyof typeof HINTS }

export type StudentPageContext = PageContext & { readonly address: string }

/** The context of a page with a form. The address of the student's page is undefined if another link leads to the form. */
export type FormPageContext = PageContext & { readonly address: string | undefined }

/** Returns a page with a link back to the student's page, if its address is given. */
export function formPage(
  title: string,
  main: string,
  { address, ...context }: FormPageContext,
  head = '',
): string {
  const { language } = context
  const { back } = messagesFor(language)
  const link = address ? html`<p><a href="${address}?lang=${language}">${back}</a></p>` : ''
  return schoolPage(
    {
      title,
      main: html`!${main}
!${link}`,
      head,
    },
    context,
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

export function verificationPart(step: VerificationStep, pageLanguage: PageLanguage): string {
  const { texts } = pageLanguage
  switch (step.kind) {
    case 'locked':
      return html`<p class="hint" role="alert">${texts.prove_locked}</p>`
    case 'missing':
      return html`<p>${texts.prove_missing}</p>`
    case 'birth_date':
      return verificationForm(
        'prove',
        html`<label>${texts.prove_birth_date}
<input type="date" name="birth_date" autocomplete="bday" required></label><button>${texts.prove_go}</button>`,
        pageLanguage,
      )
    case 'mail':
      return verificationForm(
        'send',
        html`<p>${texts.prove_mail}</p><button>${texts.prove_send}</button>`,
        pageLanguage,
      )
    case 'code':
      return codePart(step.challenge, pageLanguage)
  }
}

function verificationForm(act: string, fields: string, pageLanguage: PageLanguage): string {
  return html`<section><h2>${pageLanguage.texts.prove}</h2>!${form(act, fields, pageLanguage)}</section>`
}

function codePart(challenge: string, pageLanguage: PageLanguage): string {
  const { texts } = pageLanguage
  const fields = html`<input type="hidden" name="challenge" value="${challenge}">
<label>${texts.prove_code}
<input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required></label>
<button>${texts.prove_go}</button>`
  const again = form('send', html`<button class="second">${texts.prove_send}</button>`, pageLanguage)
  return `${verificationForm('prove', fields, pageLanguage)}${again}`
}

export function form(act: string, fields: string, { language }: PageLanguage): string {
  return html`<form method="post" action="?lang=${language}"><input type="hidden" name="act" value="${act}">!${fields}</form>`
}

/** Returns a form whose page can be reached again by the browser's Back: its fields are in the address, so they may not be secret. */
export function searchForm(fields: string, { language }: PageLanguage): string {
  return html`<form><input type="hidden" name="lang" value="${language}">!${fields}</form>`
}
