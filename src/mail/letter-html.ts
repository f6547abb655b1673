import { isRightToLeft } from '../domain/page-languages.ts'
import type { Letter } from './letters.ts'

const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none;font-weight:600'

// Mail programs that ignore it show the light colours of the elements.
const DARK = `:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){.page{background:#111827!important;color:#f3f4f6!important}
.small{color:#9ca3af!important}.lesson{border-color:#60a5fa!important}}`

/** Returns a letter as HTML without remote content. */
export function letterHtml(letter: Letter): string {
  const { language, subject, greeting, paragraphs, lessons, link, notes, footer } = letter
  const direction = isRightToLeft(language) ? 'rtl' : 'ltr'
  const side = direction === 'rtl' ? 'right' : 'left'
  const body = [greeting, ...paragraphs].map((text) => `<p>${escaped(text)}</p>`)
  const blocks = lessons.map((lesson) => lessonBlock(lesson, side))
  const small = notes.map((text) => `<p class="small" style="color:#4b5563">${withWholeNumbers(text)}</p>`)
  return `<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title><style>${DARK}</style></head>
<body class="page" style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#111827;background:#ffffff">
<div lang="${language}" dir="${direction}" style="max-width:560px">
${body.join('\n')}
${blocks.join('\n')}
${link ? buttonOf(link) : ''}
${small.join('\n')}
<p class="small" style="color:#6b7280;font-size:14px">${escaped(footer)}</p>
</div></body></html>
`
}

function lessonBlock(lesson: string, side: 'left' | 'right'): string {
  const [when = '', ...rest] = lesson.split('\n')
  const lines = [`<strong>${withWholeNumbers(when)}</strong>`, ...rest.map(escaped)].join('<br>\n')
  return `<p class="lesson" style="margin:16px 0;padding-${side}:12px;border-${side}:3px solid #1d4ed8">${lines}</p>`
}

function buttonOf({ label, url }: NonNullable<Letter['link']>): string {
  return `<p><a href="${escaped(url)}" style="${BUTTON}">${escaped(label)}</a></p>
<p class="small" dir="ltr" style="color:#4b5563;font-size:14px;word-break:break-all">${escaped(url)}</p>`
}

/** Keeps the groups of a phone number, and both ends of a time, in one line. */
function withWholeNumbers(text: string): string {
  return escaped(text).replace(
    /\+?\d[\d /-]{5,}\d|\d\d:\d\d–\d\d:\d\d/g,
    '<span style="white-space:nowrap">$&</span>',
  )
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
