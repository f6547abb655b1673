import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html } from 'ghtml'
import { messagesFor } from '../../booking/packs/page-messages.ts'
import { FORM_POLICY, manifestLink, type PageLanguage, pageLanguageFor } from './page-html.ts'
import {
  formPage,
  type Hint,
  hintPart,
  type StudentPageContext,
  type VerificationStep,
  verificationPart,
} from './verification-html.ts'

const SCRIPT = readFileSync(new URL('student-messages.js', import.meta.url), 'utf8')

/** The service worker of each student's page. */
export const WORKER = readFileSync(new URL('student-worker.js', import.meta.url), 'utf8')
/** The policy of that worker, which fetches nothing. */
export const WORKER_POLICY = "default-src 'none'"

/** The policy of the page: only its own script and worker, and requests to the service only. */
export const DEVICE_POLICY = [
  FORM_POLICY,
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  "worker-src 'self'",
  "connect-src 'self'",
].join(';')

export type DeviceStep = VerificationStep | { readonly kind: 'act'; readonly publicKey: string }

export type DeviceView = { readonly step: DeviceStep; readonly hint?: Hint | undefined }

/** Returns the page on which a student turns on messages for the device. Only its button needs a script. */
export function devicePage({ step, hint }: DeviceView, context: StudentPageContext): string {
  const pageLanguage = pageLanguageFor(context)
  const content =
    step.kind === 'act' ? devicePart(step.publicKey, pageLanguage) : verificationPart(step, pageLanguage)
  const main = html`<p>${pageLanguage.texts.push_why}</p>!${hintPart(hint, pageLanguage)}!${content}`
  return formPage(pageLanguage.texts.push, main, context, manifestLink(context.address))
}

function devicePart(publicKey: string, { texts }: PageLanguage): string {
  return html`<section data-key="${publicKey}">
<p class="hint" data-when="missing">${texts.push_missing}</p>
<p class="status" role="status" data-when="on" hidden>${texts.push_on}</p>
<p class="hint" role="alert" data-when="denied" hidden>${texts.push_denied}</p>
<p class="hint" role="alert" data-when="failed" hidden>${texts.push_failed}</p>
<button type="button" data-act="subscribe" data-when="off denied failed" hidden>${texts.push}</button>
<button type="button" class="second" data-act="unsubscribe" data-when="on" hidden>${texts.push_end}</button>
</section>
<script type="module">!${SCRIPT}</script>`
}

const ICONS = [
  { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/icon-maskable.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
] as const

/** Returns the manifest that installs one student's page as an app. */
export function manifestOf({ tenant, address, language }: StudentPageContext): string {
  const { lessons, tag: lang, direction: dir } = messagesFor(language)
  const { pathname: path } = new URL(address)
  return JSON.stringify({
    id: path,
    name: `${lessons} · ${tenant.name}`,
    short_name: tenant.name,
    lang,
    dir,
    start_url: path,
    scope: path,
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: '#1864ab',
    icons: ICONS,
  })
}
