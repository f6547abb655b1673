import { html } from 'ghtml'
import { filled, type PageMessages } from '../../booking/packs/page-messages.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { type CancellationPolicy, countsWorkingDays, type PolicyStep } from '../../domain/cancellation.ts'
import { listText } from './page-html.ts'

/** The names of a school's lesson types in the language of the page, by category. */
export type TypesByCategory = ReadonlyMap<string, readonly string[]>

type TermsLook = {
  readonly texts: PageMessages
  readonly locale: string
  readonly types: TypesByCategory
}

/** Returns the terms of cancelling: the school's policy in the language of the page, then the school's own text. */
export function termsPart(
  { cancellation_policy, cancellation_terms }: Pick<Tenant, 'cancellation_policy' | 'cancellation_terms'>,
  look: TermsLook,
): string {
  if (cancellation_policy.length === 0 && !cancellation_terms) return ''
  const own = cancellation_terms ? html`<p class="terms" dir="auto">${cancellation_terms}</p>` : ''
  return html`<h3>${look.texts.terms}</h3>!${policyList(cancellation_policy, look)}!${own}`
}

function policyList(policy: CancellationPolicy, look: TermsLook): string {
  if (policy.length === 0) return ''
  const { texts } = look
  const steps = policy.map((step) => html`<li>${stepText(step, look)}</li>`).join('')
  const working = countsWorkingDays(policy) ? html`<p class="small">${texts.terms_working}</p>` : ''
  return html`<ul class="steps">!${steps}</ul>!${working}<p>${texts.terms_free}</p>`
}

function stepText(
  { categories, notice, fee_percent }: PolicyStep,
  { texts, locale, types }: TermsLook,
): string {
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(fee_percent / 100)
  const unitText = (count: number, unit: 'hour' | 'day') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
  const noticeText = () => {
    if (!notice) return filled(texts.terms_no_show, { percent })
    if ('hours' in notice) return filled(texts.terms_less, { time: unitText(notice.hours, 'hour'), percent })
    if ('working_days' in notice)
      return filled(texts.terms_less, { time: unitText(notice.working_days, 'day'), percent })
    const { days_before, until } = notice
    return filled(texts.terms_after, { time: unitText(days_before, 'day'), until, percent })
  }
  const text = noticeText()
  const names = (categories ?? []).flatMap((category) => types.get(category) ?? [])
  return names.length > 0 ? `${listText(names, locale)}: ${text}` : text
}
