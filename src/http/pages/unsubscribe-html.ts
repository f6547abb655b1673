import { html } from 'ghtml'
import { filled } from '../../booking/packs/page-messages.ts'
import { type PageContext, pageLanguageFor, schoolPage } from './page-html.ts'

/** Returns the page on which a student ends messages, or which says that they have ended. It needs no script. */
export function unsubscribePage(isEnded: boolean, context: PageContext): string {
  const { texts } = pageLanguageFor(context)
  const question = html`<p>${filled(texts.unsubscribe_why, { school: context.tenant.name })}</p>
<form method="post"><button>${texts.unsubscribe_do}</button></form>`
  const main = isEnded ? html`<p class="status" role="status">${texts.unsubscribe_done}</p>` : question
  return schoolPage({ title: texts.unsubscribe, main }, context)
}
