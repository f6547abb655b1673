import type { Page } from 'playwright-core'
import { buildWebIfNeeded } from '../src/cli/build-web.ts'
import { readServiceConfig } from '../src/config.ts'
import * as example from '../src/contract/examples.ts'
import { connectPostgres } from '../src/db/connection/connect.ts'
import { createApp } from '../src/http/app.ts'
import { launchChromium } from '../test/support/chromium.ts'
import { median } from './median.ts'

const INSTRUCTORS = 40
const LESSONS = 400
const DAY = '2027-03-01'
const MOST_RENDER_MS = 600
const MOST_FRAME_MS = 17
const ROUNDS = 5

/** The board of a large school: how long until its lessons are visible, and whether a drag keeps up with the screen. */
await buildWebIfNeeded(console.error)
const { app } = await createApp({
  // The service only serves files here; the browser itself answers the app's requests.
  db: connectPostgres('postgres://nobody@127.0.0.1/none', () => undefined),
  config: readServiceConfig({ JWT_SECRET: 'not used: nobody logs in here, ever', LOG_LEVEL: 'silent' }),
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
const browser = await launchChromium()
// The app's policy would not run the measuring scripts.
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, bypassCSP: true })
await page.route('**/api/v1/changes/since*', (route) =>
  route.fulfill({ json: { changes: [], cursor: 'here' } }),
)
await page.route('**/api/v1/bootstrap', (route) => route.fulfill({ json: school() }))
await page.route('**/api/v1/appointments?*', (route) => route.fulfill({ json: lessons() }))

const renders: number[] = []
for (let round = 0; round < ROUNDS; round += 1) renders.push(await renderMs(page))
const frame = await medianFrameMs(page)
await browser.close()
await app.close()
const render = median(renders)
console.log(`${INSTRUCTORS} instructors, ${LESSONS} lessons: rendered in ${render.toFixed(0)} ms`)
console.log(`drag: median frame ${frame.toFixed(1)} ms`)
if (render > MOST_RENDER_MS || frame > MOST_FRAME_MS) process.exitCode = 1

/** From the service's response to the frame with the last lesson. */
async function renderMs(board: Page): Promise<number> {
  await board.goto(`${url}/?date=${DAY}`)
  await board.waitForFunction(`document.querySelectorAll('[data-lesson]').length >= ${LESSONS}`)
  return board.evaluate(`new Promise((resolve) => requestAnimationFrame(() => {
    const answers = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/appointments?'))
    resolve(performance.now() - answers[0].responseEnd)
  }))`)
}

async function medianFrameMs(board: Page): Promise<number> {
  const box = await board.locator('[data-lesson]').first().boundingBox()
  if (!box) throw new Error('no lesson is visible')
  await board.mouse.move(box.x + 20, box.y + 10)
  await board.mouse.down()
  await board.mouse.move(box.x + 20, box.y + 30, { steps: 4 })
  await board.evaluate(`{
    globalThis.frames = []
    let last = performance.now()
    const next = (now) => { globalThis.frames.push(now - last); last = now; requestAnimationFrame(next) }
    requestAnimationFrame(next)
  }`)
  await board.mouse.move(box.x + 600, box.y + 300, { steps: 150 })
  const frames: number[] = await board.evaluate('globalThis.frames')
  await board.mouse.up()
  return median(frames)
}

function school() {
  const people = Array.from({ length: INSTRUCTORS }, (_, index) => ({
    ...example.instructor,
    id: idOf(index),
    last_name: `Brandt ${index}`,
    availability_windows: [],
    vacations: [],
    max_daily_units: null,
    max_weekly_units: null,
  }))
  return {
    user: example.user,
    tenant: example.tenant,
    students: [example.student],
    instructors: people,
    lessonTypes: [example.lessonType],
    templates: [],
  }
}

function lessons() {
  return Array.from({ length: LESSONS }, (_, index) => {
    const hour = String(8 + Math.floor(index / INSTRUCTORS)).padStart(2, '0')
    return {
      ...example.appointment,
      id: idOf(1000 + index),
      instructor_id: idOf(index % INSTRUCTORS),
      start_at: `${DAY} ${hour}:00`,
      end_at: `${DAY} ${hour}:45`,
    }
  })
}

function idOf(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
}
