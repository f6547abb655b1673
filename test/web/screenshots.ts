import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import type { Appointment } from '../../src/contract/appointment.ts'
import { DEMO_INSTRUCTOR_EMAIL } from '../../src/demo/school.ts'
import { de } from '../../src/web/ui/i18n/de.ts'
import { deLater } from '../../src/web/ui/i18n/de-later.ts'
import { en } from '../../src/web/ui/i18n/en.ts'
import { enLater } from '../../src/web/ui/i18n/en-later.ts'
import { launchChromium } from '../support/chromium.ts'
import { startDemo } from '../support/demo.ts'
import { ROOT } from '../support/process.ts'
import type { Scene } from './scene.ts'
import { scenes } from './scenes.ts'

type Look = {
  readonly width: number
  readonly height: number
  readonly language: 'de' | 'en'
  readonly scheme: 'light' | 'dark'
}

const DESKTOP = { width: 1440, height: 900 } as const
const TABLET = { width: 1024, height: 768 } as const
const PHONE = { width: 390, height: 844 } as const

/** The time after which dialogs have opened and loaded their data. */
const SETTLED_MS = 600

const { values: asked } = parseArgs({
  options: {
    /** Every scene in every size, language and colour scheme, instead of the pictures of the documentation. */
    all: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    out: { type: 'string', default: join(ROOT, 'docs/screenshots') },
  },
})

const demo = await startDemo()
const browser = await launchChromium()
try {
  await markAsDone()
  mkdirSync(asked.out, { recursive: true })
  const pictures = asked.all ? everyPicture() : documentation()
  for (const [file, scene, look] of pictures.filter(([name]) => name.includes(asked.only))) {
    await take(browser, scene, look, join(asked.out, `${file}.png`))
    console.log(file)
  }
} finally {
  await browser.close()
  await demo.stop()
}

/** Marks the lessons before the time of the pictures as completed, as an office would have done. */
async function markAsDone(): Promise<void> {
  const { request } = await browser.newContext({ baseURL: demo.url })
  const data = { email: demo.email, password: demo.password }
  const api = '/api/v1/appointments'
  await request.post('/api/v1/auth/login', { data, headers: { origin: demo.url } })
  const lessons: Appointment[] = await (await request.get(`${api}?to=${demo.wednesday} 10:15`)).json()
  for (const { id, status, end_at } of lessons)
    if (status === 'planned' && end_at <= `${demo.wednesday} 10:15`)
      await request.patch(`${api}/${id}`, { data: { status: 'completed' }, headers: { origin: demo.url } })
}

async function take(
  chromium: Browser,
  scene: Scene,
  { width, height, language, scheme }: Look,
  file: string,
): Promise<void> {
  const context = await chromium.newContext({
    viewport: { width, height },
    locale: language === 'de' ? 'de-DE' : 'en-GB',
    colorScheme: scheme,
    hasTouch: width < 700,
    isMobile: width < 700,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  // A quarter past ten in the morning at the school, so that the line of the current time is visible.
  await page.clock.setFixedTime(`${demo.wednesday}T09:15:00Z`)
  await page.goto(`${demo.url}/?date=${demo.wednesday}`)
  if (!file.includes('login')) {
    const email = scene === scenes.today ? DEMO_INSTRUCTOR_EMAIL : demo.email
    await page.locator('input[name=email]').fill(email)
    await page.locator('input[name=password]').fill(demo.password)
    await page.locator('button[type=submit]').click()
    await page.locator('[data-lesson]').first().waitFor()
  }
  await scene(
    page,
    language === 'de'
      ? {
          ...de,
          ...deLater,
          field: { ...de.field, ...deLater.field },
          request: { ...de.request, ...deLater.request },
        }
      : {
          ...en,
          ...enLater,
          field: { ...en.field, ...enLater.field },
          request: { ...en.request, ...enLater.request },
        },
  )
  await page.waitForTimeout(SETTLED_MS)
  await page.screenshot({ path: file, animations: 'disabled' })
  await context.close()
}

function documentation() {
  const light = { ...DESKTOP, language: 'en', scheme: 'light' } as const
  return [
    ['board', scenes.board, light],
    ['board-dark', scenes.board, { ...light, scheme: 'dark' }],
    ['moving', scenes.refusedMove, light],
    ['booking', scenes.alternatives, light],
    ['finder', scenes.finder, light],
    ['series', scenes.series, light],
    ['command-bar', scenes.found, light],
    ['week', scenes.week, light],
    ['day-sheet', scenes.daySheet, light],
    ['student', scenes.student, light],
    ['instructor', scenes.instructor, light],
    ['planning', scenes.planning, light],
    ['absence', scenes.absence, light],
    ['settings', scenes.settings, light],
    ['history', scenes.history, light],
    ['numbers', scenes.numbers, light],
    ['phone', scenes.board, { ...light, ...PHONE }],
    ['today', scenes.today, { ...light, ...PHONE }],
    ['student-page', scenes.studentPage, { ...light, ...PHONE }],
  ] as const
}

function everyPicture() {
  return Object.entries(scenes).flatMap(([name, scene]) =>
    (scene === scenes.refusedMove ? [DESKTOP] : [DESKTOP, TABLET, PHONE]).flatMap((size) =>
      (['de', 'en'] as const).flatMap((language) =>
        (['light', 'dark'] as const).map(
          (scheme) =>
            [`${name}-${size.width}-${language}-${scheme}`, scene, { ...size, language, scheme }] as const,
        ),
      ),
    ),
  )
}
