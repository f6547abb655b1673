import { expect, it } from 'vitest'
import { letterHtml } from './letter-html.ts'
import type { Letter } from './letters.ts'

const LETTER: Letter = {
  language: 'de',
  subject: '<Betreff>',
  greeting: 'Guten Tag Lena,',
  paragraphs: ['Es gilt:'],
  lessons: ['Montag, 08:00\nÜbungsfahrt · <b>Jonas</b>'],
  link: { label: 'Ansehen', url: 'https://fahrplan.example/s/a?b&c' },
  notes: ['Fragen? +49 30 5550100'],
  footer: 'Nord & Süd',
}

it('shows a lesson as a block with its time first', () => {
  expect(letterHtml(LETTER)).toMatch(
    /<p class="lesson" style="[^"]*border-left:3px[^"]*"><strong>Montag, 08:00<\/strong><br>\nÜbungsfahrt · &lt;b&gt;Jonas&lt;\/b&gt;<\/p>/,
  )
})

it('escapes all texts, and keeps a phone number in one line', () => {
  const html = letterHtml(LETTER)
  expect(html).toContain('<title>&lt;Betreff&gt;</title>')
  expect(html).toContain('href="https://fahrplan.example/s/a?b&amp;c"')
  expect(html).toContain('Nord &amp; Süd')
  expect(html).toContain('<span style="white-space:nowrap">+49 30 5550100</span>')
})

it('has colours for dark screens, and loads nothing', () => {
  const html = letterHtml(LETTER)
  expect(html).toContain('@media (prefers-color-scheme:dark)')
  expect(html).not.toMatch(/<(img|link|script)\b|url\(/)
})

it('runs from right to left in Arabic, but for addresses', () => {
  const html = letterHtml({ ...LETTER, language: 'ar' })
  expect(html).toContain('<html lang="ar" dir="rtl">')
  expect(html).toContain('border-right:3px')
  expect(html).toMatch(/dir="ltr"[^>]*>https:/)
})
