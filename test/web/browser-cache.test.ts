import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { logInAt } from '../support/browser.ts'
import { launchChromiumIn } from '../support/chromium.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const DATE = '2032-03-01'
const READ_AGAIN = `fetch('/api/v1/bootstrap', { cache: 'force-cache' }).then(({ status }) => status)`

/** An expression for the addresses of the page's own files so far. */
const OWN_FILES = `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('/assets/'))`

/** Returns the files that are in the cache. */
async function cachedOf(page: Page, files: readonly string[]): Promise<readonly string[]> {
  return page.evaluate(`Promise.all(${JSON.stringify(files)}.map((name) =>
    fetch(name, { cache: 'only-if-cached', mode: 'same-origin' }).then(({ ok }) => ok ? [name] : [], () => [])),
  ).then((all) => all.flat())`)
}

let folder: string
let context: BrowserContext
let school: School

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fahrplan-browser-'))
  context = await launchChromiumIn(folder, { locale: 'en-GB' })
  school = await aSchool(service())
  const student = await school.student({ first_name: 'Lena', last_name: 'Zeisig', phone: '+49 30 5550177' })
  const instructor = await school.instructor()
  await school.lesson({
    instructor_id: instructor.id,
    student_id: student.id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
  })
})
afterEach(async () => {
  await context.close()
  await rm(folder, { recursive: true, force: true })
})

/** Logs in at the board and looks at every page that shows people. */
async function lookAround(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${service().url}/?date=${DATE}`)
  await logInAt(page, school)
  await page.locator('[data-lesson]', { hasText: 'Lena Zeisig' }).waitFor()
  await page.getByRole('link', { name: 'Students' }).click()
  await page.getByText('Zeisig').first().waitFor()
  await page.getByRole('link', { name: 'Changes' }).click()
  await page.getByText('Zeisig').first().waitFor()
  return page
}

/** Returns the text of all files of the browser's HTTP cache on disk. */
async function diskCache(): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((one) => one.isFile() && /Cache_Data$/.test(one.parentPath))
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')),
  )
  return texts.join('\n')
}

describe('the browser cache', () => {
  it('contains no API response even without a logout (S107)', async () => {
    const page = await lookAround()
    expect(await page.evaluate(READ_AGAIN)).toBe(200)
    await context.close()
    const stored = await diskCache()
    expect(stored).toContain('/assets/')
    expect(stored).not.toContain('/api/v1/')
    expect(stored).not.toContain('Zeisig')
  })

  it('is cleared on logout and returns no data afterwards (S107)', async () => {
    const page = await lookAround()
    // Parts of the app that are fetched after the logout may be in the cache again.
    const files = await cachedOf(page, await page.evaluate(OWN_FILES))
    expect(files).not.toEqual([])
    await page.getByRole('button', { name: 'Menu' }).click()
    const fetchedAgain: string[] = []
    page.on('request', (request) => fetchedAgain.push(request.url()))
    const answered = page.waitForResponse((one) => one.url().endsWith('/auth/logout'))
    await page.getByRole('button', { name: 'Log out' }).click()
    await answered
    await page.locator('input[name=email]').waitFor()
    expect(await page.evaluate(READ_AGAIN)).toBe(401)
    // Files that an earlier release let the browser store are removed, too, except those that the login page has fetched.
    const gone = files.filter((file) => !fetchedAgain.includes(file))
    expect(gone).not.toEqual([])
    expect(await cachedOf(page, gone)).toEqual([])
    await context.close()
    expect(await diskCache()).not.toContain('/api/v1/')
  })
})
